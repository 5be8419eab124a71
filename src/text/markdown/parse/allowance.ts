/**
 * What a text may ask of the lexer and the page. Each unit of it earns a little; lines, markers of lists, cells and signs spend it, since each is an
 * element, or a try to find one. Whoever writes for readers never runs out. Of a text of hardly anything else some is shown as it was written until
 * enough is earned again, so that a text costs in proportion to its length. What a place has left follows from the text before it alone.
 */
import type { Token } from 'marked';

/** What a sign spends, when a UTF-16 unit earns 1. */
const COST = 7;
/** What each text begins with, and what it has again after some was shown as it was written. */
export const START = 1500 * COST;
const AGAIN = START / 4;
/** UTF-16 units of a line that are lexed although nothing is left. */
const MAX_REST = 512;
/** A block that is hardly lexed, whatever it has in it: code, HTML, a formula. */
const BLOCK = 8;

const WEIGHT = new Uint8Array(128);
for (const sign of '\\![]$|`:') {
  WEIGHT[sign.charCodeAt(0)] = 1;
}
for (const sign of '\n-+>.)@*_~<') {
  WEIGHT[sign.charCodeAt(0)] = 2;
}
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || Number.isNaN(code);

/** What the unit at `at` spends, told from its neighbours alone. */
function weightAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const weight = code < 128 ? WEIGHT[code]! : 0;
  if (weight === 0) {
    return 0;
  }
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at + 1);
  switch (code) {
    case 0x0a: // a blank line is no element
      return after === code ? 0 : weight;
    case 0x2a: // *, _, ~ and `: a run is one
    case 0x5f:
    case 0x7e:
    case 0x60:
      return before === code ? 0 : weight;
    case 0x2d: // - and +: of a list
    case 0x2b:
      return isBlank(before) && isBlank(after) ? weight : 0;
    case 0x3e: // of a quote
      return isBlank(before) || before === code ? weight : 0;
    case 0x2e: // 1. and 1), and www.
    case 0x29:
      return code === 0x2e && before === 0x77 ? 3 : before >= 0x30 && before <= 0x39 && isBlank(after) ? weight : 0;
    case 0x5c: // a letter cannot be escaped: TeX
      return (after | 32) >= 0x61 && (after | 32) <= 0x7a ? 0 : weight;
    case 0x5d: // of a link
      return after === 0x28 ? 3 : weight;
    case 0x3a: // http://
      return after === 0x2f ? 3 : weight;
    default:
      return weight;
  }
}

/** What `text` earns, less what it spends. */
export function earned(text: string): number {
  let sum = text.length;
  for (let at = 0; at < text.length; at++) {
    sum -= COST * weightAt(text, at);
  }
  return sum;
}

/** What was left where a block begins, for the blocks of a document. */
const LEFT = new WeakMap<Token, number>();

export function leftAt(token: Token): number | undefined {
  return LEFT.get(token);
}

/** The allowance of one document while its blocks are lexed, one after the other. */
export class Allowance {
  /** Where the block begins that is lexed now. */
  private start = 0;
  /** Up to where it is known what is left, and how much. */
  private known = 0;
  private leftAtStart: number;

  constructor(
    private readonly text: string,
    private left: number,
  ) {
    this.leftAtStart = left;
  }

  /** What all blocks so far have spent. */
  spent = 0;

  /** The next block begins at `start`; `last` is the one before. */
  next(start: number, last: Token | undefined): void {
    if (start > this.start && last) {
      if (!LEFT.has(last)) {
        LEFT.set(last, this.leftAtStart);
      }
      const balance = isLight(last) ? start - this.start - BLOCK * COST : earned(this.text.slice(this.start, start));
      this.leftAtStart += balance;
      this.spent += start - this.start - balance;
      // What was known beyond is known still, but for what turned out to be light.
      if (this.known <= start) {
        this.left = this.leftAtStart;
      } else if (isLight(last)) {
        this.left += balance - earned(this.text.slice(this.start, start));
      }
      this.known = Math.max(this.known, start);
      this.start = start;
    }
  }

  /** Where the block has to end that begins now: Infinity for anywhere, and where it begins for at once. */
  end(): number {
    if (this.leftAtStart <= 0) {
      return this.start;
    }
    while (this.left > 0 && this.known < this.text.length) {
      this.left += 1 - COST * weightAt(this.text, this.known++);
    }
    if (this.left > 0 || this.known >= this.text.length) {
      return Infinity;
    }
    // With the line, if that is short.
    return this.known + this.text.slice(this.known, this.known + MAX_REST).indexOf('\n') + 1;
  }

  /** How many units have to be shown as they are now. */
  get pause(): number {
    return AGAIN - this.leftAtStart;
  }
}

function isLight(token: Token): boolean {
  return token.type === 'code' || token.type === 'html' || token.type === 'math' || (token as { plain?: boolean }).plain === true;
}
