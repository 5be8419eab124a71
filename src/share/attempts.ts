/** The rate of attempts with wrong tokens. */

/** Wrong attempts that are answered at once, by source. */
const MAX_ATTEMPTS = 10;
/** ms after which one more attempt is allowed */
const PAUSE_MS = 6000;
/** The maximum number of sources. Beyond it all further ones share one count. */
const MAX_SOURCES = 500;
const OTHERS = 'others';

interface Count {
  attempts: number;
  at: number;
}

/**
 * Counts the wrong attempts of each source. A source is the id of an access whose secret was wrong, or an address without such an id. Attempts that
 * know no id must not lock out the user, who shares the address with every other user of this machine.
 */
export class Attempts {
  private readonly counts = new Map<string, Count>();

  constructor(private readonly now: () => number) {}

  /** True when the source must wait, so that its token is not even checked. */
  isBlocked(source: string): boolean {
    return this.current(source).attempts >= MAX_ATTEMPTS;
  }

  addWrong(source: string): void {
    const count = this.current(source);
    count.attempts++;
    this.counts.set(this.nameOf(source), count);
  }

  private nameOf(source: string): string {
    return this.counts.has(source) || this.counts.size < MAX_SOURCES ? source : OTHERS;
  }

  private current(source: string): Count {
    const count = this.counts.get(this.nameOf(source)) ?? { attempts: 0, at: this.now() };
    const forgiven = Math.floor((this.now() - count.at) / PAUSE_MS);
    if (forgiven > 0) {
      count.attempts = Math.max(0, count.attempts - forgiven);
      count.at += forgiven * PAUSE_MS;
    }
    return count;
  }
}
