/**
 * Text of somebody else (an agent, a command line, a path) made safe to show in VS Code's own surfaces: one line, bounded, with nothing in it
 * that VS Code would draw as an icon, that would turn the reading order round, or that could not be seen.
 */
import { numberOf, withoutUnseen } from '../core/characters';

/** `$(name)` is an icon to VS Code; a word joiner, which has no width and allows no break, keeps the two apart wherever it is shown. */
const ICON_BREAK = '$\u2060(';

/**
 * `text` as one visible line of at most `max` UTF-16 units. Too long: the middle is left out and counted, because both ends of a command
 * matter. Cut first, so that escaping a huge text costs little; the escapes may then make it longer than `max`, never more than 8 times.
 */
export function visible(text: string, max = Infinity): string {
  return visibleLine(cut(text, max)).replace(/\$\(/g, ICON_BREAK).trim();
}

/** `text` as one visible line for a place that draws no icons. */
export function visibleLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '⏎')
    .replace(/\t/g, ' ');
  return withoutUnseen(line, show);
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

/** A control has a picture, everything else its number. */
function show(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : `‹${numberOf(character)}›`;
}
