/** Words in an agent's prose that may be files: what is worth asking the host about. Pure. */

/** What stands between blanks and the signs of sentences. */
const WORD =
  /[^\s"'`“”„‘’«»‹›<>(){}[\],;|*?=!&…—\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a-\uff1c\uff1e\uff1f\uff3b\uff3d\uff5b-\uff65]+/g;
/** The same with brackets in it that are closed again: `app/(auth)/[id]/page.tsx`, `a.cs(12,3)`. */
const BRACKETED =
  /(?:[^\s"'`“”„‘’«»‹›<>(){}[\],;|*?=!&…—\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a-\uff1c\uff1e\uff1f\uff3b\uff3d\uff5b-\uff65]|\[{1,2}[^\s[\](){}<>"'`|;]{1,80}\]{1,2}|\([^\s[\](){}<>"'`|;]{1,80}\))+/g;
const BRACKETED_FILE =
  /^(?:~[\\/]|[A-Za-z]:[\\/]|[\\/])?(?:[\p{L}\p{N}_@+.$()[\]=-]+[\\/])*[\p{L}\p{N}_@+.$()[\]=-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?::\d{1,9}(?::\d{1,9})?|#L\d{1,9}(?:-L?\d{1,9})?|\(\d{1,9}(?:,\d{1,9})?\))?$/u;
/** A file's name with an ending, in folders or not, with a place in it or not. Endings that no file has are asked about as well, and then are none. */
const FILE =
  /^(?:~[\\/]|[A-Za-z]:[\\/]|[\\/])?(?:[\p{L}\p{N}_@+.-]+[\\/])*[\p{L}\p{N}_@+.-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?::\d{1,9}(?::\d{1,9})?|#L\d{1,9}(?:-L?\d{1,9})?)?$/u;
/** `e.g.` and `i.e.`, whose last dot is off already. */
const ABBREVIATION = /^(?:e\.g|i\.e)$/i;
/** `www.a.b`, `a@b.c`, `a...b`. */
const OTHER = /^www\.|\.\.\.|^[^\\/]+@[^\\/]+$/;
/** UTF-16 units of one text that is looked through. */
const LONGEST_TEXT = 16 * 1024;
const LONGEST_NAME = 400;
/** Of one text. */
const MOST = 100;

/** The places of such words in `text`, in order: `[start, end)`. */
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
    return all.slice(0, MOST);
  }
  const found: [number, number][] = [];
  for (const match of text.matchAll(WORD)) {
    const word = match[0].length > LONGEST_NAME ? '' : match[0].replace(/[.:]+$/, '');
    if (
      word.includes('.') &&
      FILE.test(word) &&
      !OTHER.test(word) &&
      !ABBREVIATION.test(word) &&
      found.push([match.index, match.index + word.length]) >= MOST
    ) {
      break;
    }
  }
  return found;
}

/** Words that are files with brackets or `$` in their path: the signs of sentences around a word are no part of it. */
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
      found.push([match.index, match.index + word.length]) >= MOST
    ) {
      break;
    }
  }
  return found;
}

/** Names of files without an ending. */
const NAMED =
  /^(?:Makefile|Dockerfile|Containerfile|Vagrantfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Justfile|justfile|Brewfile|Caddyfile|LICEN[CS]E|COPYING|NOTICE|README|CHANGELOG|CONTRIBUTING|AUTHORS|CODEOWNERS|BUILD|WORKSPACE)$/;

/** True for code that is a file's name, or a path without an ending. */
export function isBareFileName(code: string): boolean {
  const word = code.replace(/(?::\d{1,9}){1,2}$|#L\d{1,9}$/, '');
  if (word.length > LONGEST_NAME) {
    return false;
  }
  return NAMED.test(word) || /^\.[A-Za-z][\w.-]{1,60}$/.test(word) || /^(?:\.{1,2}\/)?[\w@+.-]+(?:\/[\w@+.-]+)+$/.test(word);
}
