/** Parses the command and the environment of an agent that a user types. Agents start without a shell, so a shell's operators are refused. Pure. */

/**
 * The reason why a text is not a command: it is empty, a quote is open, it needs a shell, or it begins with a variable. `part`: the text in
 * question.
 */
export interface TypedProblem {
  readonly problem: 'empty' | 'quote' | 'shell' | 'variable';
  readonly part: string;
}

export interface TypedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

interface Word {
  readonly text: string;
  /** The word with its quotes. */
  readonly source: string;
}

/** Operators of shells, and substitutions that only a shell performs. */
const OPERATOR = /^(?:&&?|\|\|?|;|\d?>{1,2}(?:&\d)?.*|\d?<.*)$/;
const SUBSTITUTION = /^[^']*(?:\$\(|`)/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Parses a program and its arguments. Quotes work as in a POSIX shell. On Windows a backslash is part of a path. */
export function typedCommand(text: string, platform: NodeJS.Platform): TypedCommand | TypedProblem {
  const words = wordsOf(text, platform);
  if ('problem' in words) {
    return words;
  }
  const [first, ...rest] = words;
  if (!first || first.text === '') {
    return { problem: 'empty', part: '' };
  }
  const shell = words.find(({ source }) => OPERATOR.test(source) || SUBSTITUTION.test(source) || source.endsWith(';'));
  if (shell) {
    return { problem: 'shell', part: shell.source };
  }
  if (ASSIGNMENT.test(first.source)) {
    return { problem: 'variable', part: first.source };
  }
  return { command: first.text, args: rest.map((word) => word.text) };
}

/** Parses variables of the form `NAME=value`, separated by spaces. An empty text has no variables. */
export function typedVariables(text: string, platform: NodeJS.Platform): { readonly env: Readonly<Record<string, string>> } | TypedProblem {
  const words = wordsOf(text, platform);
  if ('problem' in words) {
    return words;
  }
  const env: Record<string, string> = {};
  for (const { text: word, source } of words) {
    const equals = word.indexOf('=');
    if (equals <= 0 || !ASSIGNMENT.test(source)) {
      // The part after the equals sign may be a secret.
      return { problem: 'variable', part: source.split('=', 1)[0]! };
    }
    env[word.slice(0, equals)] = word.slice(equals + 1);
  }
  return { env };
}

function wordsOf(text: string, platform: NodeJS.Platform): readonly Word[] | TypedProblem {
  const words: Word[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  let start = 0;
  const end = (index: number): void => {
    if (word !== undefined) {
      words.push({ text: word, source: text.slice(start, index) });
    }
    word = undefined;
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    const next = text[index + 1];
    if (quote === undefined && /\s/.test(character)) {
      end(index);
      continue;
    }
    if (word === undefined) {
      word = '';
      start = index;
    }
    if (character === '\\' && next !== undefined && isEscaped(next, quote, platform)) {
      word += next;
      index++;
    } else if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
    } else {
      word += character;
    }
  }
  end(text.length);
  return quote === undefined ? words : { problem: 'quote', part: quote };
}

function isEscaped(next: string, quote: string | undefined, platform: NodeJS.Platform): boolean {
  if (quote === "'") {
    return false;
  }
  return next === '"' || (quote === undefined && next === "'") || (platform !== 'win32' && (quote === undefined || next === '\\'));
}
