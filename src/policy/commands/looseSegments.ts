/** The commands that a line may contain, for a line that cannot be read: everything behind a separator or a quote. For denials alone. */
import { hasHidden } from '../../text/characters/characters';
import { type CommandSegment, MAX_SEGMENTS } from './reading';

export function looseSegments(line: string): readonly CommandSegment[] {
  return line
    .split(/[;&|(){}<>"'`\n\r]+|\$\(/)
    .map((part) =>
      part
        .replace(/^\s*(?:do|then|else)\s/i, '')
        .trim()
        .split(/\s+/)
        .filter(Boolean),
    )
    .filter((words) => words.length > 0)
    .slice(0, MAX_SEGMENTS)
    .map((words) => ({ start: 0, end: line.length, words, assigns: [], redirections: [], folder: '', inner: [], isTransparent: false }));
}

/** True for a line with control characters or with characters that a user does not see. */
export function isHiddenIn(line: string): boolean {
  return /[^\P{Cc}\t\n]/u.test(line) || hasHidden(line);
}

/** Characters that programs on Windows get as a quotation mark or a blank, when they do not use Unicode. */
export const ALIKE = /[\u02ba\u030e\u3000\uff02]/;

/** Returns the commands between backticks and in `$(…)` of a text, by its characters alone. */
export function substitutionsOf(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = text.search(/`|\$\(/); at >= 0 && at < text.length && found.length < MAX_SEGMENTS; ) {
    const isTick = text[at] === '`';
    const start = at + (isTick ? 1 : 2);
    const end = isTick ? text.indexOf('`', start) : closing(text, start);
    const code = text.slice(start, end < 0 ? text.length : end);
    void (code.trim() !== '' && found.push(code));
    const next = end < 0 ? -1 : text.slice(end + 1).search(/`|\$\(/);
    at = next < 0 ? -1 : end + 1 + next;
  }
  return found;
}

/** Returns the offset of the parenthesis that closes the one before `start`, without regard to quotes. */
function closing(text: string, start: number): number {
  let open = 1;
  for (let at = start; at < text.length; at++) {
    open += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
    if (open === 0) {
      return at;
    }
  }
  return -1;
}

/** The commands that may begin at each word behind the first: for a program that runs some of its arguments. */
export function suffixesOf(words: readonly (string | undefined)[]): readonly CommandSegment[] {
  const all = words.flatMap((word): readonly (string | undefined)[] => word?.split(/[\s()"]+/).filter(Boolean) ?? [undefined]);
  return all
    .slice(1, MAX_SEGMENTS)
    .map((_, at) => ({
      start: 0,
      end: 0,
      words: all.slice(at + 1),
      assigns: [],
      redirections: [],
      folder: '',
      inner: [],
      isTransparent: false,
    }))
    .filter(({ words: [program] }) => program !== undefined);
}
