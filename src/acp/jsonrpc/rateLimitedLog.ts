/** Remarks about what an agent sends, in the log: shortened, and ever rarer when the same thing keeps happening. */
import type { Log } from '../../core/model/ports';

/** UTF-16 units of somebody else's text in one line of the log. */
const EXCERPT = 200;
/** So often the same remark is logged before only the powers of two are. */
const PLENTY = 16;

export class RateLimitedLog {
  private readonly counts = new Map<string, number>();

  constructor(private readonly log: Log | undefined) {}

  /** False when this one was not logged. */
  tell(what: string, text: string): boolean {
    // Lengths and names in `what` would make every remark a new one.
    const key = what.replace(/\d+/g, '#');
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    const isTold = count <= PLENTY || (count & (count - 1)) === 0;
    if (isTold) {
      const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}… (${text.length})` : text;
      this.log?.warn(`${what}${count > PLENTY ? ` (${count} times)` : ''}: ${excerpt}`);
    }
    return isTold;
  }
}
