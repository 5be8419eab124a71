/**
 * Decides how often the open end of a growing text is lexed again. A short end always is. A long end, which normal prose does not have, waits until
 * enough text has come to pay for it. So a text costs in proportion to its length, in any number of pieces.
 */

/** UTF-16 units that each piece pays for, and each unit of a piece. */
const PER_PIECE = 1024;
const PER_UNIT = 1;
/** The least cost of a unit, such as one of code. */
const MIN_WEIGHT = 0.5;
/** The most UTF-16 units that can be saved up. */
const MAX_SAVED = 32_768;
/** The number of restarts without a cost check, and the growth of the text that each later one requires. */
const FREE_RESTARTS = 16;
const GROWTH = 1.25;

export class RelexPolicy {
  private saved = MAX_SAVED;
  private restarts = 0;
  private restartAt = 0;

  /** Adds the units that a piece of `length` pays for. */
  earn(length: number): void {
    this.saved = Math.min(MAX_SAVED, this.saved + PER_PIECE + PER_UNIT * length);
    this.waiting += PER_PIECE + PER_UNIT * length;
  }

  /** The units earned since the last lex. They pay for a text longer than can be saved up. */
  private waiting = 0;

  /** The cost per unit of the text that was lexed last, compared with words: the allowance that it spent for each unit. */
  private weight = 1;

  /** Records that lexing `length` units spent `spent`. */
  weigh(spent: number, length: number): void {
    this.weight = length < PER_PIECE ? 1 : Math.max(MIN_WEIGHT, spent / length);
  }

  /** True when `units` may be lexed now; they are then paid. */
  affords(units: number): boolean {
    const length = units * this.weight;
    if (length > PER_PIECE && length > this.saved && length > this.waiting) {
      return false;
    }
    this.saved = Math.max(0, this.saved - length);
    this.waiting = 0;
    return true;
  }

  /** True when a text of `length` may be lexed from its beginning now. */
  affordsRestart(length: number): boolean {
    if (this.restarts >= FREE_RESTARTS && length < this.restartAt) {
      return false;
    }
    this.restarts++;
    this.restartAt = length * GROWTH;
    return true;
  }
}
