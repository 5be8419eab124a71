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
    const isRisky = rest.some((word) => word !== undefined && /\[[^\]]*[$`]/.test(word));
    const isStored =
      /^(?:printf|wait)$/.test(program) && rest.some((word, at) => (program === 'wait' || at === 0) && /^-/.test(word ?? ''));
    return isRisky || isStored ? 'arithmetic' : undefined;
  }
  return undefined;
}
