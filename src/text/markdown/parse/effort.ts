/**
 * How often the open end of a text that grows is lexed again. A short end always is. A long one, which nobody's prose has, waits until enough has
 * come to pay for it, so that all of a text costs in proportion to its length, in however many pieces it comes.
 */

/** UTF-16 units that each piece pays for, and each unit of a piece. */
const PER_PIECE = 1024;
const PER_UNIT = 1;
/** What a unit costs at least, of code for example. */
const LEAST = 0.5;
/** UTF-16 units that can be saved up. */
const MOST = 32_768;
/** How often a text may be lexed from its beginning whatever it costs, and by how much it has to grow after that. */
const FREE_RESTARTS = 16;
const GROWTH = 1.25;

export class Effort {
  private saved = MOST;
  private restarts = 0;
  private restartAt = 0;

  /** A piece of `length` has come. */
  earn(length: number): void {
    this.saved = Math.min(MOST, this.saved + PER_PIECE + PER_UNIT * length);
    this.waiting += PER_PIECE + PER_UNIT * length;
  }

  /** What has come since something was lexed: a text longer than could be saved up is paid by it. */
  private waiting = 0;

  /** How much more than words the text costs that was lexed last: what it spent of its allowance for each unit. */
  private weight = 1;

  /** `length` units were lexed, and spent that much. */
  weigh(spent: number, length: number): void {
    this.weight = length < PER_PIECE ? 1 : Math.max(LEAST, spent / length);
  }

  /** Whether `units` may be lexed now; if so, it is paid. */
  affords(units: number): boolean {
    const length = units * this.weight;
    if (length > PER_PIECE && length > this.saved && length > this.waiting) {
      return false;
    }
    this.saved = Math.max(0, this.saved - length);
    this.waiting = 0;
    return true;
  }

  /** Whether a text of `length` may be lexed from its beginning now. */
  affordsRestart(length: number): boolean {
    if (this.restarts >= FREE_RESTARTS && length < this.restartAt) {
      return false;
    }
    this.restarts++;
    this.restartAt = length * GROWTH;
    return true;
  }
}
