/** The texts of the recorded messages of one role, with their positions in the conversation. Finds the ones that begin another text. */

/** A recorded text. `index`: the entry's position in the record, ascending from text to text. */
export interface RecordedText {
  readonly index: number;
  readonly text: string;
}

/**
 * The most letters that are compared in texts that begin with each other. The search ends there, so that an agent cannot block the window with texts
 * made for it. The replay then adds texts that the record has, and loses nothing.
 */
const MAX_COMPARED = 50_000_000;

export class KnownTexts {
  private compared = 0;
  /** The positions of each text, ascending. */
  private readonly positions = new Map<string, number[]>();
  /** The distinct texts, sorted by UTF-16 units. */
  private readonly sorted: readonly string[];
  /** The longest other text that a text begins with, by its index in `sorted`; -1 for none. */
  private readonly prefix: readonly number[];

  /** @param texts in the record's order; one entry may have several */
  constructor(texts: readonly RecordedText[]) {
    for (const { index, text } of texts) {
      const known = this.positions.get(text);
      if (known) {
        known.push(index);
      } else {
        this.positions.set(text, [index]);
      }
    }
    this.sorted = [...this.positions.keys()].sort((a, b) => (a < b ? -1 : 1));
    const prefix: number[] = [];
    for (let at = 0; at < this.sorted.length; at++) {
      let candidate = at - 1;
      while (candidate >= 0 && !this.sorted[at]!.startsWith(this.sorted[candidate]!)) {
        candidate = prefix[candidate]!;
      }
      prefix.push(candidate);
    }
    this.prefix = prefix;
  }

  /** Returns the known texts that `text` begins with or equals, the longest first. */
  prefixesOf(text: string): string[] {
    const found: string[] = [];
    // A text that `text` begins with is the nearest one before it in the order, or the nearest one begins with it too.
    const nearest = this.after(text) - 1;
    for (let at = nearest; at >= 0 && this.compared < MAX_COMPARED; at = this.prefix[at]!) {
      const known = this.sorted[at]!;
      this.compared += at === nearest ? 1 : known.length;
      if (text.startsWith(known)) {
        found.push(known);
      }
    }
    return found;
  }

  /** Returns the longer known texts that begin with `text`, `limit` at most. */
  continuationsOf(text: string, limit: number): string[] {
    const found: string[] = [];
    for (let at = this.after(text); found.length < limit && this.sorted[at]?.startsWith(text); at++) {
      found.push(this.sorted[at]!);
    }
    return found;
  }

  /** Returns the first position of exactly this text at `from` or later. */
  next(text: string, from: number): number | undefined {
    const known = this.positions.get(text);
    return known?.[lowerBound(known, from)];
  }

  /** Returns the last position of exactly this text before `end`. */
  previous(text: string, end: number): number | undefined {
    const known = this.positions.get(text);
    return known?.[lowerBound(known, end) - 1];
  }

  /** Returns how often exactly this text occurs at `from` or later, and before `end`. */
  count(text: string, from: number, end: number): number {
    const known = this.positions.get(text);
    return known ? lowerBound(known, end) - lowerBound(known, from) : 0;
  }

  /** Returns the index in `sorted` of the first text that comes after `text`. */
  private after(text: string): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle]! <= text) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Returns the index of the first of these ascending numbers that is `least` or more. */
export function lowerBound(numbers: readonly number[], least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < least) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
