/** The patterns of rules about commands, and the commands that they fit. Pure. */
import type { Effect } from '../rule';
import { hasPowerfulOption } from './powerful';
import { hasReadUse, lettersOf, nameOf, readsInput, readsOnly } from './programs';
import type { CommandSegment } from './reading';

/** The pattern for commands that only read. */
export const READS_ONLY_PATTERN = 'readsOnly';

export interface CommandPattern {
  /** The pattern as the user wrote it, without white space at its ends. */
  readonly text: string;
  readonly words: readonly string[];
  /** True for a pattern that ends with ` *`. */
  readonly takesArguments: boolean;
}

const ANY_ARGUMENTS = /\s+\*$/;

/** Returns the words of a pattern. Quotes and backslashes keep blanks together. Undefined for a pattern without a program. */
export function parsePattern(pattern: string): CommandPattern | undefined {
  const text = pattern.trim();
  const takesArguments = ANY_ARGUMENTS.test(text);
  const words: string[] = [];
  let word: string | undefined;
  const body = text.replace(ANY_ARGUMENTS, '');
  for (let at = 0; at < body.length; at++) {
    const character = body[at]!;
    if (character === "'" || character === '"') {
      const end = body.indexOf(character, at + 1);
      if (end < 0) {
        return whole(text);
      }
      word = (word ?? '') + body.slice(at + 1, end);
      at = end;
    } else if (character === '\\' && at + 1 < body.length && /[\s'"\\]/.test(body[at + 1]!)) {
      word = (word ?? '') + body[++at]!;
    } else if (/\s/.test(character)) {
      if (word !== undefined) {
        words.push(word);
      }
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) {
    words.push(word);
  }
  return words.length === 0 || words[0] === '*' || words[0] === '' ? undefined : { text, words, takesArguments };
}

/** A pattern that is no list of words fits only the same line. */
function whole(text: string): CommandPattern {
  return { text, words: [], takesArguments: false };
}

/** True when the pattern fits the command alone, without the commands that it runs. */
export function fitsCommand(pattern: CommandPattern, segment: CommandSegment, effect: Effect): boolean {
  return effect === 'allow' ? isAllowed(pattern, segment) : isNamed(pattern, segment);
}

function isAllowed({ text, words: wanted, takesArguments }: CommandPattern, { words, assigns, folder }: CommandSegment): boolean {
  const [program] = words;
  if (program === undefined || assigns.length > 0 || words.some((word) => word === undefined)) {
    return false;
  }
  // A relative path names another program in another folder.
  if (/[\\/]/.test(program) && !/^(?:[\\/]|[A-Za-z]:)/.test(program) && folder !== '') {
    return false;
  }
  if (text === READS_ONLY_PATTERN) {
    return readsOnly(words);
  }
  const isStart = wanted.length > 0 && wanted.length <= words.length && wanted.every((word, at) => word === words[at]);
  if (!isStart) {
    return false;
  }
  if (!takesArguments) {
    return wanted.length === words.length;
  }
  // Any arguments are those of the use that the user knows.
  return (
    (wanted.length === words.length && !readsInput(words)) ||
    ((!hasReadUse(words) || readsOnly(words)) && !readsInput(words) && !hasPower(words, wanted.length))
  );
}

/** @param count the number of words that the pattern names */
function hasPower(words: readonly (string | undefined)[], count: number): boolean {
  // The words behind the module are its own arguments.
  const module = /^(?:python|pypy)[\d.]*$/.test(nameOf(words[0]!)) && words[1] === '-m' && count > 2 ? words[2] : undefined;
  return module === undefined ? hasPowerfulOption(nameOf(words[0]!), words, count) : hasPowerfulOption(module, words.slice(2), count - 2);
}

/** Options in front of a subcommand, with those whose value is the next word. */
const GLOBAL_VALUES: Readonly<Record<string, RegExp>> = {
  git: /^(?:-[Cc]|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env)$/,
  docker: /^(?:-[Hlc]|--host|--config|--context|--log-level|--url|--connection)$/,
  podman: /^(?:-c|--url|--connection|--log-level)$/,
  kubectl: /^(?:-[ns]|--namespace|--context|--kubeconfig|--server|--user|--cluster)$/,
  npm: /^(?:-C|--prefix|-w|--workspace|--userconfig)$/,
  pnpm: /^(?:-C|--dir|-F|--filter)$/,
  yarn: /^--cwd$/,
  cargo: /^(?:--config|-Z|-C|--color|--manifest-path)$/,
  gh: /^(?:-R|--repo)$/,
  terraform: /^$/,
};

/** Names of one command of PowerShell. */
const REMOVES = /^(?:remove-item|ri|del|erase|rd)$/;

/** Returns the name under which the rules about a program are found. */
export function programKey(program: string): string {
  const name = nameOf(program);
  return REMOVES.test(name) ? 'rm' : name;
}

/** True for the same program, and for the same command of PowerShell. */
function sameProgram(program: string, wanted: string): boolean {
  const [name, other] = [nameOf(program), nameOf(wanted)];
  return name === other || (programKey(name) === programKey(other) && (REMOVES.test(name) || REMOVES.test(other)));
}

/** For a denial or a question: the words come in this order among the others, letters of options in any order and spelling. */
function isNamed({ words: wanted }: CommandPattern, { words }: CommandSegment): boolean {
  const [program, ...rest] = words;
  const [name, ...parts] = wanted;
  if (program === undefined || name === undefined || !sameProgram(program, name)) {
    return false;
  }
  const own = nameOf(name);
  const letters = new Set(rest.flatMap((word) => [...((word !== undefined && lettersOf(own, word)) || '')]));
  const [wordsOf, options] = [parts.filter((part) => !part.startsWith('-')), parts.filter((part) => part.startsWith('-'))];
  const areOptions = options.every((option) => {
    const meant = lettersOf(own, option);
    const isSame = rest.some((word) => word === undefined || word === option || word.startsWith(`${option}=`));
    return isSame || (meant !== undefined && [...meant].every((letter) => letters.has(letter)));
  });
  const others = withoutOptions(own, rest);
  const isInOrder = wordsOf.every((part, at) => (others[at] === undefined ? at < others.length : sameWord(own, others[at], part)));
  return areOptions && isInOrder;
}

function sameWord(program: string, word: string, wanted: string): boolean {
  return word === wanted || (/^(?:powershell|pwsh|cmd|[a-z]+-[a-z]+)$/.test(program) && word.toLowerCase() === wanted.toLowerCase());
}

function withoutOptions(program: string, words: readonly (string | undefined)[]): readonly (string | undefined)[] {
  const valued = GLOBAL_VALUES[program];
  const kept: (string | undefined)[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word !== undefined && kept.length === 0 && valued?.test(word) === true) {
      at++;
    } else if (word === undefined || !/^-./.test(word)) {
      kept.push(word);
    }
  }
  return kept;
}
