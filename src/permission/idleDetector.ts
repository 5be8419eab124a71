/**
 * Whether the user's hands are still. A quick pick takes the keyboard wherever it is, so one may open only after a while without a key,
 * an edit or a move of the selection: what the user types next is then meant for the pick.
 */
import type { Clock, Disposable } from '../core/model/ports';

/** ms without activity that count as quiet. */
export const QUIET_MS = 1_000;

export class IdleDetector {
  private activeUntil: number;

  /** Begins as if something had just happened: nobody knows what the user did before. */
  constructor(
    private readonly clock: Clock,
    private readonly quietMs = QUIET_MS,
  ) {
    this.activeUntil = clock.now();
  }

  /**
   * The user did something. `uncertainMs`: it is known only that the last of it was at most this much after now, because its reporter
   * does not report every key.
   */
  touch(uncertainMs = 0): void {
    this.activeUntil = Math.max(this.activeUntil, this.clock.now() + uncertainMs);
  }

  /** ms until it is quiet; 0 when it is. */
  get remainingMs(): number {
    const now = this.clock.now();
    // A clock set back must not keep a request waiting for hours.
    this.activeUntil = Math.min(this.activeUntil, now + this.quietMs);
    return Math.max(0, this.activeUntil + this.quietMs - now);
  }

  /** Calls once it has been quiet; activity in between postpones it. Disposing forgets it. */
  whenIdle(callback: () => void): Disposable {
    let timer: Disposable | undefined;
    const wait = () => {
      timer = this.clock.after(this.remainingMs, () => (this.remainingMs > 0 ? wait() : callback()));
    };
    wait();
    return { dispose: () => timer?.dispose() };
  }
}
