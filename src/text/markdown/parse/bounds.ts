/**
 * How much of a text is looked at at once. Markdown's rules look ahead for the end of what a sign begins, so that a run of signs without ends costs
 * the square of its length. So what is in a line is read in stretches of bounded length and with a bounded number of signs, a paragraph that nobody
 * could have written goes on in another, and what is nested is only so long. What hardly has words is bounded by `allowance`. Nothing is left out.
 * All numbers are UTF-16 units, unless they count something else. A text whose paragraphs and formulas stay far below them is lexed as ever.
 */

import { inlineMathAt } from '../formulas';

/** Of a paragraph or a quote; the rest is another one. */
export const MAX_PART = 16_384;
/** Of what is nested: divided by the square of its depth, since each level reads it again. */
export const MAX_NESTED = 400_000;
/** Of a heading with a line under it, and of the name of a link's definition: each line of an item may begin one. */
export const MAX_HEADING = 2048;
/** What is read at once of what is in a line, how many signs it has at most, and how many runs of those that emphasise: each is compared with each. */
export const MAX_STRETCH = 4096;
const MAX_SIGNS = 128;
const MAX_RUNS = 24;

const SIGN = new Uint8Array(128);
for (const sign of '\\<![]`$@') {
  SIGN[sign.charCodeAt(0)] = 1;
}
for (const sign of '*_~') {
  SIGN[sign.charCodeAt(0)] = 2;
}

/** Where the stretch of `text` ends that begins at `start`; not in a formula. */
export function stretchEnd(text: string, start: number): number {
  let last = Math.min(text.length, start + MAX_STRETCH);
  let signs = 0;
  let runs = 0;
  for (let at = start, before = 0, same = 0; at < last; at++) {
    const code = text.charCodeAt(at);
    const sign = code < 128 ? SIGN[code] : 0;
    if (sign === 1 && ++signs > MAX_SIGNS) {
      return at;
    }
    const formula =
      code === 0x24 || (code === 0x5c && text.charCodeAt(at + 1) === 0x28) ? inlineMathAt(text.slice(at), text[at - 1] ?? '') : undefined;
    if (formula) {
      at += formula.raw.length - 1;
      last = Math.max(last, at + 1);
    }
    same = code === before ? same + 1 : 0;
    // A longer run is tried from each of its signs.
    if (sign === 2 && (same === 0 || same > 2) && ++runs > MAX_RUNS) {
      return at;
    }
    before = code;
  }
  return last;
}

/** The last place up to `end` where `text` can be cut: before a word, not before `from`; else anywhere but in a character. */
export function cutBefore(text: string, from: number, end: number): number {
  for (let at = end; at > from; at--) {
    if (isSpace(text.charCodeAt(at - 1)) && !isSpace(text.charCodeAt(at))) {
      return at;
    }
  }
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff && end - 1 > from ? end - 1 : end;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09;
}

/** A picture with its data, which is as long as it is. */
const PICTURE = /!\[[^[\]\n]{0,1000}\]\(data:image\/[a-z]{1,10};base64,[A-Za-z0-9+/=]*\)?/g;

/** Where pictures with their data stand in `text`. */
export function picturesIn(text: string): readonly (readonly [start: number, end: number])[] {
  return text.includes('](data:image/')
    ? Array.from(text.matchAll(PICTURE), ({ index, 0: whole }) => [index, index + whole.length] as const)
    : [];
}
