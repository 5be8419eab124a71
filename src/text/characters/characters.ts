/**
 * Characters in untrusted text that have an effect instead of being visible. VS Code's own user interface and the page share this list, so that both
 * ask for a permission in the same words (Unicode TR 36, "Trojan Source"). Pure.
 */

/** C0, DEL and C1 controls, except for tab, line feed and carriage return, which the layout handles. */
const CONTROL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';

/** Characters that change the reading order (Arabic letter mark, marks, embeddings, overrides, isolates), and tags, which spell invisible words. */
const ORDER = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e007f}';

/**
 * Characters without width, except for the selector that makes emoji of symbols:
 *
 * - soft hyphen, grapheme joiner, zero-width space, line and paragraph separators, word joiner, BOM
 * - Hangul fillers, Khmer and Mongolian vowel signs, Braille blank
 * - invisible operators, interlinear annotations, controls of shorthand and music
 * - variation selectors (plain and supplementary)
 */
const NO_WIDTH =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2028\\u2029\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e0fff}';

/** Joiner and non-joiner, except after characters that several scripts and emoji combine with them. */
const STRAY_JOINER = `(?<!(?!\\p{ASCII}|[${NO_WIDTH}])[\\p{L}\\p{M}\\p{Emoji}\\ufe0f])[\\u200c\\u200d]`;

/** Word joiner: has no width, and prevents a line break. */
export const WORD_JOINER = '\u2060';
/** Allows a line break, without width. */
export const ZERO_WIDTH_SPACE = '\u200b';
/** Joins the characters of one emoji. */
export const ZERO_WIDTH_JOINER = '\u200d';
/** Byte order mark, and no-break space without width. */
export const BYTE_ORDER_MARK = '\ufeff';
/** Line and paragraph separators, which older JavaScript engines treat as line ends. */
export const LINE_SEPARATOR = '\u2028';
export const PARAGRAPH_SEPARATOR = '\u2029';

/** Runs of blanks of every kind, including letters that are drawn as nothing, but not line ends. */
export const BLANK_RUNS = /[\p{Zs}\t\u2800\u115f\u1160\u3164\uffa0]+/gu;

const ORDERING = new RegExp(`[${ORDER}]`, 'gu');
/** The blocks that contain {@link ORDER}. */
const MAY_ORDER = /[\u0600-\u06ff\u2000-\u206f\ud800-\udfff]/;
const CONTROL_ASCII = /[\u0000-\u001f\u007f]/;
const CONTROLS_AND_LINE_BREAKS = /[\u0000-\u001f\u2028\u2029]/g;
const LINE_BREAKS = /\r\n|[\n\r\u2028\u2029]/g;
const ANY_LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
/** All characters that are not drawn, by Unicode's own properties. File names should not have any. */
const UNDRAWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const MISLEADING = new RegExp(`[${CONTROL}${ORDER}]`, 'gu');
/** A unit of such a character. Searching for units takes a fraction of the time. */
const MAY_MISLEAD = new RegExp(`[${CONTROL}\\u061c\\u200e-\\u206f\\udb40]`);
const UNSEEN = new RegExp(`[${CONTROL}${ORDER}${NO_WIDTH}]|${STRAY_JOINER}`, 'gu');

/** Replaces the characters in `text` that control or reorder it by the result of `show`. For prose, which may have characters without width. */
export function withoutMisleading(text: string, show: (character: string) => string): string {
  return MAY_MISLEAD.test(text) ? text.replace(MISLEADING, show) : text;
}

/** True for a text that {@link withoutMisleading} would change, and for some others. */
export function hasMisleading(text: string): boolean {
  return MAY_MISLEAD.test(text);
}

/** Replaces the characters of {@link withoutMisleading} and those without width. For names, and for commands. */
export function withoutUnseen(text: string, show: (character: string) => string): string {
  return text.replace(UNSEEN, show);
}

/** Replaces the characters that change the reading order by the result of `show`. For the output of programs, whose controls a terminal executes. */
export function withoutReordering(text: string, show: (character: string) => string): string {
  return MAY_ORDER.test(text) ? text.replace(ORDERING, show) : text;
}

/** Replaces each run of characters that are not drawn by `sign`. For file names. */
export function withoutUndrawn(text: string, sign: string): string {
  return text.replace(UNDRAWN, sign);
}

/** Removes the characters that file systems and readers may ignore. */
export function withoutIgnorable(text: string): string {
  return text.replace(IGNORABLE, '');
}

/** True for a text with a C0 control or DEL in it, line ends and tabs included. No valid address, path or scheme has one. */
export function hasControls(text: string): boolean {
  return CONTROL_ASCII.test(text);
}

/** Replaces each C0 control, and each other line end, by `sign`. For formats in which these characters have a meaning. */
export function withoutControls(text: string, sign: string): string {
  return text.replace(CONTROLS_AND_LINE_BREAKS, sign);
}

/** Replaces each line end by `sign`. */
export function withoutLineBreaks(text: string, sign: string): string {
  return text.replace(LINE_BREAKS, sign);
}

/** True for a text that any renderer shows on more than one line. */
export function hasLineBreak(text: string): boolean {
  return ANY_LINE_BREAK.test(text);
}

/** Returns a character as a number, such as U+202E. */
export function numberOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Characters with one column in every font: Latin, Greek and Cyrillic letters, digits and punctuation. Combining marks count as well. */
const NARROW = /[\u0020-\u052f\u2010-\u2046\u2190-\u21ff]/;
/** Characters with several columns: dashes of two and three ems, ligatures of whole sentences, cuneiform. */
const GIANT = /[\u2e3a\u2e3b\ufdfa-\ufdff]|[\u{12000}-\u{1254f}]/u;

/**
 * Returns the columns that `text` takes on a line, rather too many than too few. Any character but the ordinary ones of an alphabet counts as two.
 */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    columns += NARROW.test(character) ? 1 : GIANT.test(character) ? 8 : 2;
  }
  return columns;
}

/** White space that shells do not know, and characters without width or shape. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\u00a0\u0085\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\u115f\u1160\uffa0]/u;

/** True for a text with characters that a user does not see, or that look like a blank. */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text) || hasMisleading(text);
}

/** True for a text with control characters, unassigned ones, and others without a shape. */
export function hasControl(text: string): boolean {
  return /\p{C}/u.test(text);
}
