/** The line ends of a text, in the two kinds that VS Code supports. */
export type Eol = '\n' | '\r\n';

/** A text cut at its line ends. A line end belongs to no line: `'a\n'` has two lines, `a` and the empty one. */
export interface Lines {
  /** The lines without their line ends; never empty. */
  readonly texts: readonly string[];
  /** Offset of each line's first character, in UTF-16 units. */
  readonly starts: readonly number[];
  /** Length of the whole text. */
  readonly length: number;
}

/** Splits at `\n` and `\r\n`. A `\r` alone is an ordinary character. */
export function linesOf(text: string): Lines {
  const texts: string[] = [];
  const starts: number[] = [];
  let start = 0;
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', start)) {
    const end = feed > start && text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed;
    texts.push(text.slice(start, end));
    starts.push(start);
    start = feed + 1;
  }
  texts.push(text.slice(start));
  starts.push(start);
  return { texts, starts, length: text.length };
}

/** Returns the line end of most lines of `text` (`\n` for a tie); undefined when it has one line. */
export function eolOf(text: string): Eol | undefined {
  let feeds = 0;
  let pairs = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    feeds++;
    if (at > 0 && text.charCodeAt(at - 1) === 13) {
      pairs++;
    }
  }
  if (feeds === 0) {
    return undefined;
  }
  return pairs * 2 > feeds ? '\r\n' : '\n';
}

/** Returns every line end as `\n`, including a `\r` alone, because a VS Code document splits its lines that way. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Lines `first` to `last`, 1-based, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Returns line numbers for display: ranges that touch are joined, at most `most` are named: `3-5, 9, …`. */
export function describeLines(ranges: readonly LineRange[], most = 12): string {
  const joined: LineRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.first - b.first)) {
    const before = joined.at(-1);
    if (before && range.first <= before.last + 1) {
      joined[joined.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
    } else {
      joined.push(range);
    }
  }
  const named = joined.slice(0, most).map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return named.join(', ') + (joined.length > most ? ', …' : '');
}
