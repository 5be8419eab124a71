/**
 * Limits the work that a text causes in the lexer and the page. Each unit of the text earns a little. Lines, list markers, cells and signs spend it,
 * since each becomes an element or an attempt to find one. Texts for readers never exhaust it. Parts of other texts are shown as written until enough
 * is earned again, so that a text costs in proportion to its length. The remaining allowance at an offset depends only on the text before it.
 */
import type { Token } from 'marked';

/** The cost of a sign, when a UTF-16 unit earns 1. */
const COST = 7;
/** The allowance at the beginning of a text, and after a part was shown as written. */
export const START = 1500 * COST;
const AGAIN = START / 4;
/** UTF-16 units of a line that are lexed although the allowance is exhausted. */
const MAX_REST = 512;
/** The cost of a block that needs little lexing, whatever it contains: code, HTML, a formula. */
const BLOCK = 8;

const WEIGHT = new Uint8Array(128);
for (const sign of '\\![]$|`:') {
  WEIGHT[sign.charCodeAt(0)] = 1;
}
for (const sign of '\n-+>.)@*_~<') {
  WEIGHT[sign.charCodeAt(0)] = 2;
}
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || Number.isNaN(code);

/** Returns the weight of the unit at `at`, which depends only on its neighbours. */
function weightAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const weight = code < 128 ? WEIGHT[code]! : 0;
  if (weight === 0) {
    return 0;
  }
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at + 1);
  switch (code) {
    case 0x0a: // A blank line is not an element.
      return after === code ? 0 : weight;
    case 0x2a: // A run of *, _, ~ or ` counts once.
    case 0x5f:
    case 0x7e:
    case 0x60:
      return before === code ? 0 : weight;
    case 0x2d: // A list's - or +.
    case 0x2b:
      return isBlank(before) && isBlank(after) ? weight : 0;
    case 0x3e: // A quote's >.
      return isBlank(before) || before === code ? weight : 0;
    case 0x2e: // 1. and 1), and www.
    case 0x29:
      return code === 0x2e && before === 0x77 ? 3 : before >= 0x30 && before <= 0x39 && isBlank(after) ? weight : 0;
    case 0x5c: // A backslash before a letter belongs to TeX, because letters cannot be escaped.
      return (after | 32) >= 0x61 && (after | 32) <= 0x7a ? 0 : weight;
    case 0x5d: // A link.
      return after === 0x28 ? 3 : weight;
    case 0x3a: // http://
      return after === 0x2f ? 3 : weight;
    default:
      return weight;
  }
}

/** Returns the units that `text` earns minus those that it spends. */
export function earned(text: string): number {
  let sum = text.length;
  for (let at = 0; at < text.length; at++) {
    sum -= COST * weightAt(text, at);
  }
  return sum;
}

/** The remaining allowance at the beginning of a block, for the blocks of a document. */
const LEFT = new WeakMap<Token, number>();

export function leftAt(token: Token): number | undefined {
  return LEFT.get(token);
}

/** The allowance of one document while its blocks are lexed, one after the other. */
export class LexBudget {
  /** The offset of the block that is being lexed. */
  private start = 0;
  /** The offset up to which the remaining allowance is known, and its value. */
  private known = 0;
  private leftAtStart: number;

  constructor(
    private readonly text: string,
    private left: number,
  ) {
    this.leftAtStart = left;
  }

  /** The units that all blocks so far have spent. */
  spent = 0;

  /** Begins the next block at `start`. `last` is the block before it. */
  next(start: number, last: Token | undefined): void {
    if (start > this.start && last) {
      if (!LEFT.has(last)) {
        LEFT.set(last, this.leftAtStart);
      }
      const balance = isLight(last) ? start - this.start - BLOCK * COST : earned(this.text.slice(this.start, start));
      this.leftAtStart += balance;
      this.spent += start - this.start - balance;
      // The value beyond `start` stays known, except for the difference of a block that turned out to be light.
      if (this.known <= start) {
        this.left = this.leftAtStart;
      } else if (isLight(last)) {
        this.left += balance - earned(this.text.slice(this.start, start));
      }
      this.known = Math.max(this.known, start);
      this.start = start;
    }
  }

  /** Returns the offset at which the current block must end: Infinity when anywhere, and the block's own offset when at once. */
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
    // Includes the rest of the line, if that is short.
    return this.known + this.text.slice(this.known, this.known + MAX_REST).indexOf('\n') + 1;
  }

  /** The number of units that must be shown as written now. */
  get pause(): number {
    return AGAIN - this.leftAtStart;
  }
}

function isLight(token: Token): boolean {
  return token.type === 'code' || token.type === 'html' || token.type === 'math' || (token as { plain?: boolean }).plain === true;
}
