/**
 * Characters of somebody else's text that do something instead of being seen: the one list for VS Code's own surfaces and the page, so that a
 * permission is asked for in the same words on both (Unicode TR 36, "Trojan Source"). Pure.
 */

/** C0, DEL and C1 controls; not tab, line feed and carriage return, which whoever lays out the text heeds. */
const CONTROL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';

/** What turns the reading order round (Arabic letter mark, marks, embeddings, overrides, isolates), and tags, which spell unseen words. */
const ORDER = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e007f}';

/**
 * Without width: soft hyphen, grapheme joiner, Hangul fillers, Khmer and Mongolian vowel signs, zero-width space, line and paragraph separators,
 * word joiner, invisible operators, Braille blank, variation selectors (plain and supplementary), BOM, interlinear annotations, controls of shorthand and music. Not
 * the selector that makes emoji of symbols.
 */
const NO_WIDTH =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2028\\u2029\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e0fff}';

/** Joiner and non-joiner, which several scripts and emoji are written with, anywhere but after such a character. */
const STRAY_JOINER = `(?<!(?!\\p{ASCII}|[${NO_WIDTH}])[\\p{L}\\p{M}\\p{Emoji}\\ufe0f])[\\u200c\\u200d]`;

/** Word joiner: no width, and no break where it stands. */
export const WORD_JOINER = '\u2060';
/** A place to break a line at, without width. */
export const ZERO_WIDTH_SPACE = '\u200b';
/** Between the signs of which one emoji is made. */
export const ZERO_WIDTH_JOINER = '\u200d';
/** Byte order mark, and no-break space without width. */
export const BYTE_ORDER_MARK = '\ufeff';
/** Ends of lines and paragraphs of their own, which JavaScript took for line ends for long. */
export const LINE_SEPARATOR = '\u2028';
export const PARAGRAPH_SEPARATOR = '\u2029';

/** Runs of blanks of every kind, also letters that are drawn as nothing; not line ends. */
export const BLANK_RUNS = /[\p{Zs}\t\u2800\u115f\u1160\u3164\uffa0]+/gu;

const ORDERING = new RegExp(`[${ORDER}]`, 'gu');
/** The blocks that {@link ORDER} stands in. */
const MAY_ORDER = /[\u0600-\u06ff\u2000-\u206f\ud800-\udfff]/;
const CONTROL_ASCII = /[\u0000-\u001f\u007f]/;
const CONTROLS_AND_LINE_BREAKS = /[\u0000-\u001f\u2028\u2029]/g;
const LINE_BREAKS = /\r\n|[\n\r\u2028\u2029]/g;
const ANY_LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
/** Everything that is not drawn, by Unicode's own properties: what no name of a file should have. */
const UNDRAWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const MISLEADING = new RegExp(`[${CONTROL}${ORDER}]`, 'gu');
/** A unit of such a character: looking for units takes a fraction of what looking for characters does. */
const MAY_MISLEAD = new RegExp(`[${CONTROL}\\u061c\\u200e-\\u206f\\udb40]`);
const UNSEEN = new RegExp(`[${CONTROL}${ORDER}${NO_WIDTH}]|${STRAY_JOINER}`, 'gu');

/** `text` with what controls it or reorders it as `show` has it: for prose, which may hold what has no width. */
export function withoutMisleading(text: string, show: (character: string) => string): string {
  return MAY_MISLEAD.test(text) ? text.replace(MISLEADING, show) : text;
}

/** True for a text that {@link withoutMisleading} would change, and for some others. */
export function hasMisleading(text: string): boolean {
  return MAY_MISLEAD.test(text);
}

/** {@link withoutMisleading}, and what has no width as well: for names, and for what will run. */
export function withoutUnseen(text: string, show: (character: string) => string): string {
  return text.replace(UNSEEN, show);
}

/** `text` with what turns the reading order round as `show` has it: for the output of programs, whose controls a terminal obeys. */
export function withoutReordering(text: string, show: (character: string) => string): string {
  return MAY_ORDER.test(text) ? text.replace(ORDERING, show) : text;
}

/** `text` with each run of what is not drawn as `sign`: for names of files. */
export function withoutUndrawn(text: string, sign: string): string {
  return text.replace(UNDRAWN, sign);
}

/** `text` without what file systems and readers may pass over. */
export function withoutIgnorable(text: string): string {
  return text.replace(IGNORABLE, '');
}

/** True for a text with a C0 control or DEL in it, line ends and tabs included: no address, path or scheme has one. */
export function hasControls(text: string): boolean {
  return CONTROL_ASCII.test(text);
}

/** `text` with each C0 control, and each other end of a line, as `sign`: for text in a format whose marks they are. */
export function withoutControls(text: string, sign: string): string {
  return text.replace(CONTROLS_AND_LINE_BREAKS, sign);
}

/** `text` with each end of a line as `sign`. */
export function withoutLineBreaks(text: string, sign: string): string {
  return text.replace(LINE_BREAKS, sign);
}

/** True for a text of more than one line, whoever draws it. */
export function hasLineBreak(text: string): boolean {
  return ANY_LINE_BREAK.test(text);
}

/** U+202E */
export function numberOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** One column in every font: Latin, Greek and Cyrillic letters, digits, punctuation; what stands over a letter counts as well. */
const NARROW = /[\u0020-\u052f\u2010-\u2046\u2190-\u21ff]/;
/** Several columns: dashes of two and three ems, ligatures of whole sentences, cuneiform. */
const GIANT = /[\u2e3a\u2e3b\ufdfa-\ufdff]|[\u{12000}-\u{1254f}]/u;

/** Columns that `text` takes on a line, rather too many than too few: any character but the ordinary ones of an alphabet counts as two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    columns += NARROW.test(character) ? 1 : GIANT.test(character) ? 8 : 2;
  }
  return columns;
}
