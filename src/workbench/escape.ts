/**
 * Text of somebody else (an agent, a command line, a path) made safe to show in VS Code's own surfaces: one line, bounded, with nothing in it
 * that VS Code would draw as an icon, that would turn the reading order round, or that could not be seen.
 */

/** `$(name)` is an icon to VS Code; a word joiner, which has no width and allows no break, keeps the two apart wherever it is shown. */
const ICON_BREAK = '$\u2060(';

/**
 * Invisible or direction-changing: soft hyphen, Arabic letter mark, Mongolian vowel separator, zero-width characters, marks, embeddings,
 * overrides and isolates, invisible operators, BOM, interlinear annotations, variation selectors (plain and supplementary), tags, Hangul
 * fillers, Braille blank. Not the one that makes emoji of symbols.
 */
const HIDDEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Joiner and non-joiner, which several scripts and emoji are written with, anywhere but after such a character. */
const STRAY_JOINER = /(?<!(?!\p{ASCII})[\p{L}\p{M}\p{Emoji}\ufe0f])[\u200c\u200d]/gu;

/** C0, DEL and C1 controls, line and paragraph separators. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * `text` as one visible line of at most `max` UTF-16 units. Too long: the middle is left out and counted, because both ends of a command
 * matter. Cut first, so that escaping a huge text costs little; the escapes may then make it longer than `max`, never more than 8 times.
 */
export function visible(text: string, max = Infinity): string {
  return visibleLine(cut(text, max)).replace(/\$\(/g, ICON_BREAK).trim();
}

/** `text` as one visible line for a place that draws no icons. */
export function visibleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '⏎')
    .replace(/\t/g, ' ')
    .replace(CONTROL, showControl)
    .replace(HIDDEN, showCodePoint)
    .replace(STRAY_JOINER, showCodePoint);
}

/** `text` with its middle left out when it is longer than `max` UTF-16 units; never cut inside a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const head = Math.ceil(max * 0.6);
  const start = text.slice(0, splitsPair(text, head) ? head - 1 : head);
  const tail = text.length - (max - head);
  const end = text.slice(splitsPair(text, tail) ? tail + 1 : tail);
  return `${start} …(+${text.length - start.length - end.length})… ${end}`;
}

/** True when a cut before `index` would part a surrogate pair. */
function splitsPair(text: string, index: number): boolean {
  return index > 0 && index < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1));
}

function showControl(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : showCodePoint(character);
}

function showCodePoint(character: string): string {
  return `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;
}
