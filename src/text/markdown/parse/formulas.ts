/**
 * Locates formulas in markdown. `$$…$$` and `\[…\]` are blocks, `$…$` and `\(…\)` are inline. Amounts of money, shell variables and escaped brackets
 * are not formulas, so single dollars follow Pandoc's rules and a few more.
 */

export interface MathText {
  /** The source with its delimiters, and with the rest of its lines. */
  readonly raw: string;
  readonly tex: string;
  /** True for a block. */
  readonly display: boolean;
  /** True while its end is missing. Everything that follows belongs to it until then. */
  readonly open: boolean;
}

/** The most UTF-16 units of a formula that does not begin with a line of its own. A longer one without an end is not a formula. */
const MAX_LENGTH = 10_000;
/**
 * The most line breaks in such a formula. Fewer than the blocks that the view keeps open, so that no closed block can turn out to be a formula's
 * beginning.
 */
const MAX_LINE_BREAKS = 15;
/** UTF-16 units of a paragraph that are searched for a formula that ends it. */
const MAX_PARAGRAPH = 16_000;

const OPENER = /^ {0,3}(\$\$(?!\$)|\\\[)/;
/** The rest of the opening line that allows a formula of any number of lines, like a fence does. */
const FREE = /^[ \t]*(?:\n|$|\\begin\{)/;
const BLANK_LINE = /\n[ \t]*\n/;
/** A line that could begin a formula. */
const LINE = /\n(?= {0,3}(?:\$\$|\\\[))/g;
const TEX_SIGN = /[\\^_={]/;
/** The suffixes that may follow the closing dollar, as in "the $n$th". Other letters are the name of a variable. */
const ENDING = /^(?:th|st|nd|rd|s|ary|fold|tuples?)(?![A-Za-z0-9_])/;

/** Returns the formula block that begins at the start of `text`, the rest of a document. */
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

/**
 * Returns the length of `text` up to the number of line breaks that a formula may have. A search beyond them would be slow for each line that begins
 * a formula.
 */
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

/** Returns the offset of the line break before the first formula block directly after the paragraph at the start of `text`; -1 when there is none. */
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

/** Returns the inline formula at the start of `text`, the rest of a paragraph. `before`: the character before it, if any. */
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

/** True for a likely formula. Two dollars on a line may also be process ids, so a text with spaces at its ends must look like TeX. */
function isLikely(tex: string): boolean {
  return !/^\s|\s$/.test(tex) || TEX_SIGN.test(tex);
}

/** Returns the offset of `closer` in `text`, from `start` on and not escaped; -1 when there is none, or none before another opener. */
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
