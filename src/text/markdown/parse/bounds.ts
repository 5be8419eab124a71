/**
 * Limits how much of a text is read at once. Markdown's rules search ahead for the end of a construct, so a run of signs without ends takes quadratic
 * time. Therefore inline text is read in stretches with a limited length and number of signs, an excessively long paragraph is split, and nested
 * blocks have a maximum length. `allowance` limits text that hardly has words. Nothing is left out. All numbers are UTF-16 units, unless they count
 * something else. Texts whose paragraphs and formulas stay far below them are not affected.
 */

import { inlineMathAt } from './formulas';

/** The longest part of a paragraph or a quote. The rest becomes another one. */
export const MAX_PART = 16_384;
/** The most units of nested blocks: divided by the square of their depth, since each level reads them again. */
export const MAX_NESTED = 400_000;
/** The longest heading with a line under it, and the longest label of a link definition: each line of an item may begin one. */
export const MAX_HEADING = 2048;
/** The most inline text that is read at once, the most signs in it, and the most runs of emphasis signs, because each run is compared with each. */
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

/** Returns the end of the stretch of `text` that begins at `start`; not within a formula. */
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
    // The lexer tries a longer run from each of its signs.
    if (sign === 2 && (same === 0 || same > 2) && ++runs > MAX_RUNS) {
      return at;
    }
    before = code;
  }
  return last;
}

/**
 * Returns the last offset up to `end` where `text` can be cut. This is before a word and not before `from`; otherwise anywhere but within a
 * character.
 */
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

/** A picture with its data, of any length. */
const PICTURE = /!\[[^[\]\n]{0,1000}\]\(data:image\/[a-z]{1,10};base64,[A-Za-z0-9+/=]*\)?/g;

/** Returns the ranges of pictures with their data in `text`. */
export function picturesIn(text: string): readonly (readonly [start: number, end: number])[] {
  return text.includes('](data:image/')
    ? Array.from(text.matchAll(PICTURE), ({ index, 0: whole }) => [index, index + whole.length] as const)
    : [];
}
