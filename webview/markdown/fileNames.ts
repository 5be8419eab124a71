/** Finds words in an agent's prose that may be file names, so that the host is asked about them. Pure. */

/** Text between blanks and punctuation. */
const WORD =
  /[^\s"'`“”„‘’«»‹›<>(){}[\],;|*?=!&…—\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a-\uff1c\uff1e\uff1f\uff3b\uff3d\uff5b-\uff65]+/g;
/** The same with balanced brackets in it: `app/(auth)/[id]/page.tsx`, `a.cs(12,3)`. */
const BRACKETED =
  /(?:[^\s"'`“”„‘’«»‹›<>(){}[\],;|*?=!&…—\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a-\uff1c\uff1e\uff1f\uff3b\uff3d\uff5b-\uff65]|\[{1,2}[^\s[\](){}<>"'`|;]{1,80}\]{1,2}|\([^\s[\](){}<>"'`|;]{1,80}\))+/g;
const BRACKETED_FILE =
  /^(?:~[\\/]|[A-Za-z]:[\\/]|[\\/])?(?:[\p{L}\p{N}_@+.$()[\]=-]+[\\/])*[\p{L}\p{N}_@+.$()[\]=-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?::\d{1,9}(?::\d{1,9})?|#L\d{1,9}(?:-L?\d{1,9})?|\(\d{1,9}(?:,\d{1,9})?\))?$/u;
/** A file name with an extension, with or without folders and a line number. Unknown extensions match too, and the host then finds no file. */
const FILE =
  /^(?:~[\\/]|[A-Za-z]:[\\/]|[\\/])?(?:[\p{L}\p{N}_@+.-]+[\\/])*[\p{L}\p{N}_@+.-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?::\d{1,9}(?::\d{1,9})?|#L\d{1,9}(?:-L?\d{1,9})?)?$/u;
/** `e.g.` and `i.e.`, whose last dot is already removed. */
const ABBREVIATION = /^(?:e\.g|i\.e)$/i;
/** `www.a.b`, `a@b.c`, `a...b`. */
const OTHER = /^www\.|\.\.\.|^[^\\/]+@[^\\/]+$/;
/** The longest text that is searched, in UTF-16 units. */
const LONGEST_TEXT = 16 * 1024;
const LONGEST_NAME = 400;
/** The most words of one text. */
const MAX_NAMES = 100;

/** Returns the ranges of such words in `text`, in order: `[start, end)`. */
export function fileWords(text: string): readonly (readonly [start: number, end: number])[] {
  if (text.length > LONGEST_TEXT || !text.includes('.')) {
    return [];
  }
  const bracketed = bracketedWords(text);
  if (bracketed.length > 0) {
    let from = 0;
    const all = [...bracketed, [text.length, text.length] as const].flatMap(([start, end]) => {
      const before = fileWords(text.slice(from, start)).map(([one, other]) => [one + from, other + from] as const);
      from = end;
      return end > start ? [...before, [start, end] as const] : before;
    });
    return all.slice(0, MAX_NAMES);
  }
  const found: [number, number][] = [];
  for (const match of text.matchAll(WORD)) {
    const word = match[0].length > LONGEST_NAME ? '' : match[0].replace(/[.:]+$/, '');
    if (
      word.includes('.') &&
      FILE.test(word) &&
      !OTHER.test(word) &&
      !ABBREVIATION.test(word) &&
      found.push([match.index, match.index + word.length]) >= MAX_NAMES
    ) {
      break;
    }
  }
  return found;
}

/** Returns words that are file names with brackets or `$` in their path. Punctuation around a word is not part of it. */
function bracketedWords(text: string): readonly (readonly [start: number, end: number])[] {
  if (!/[[($]/.test(text)) {
    return [];
  }
  const found: [number, number][] = [];
  for (const match of text.matchAll(BRACKETED)) {
    const word = match[0].length > LONGEST_NAME ? '' : match[0].replace(/[.:]+$/, '');
    if (
      /[[($]/.test(word) &&
      BRACKETED_FILE.test(word) &&
      !OTHER.test(word.replaceAll('[...', '[')) &&
      found.push([match.index, match.index + word.length]) >= MAX_NAMES
    ) {
      break;
    }
  }
  return found;
}

/** Names of files without an extension. */
const NAMED =
  /^(?:Makefile|Dockerfile|Containerfile|Vagrantfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Justfile|justfile|Brewfile|Caddyfile|LICEN[CS]E|COPYING|NOTICE|README|CHANGELOG|CONTRIBUTING|AUTHORS|CODEOWNERS|BUILD|WORKSPACE)$/;

/** True for code that is a file's name, or a path without an extension. */
export function isBareFileName(code: string): boolean {
  const word = code.replace(/(?::\d{1,9}){1,2}$|#L\d{1,9}$/, '');
  if (word.length > LONGEST_NAME) {
    return false;
  }
  return NAMED.test(word) || /^\.[A-Za-z][\w.-]{1,60}$/.test(word) || /^(?:\.{1,2}\/)?[\w@+.-]+(?:\/[\w@+.-]+)+$/.test(word);
}
