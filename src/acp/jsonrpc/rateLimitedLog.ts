/** Logs remarks about an agent's messages: shortened, and less often when the same remark is repeated. */
import type { Log } from '../../core/platform/log';

/** UTF-16 units of the agent's text in one line of the log. */
const EXCERPT = 200;
/** The same message is logged this often; after that, only when its count is a power of two. */
const MAX_REPEATS = 16;

export class RateLimitedLog {
  private readonly counts = new Map<string, number>();

  constructor(private readonly log: Log | undefined) {}

  /** Returns false when this remark was not logged. */
  warn(what: string, text: string): boolean {
    // Lengths and names in `what` would make every remark a different one.
    const key = what.replace(/\d+/g, '#');
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    const isLogged = count <= MAX_REPEATS || (count & (count - 1)) === 0;
    if (isLogged) {
      const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}… (${text.length})` : text;
      this.log?.warn(`${what}${count > MAX_REPEATS ? ` (${count} times)` : ''}: ${excerpt}`);
    }
    return isLogged;
  }
}
