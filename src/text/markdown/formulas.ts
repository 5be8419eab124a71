/**
 * Formulas in markdown: where one begins and ends. `$$…$$` and `\[…\]` stand alone, `$…$` and `\(…\)` stand in a line. A sum of money, a variable
 * of a shell and an escaped bracket are none; so what has a single dollar follows the rules that Pandoc made for it, and a few more.
 */

export interface MathText {
  /** With its delimiters, and what else of its lines belongs to it. */
  readonly raw: string;
  readonly tex: string;
  /** In lines of its own. */
  readonly display: boolean;
  /** Its end is still to come; all that follows belongs to it until then. */
  readonly open: boolean;
}

/** UTF-16 units of a formula that does not begin with a line of its own; what looks like its beginning and has no end before is none. */
const MAX_LENGTH = 10_000;
/** Line breaks in it. Fewer than the blocks that the view keeps open, so that what is closed there cannot turn out to be a formula's beginning. */
const MAX_LINE_BREAKS = 15;
/** UTF-16 units of a paragraph in which a formula is looked for that ends it. */
const MAX_PARAGRAPH = 16_000;

const OPENER = /^ {0,3}(\$\$(?!\$)|\\\[)/;
/** What the line of the opener may say for the formula to have as many lines as it likes, as a fence has. */
const FREE = /^[ \t]*(?:\n|$|\\begin\{)/;
const BLANK_LINE = /\n[ \t]*\n/;
/** A line that could begin a formula. */
const LINE = /\n(?= {0,3}(?:\$\$|\\\[))/g;
const TEX_SIGN = /[\\^_={]/;
/** What may follow the closing dollar of "the $n$th" and its like; other letters are the name of a variable. */
const ENDING = /^(?:th|st|nd|rd|s|ary|fold|tuples?)(?![A-Za-z0-9_])/;

/** The formula in lines of its own that begins where `text`, the rest of a document, does. */
export function mathBlockAt(text: string): MathText | undefined {
  const opener = OPENER.exec(text);
  if (!opener) {
    return undefined;
  }
  const start = opener[0].length;
  const closer = opener[1] === '$$' ? '$$' : '\\]';
  const free = FREE.test(text.slice(start, start + 1000));
  const end = endOf(text, start, closer, free ? Infinity : fewLines(text.slice(start, start + MAX_LENGTH)));
  if (end < 0) {
    return free ? { raw: text, tex: text.slice(start), display: true, open: true } : undefined;
  }
  const tex = text.slice(start, end);
  const [after] = /^[ \t]*\n?/.exec(text.slice(end + 2, end + 1000))!;
  const endsLine = after.endsWith('\n') || end + 2 + after.length === text.length;
  if (!free && (!endsLine || BLANK_LINE.test(tex) || tex.trim() === '')) {
    return undefined;
  }
  return { raw: text.slice(0, end + 2 + after.length), tex, display: true, open: false };
}

/** How much of `text` has no more line breaks than a formula may have: looking for an end beyond them would cost each line that begins one a long way. */
function fewLines(text: string): number {
  let end = -1;
  for (let breaks = 0; breaks <= MAX_LINE_BREAKS; breaks++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) {
      return text.length;
    }
  }
  return end;
}

/** The line break before the first formula in lines of its own that the paragraph at the beginning of `text` has right after it; -1 for none. */
export function mathBlockAfter(text: string): number {
  const start = text.slice(0, MAX_PARAGRAPH);
  const blank = start.search(BLANK_LINE);
  for (const line of (blank < 0 ? start : start.slice(0, blank)).matchAll(LINE)) {
    if (mathBlockAt(text.slice(line.index + 1))) {
      return line.index;
    }
  }
  return -1;
}

/** The formula that begins where `text`, the rest of a paragraph, does; `before`: the character before it, if any. */
export function inlineMathAt(text: string, before: string): MathText | undefined {
  if (text.startsWith('\\(')) {
    return found(text, 2, endOf(text, 2, '\\)', MAX_LENGTH), false);
  }
  if (!text.startsWith('$') || /[A-Za-z0-9_$]/.test(before) || text.startsWith('$$$')) {
    return undefined;
  }
  if (text.startsWith('$$')) {
    const end = endOf(text, 2, '$$', MAX_LENGTH);
    return end < 0 || text[end + 2] === '$' || text.slice(2, end).includes('`') || !isLikely(text.slice(2, end))
      ? undefined
      : found(text, 2, end, true);
  }
  const end = endOf(text, 1, '$', MAX_LENGTH);
  if (end < 0 || /^\s|`|\s$/.test(text.slice(1, end))) {
    return undefined;
  }
  const after = text.slice(end + 1, end + 20);
  return /^[0-9$]/.test(after) || (/^[A-Za-z_]/.test(after) && !ENDING.test(after)) ? undefined : found(text, 1, end, false);
}

function found(text: string, width: number, end: number, display: boolean): MathText | undefined {
  const tex = text.slice(width, end);
  return end < 0 || tex.trim() === '' ? undefined : { raw: text.slice(0, end + width), tex, display, open: false };
}

/** In a line, two dollars are the number of a process too: with space around it, what stands between has to look like TeX. */
function isLikely(tex: string): boolean {
  return !/^\s|\s$/.test(tex) || TEX_SIGN.test(tex);
}

/** Where `closer` stands in `text`, from `start` on and not behind a backslash of its own; -1 when nowhere, or not before another opener. */
function endOf(text: string, start: number, closer: string, most: number): number {
  const last = Math.min(text.length, start + most);
  for (let at = start; at < last; at++) {
    const character = text.charCodeAt(at);
    if (character === 0x5c) {
      if (text.startsWith(closer, at)) {
        return at;
      }
      if (closer === '\\)' && text[at + 1] === '(') {
        return -1;
      }
      at++;
    } else if (character === 0x24 && closer !== '\\)' && closer !== '\\]') {
      if (text.startsWith(closer, at)) {
        return at;
      }
    }
  }
  return -1;
}
