/** Builtins that change how later commands run, or that evaluate their arguments. Pure. */

const CHANGES: ReadonlySet<string> = new Set(
  (
    'export declare typeset readonly local integer float shopt setopt unsetopt emulate alias unalias enable disable ' +
    'hash rehash unhash bind bindkey complete compgen compopt read mapfile readarray zmodload autoload functions ' +
    'zle zstyle zparseopts fc history let getopts unset unsetenv private vared trap print sched ztie add-zsh-hook ' +
    'umask'
  ).split(' '),
);
/** Builtins that evaluate numbers and names, which may hold a substitution. */
const EVALUATES: ReadonlySet<string> = new Set(
  ('test [ printf wait shift return exit break continue ulimit echotc jobs kill fg bg disown pushd popd dirs time ' + 'limit').split(' '),
);

/** True for a word that a shell may run code from when it evaluates it as a name or a number. Subscripts may be nested. */
export function isEvaluated(word: string): boolean {
  return /\[[\s\S]*[$`]/.test(word);
}

/** A conversion of `printf` that takes a number. The width may be a number from the arguments, too. */
const NUMBERS = /%[-+ #'\d.$]*(?:\*|[^-+ #'\d.$sbqQc%])/;
/** A number, and one that only the shell knows. */
const NUMBER = /^(?:[-+]?(?:0x[\da-f]+|\d*\.?\d*(?:e[-+]?\d+)?)|\ue000)$/i;

/** True when a shell such as zsh evaluates an argument of `printf`. The text may set a variable then, such as `PATH=5`. */
function printsExpression([format, ...rest]: readonly (string | undefined)[]): boolean {
  return format !== undefined && NUMBERS.test(format.replaceAll('%%', '')) && rest.some((word) => word !== undefined && !NUMBER.test(word));
}

/** Returns a doubt about a builtin, or undefined. */
export function builtinDoubt([program, ...rest]: readonly (string | undefined)[]): string | undefined {
  if (program === undefined) {
    return undefined;
  }
  if (CHANGES.has(program)) {
    return 'state';
  }
  if (program === 'set') {
    const isPlain = rest.every((word, at) =>
      /^-[eu]*o$/.test(rest[at - 1] ?? '') ? word === 'pipefail' : /^-(?:[eu]*o?)$/.test(word ?? ''),
    );
    return isPlain && rest.length > 0 ? undefined : 'state';
  }
  if (EVALUATES.has(program)) {
    const isRisky = rest.some((word) => word !== undefined && isEvaluated(word)) || (program === 'printf' && printsExpression(rest));
    const isStored =
      /^(?:printf|wait)$/.test(program) && rest.some((word, at) => (program === 'wait' || at === 0) && /^-/.test(word ?? ''));
    return isRisky || isStored ? 'arithmetic' : undefined;
  }
  return undefined;
}
