/**
 * Detects when the user is idle. A quick pick takes the keyboard, so one may open only after a while without a key, an edit or a move of the
 * selection. Later keys are then meant for the pick.
 */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';

/** ms without activity after which the user counts as idle. */
export const QUIET_MS = 1_000;

export class IdleDetector {
  private activeUntil: number;

  /** Starts as if the user had just been active, because earlier activity is unknown. */
  constructor(
    private readonly clock: Clock,
    private readonly quietMs = QUIET_MS,
  ) {
    this.activeUntil = clock.now();
  }

  /** Records activity. `uncertainMs`: the last activity was at most this long after now, because its reporter does not report each key. */
  touch(uncertainMs = 0): void {
    this.activeUntil = Math.max(this.activeUntil, this.clock.now() + uncertainMs);
  }

  /** ms until the user counts as idle; 0 when they do. */
  get remainingMs(): number {
    const now = this.clock.now();
    // A clock that was set back must not delay a request for hours.
    this.activeUntil = Math.min(this.activeUntil, now + this.quietMs);
    return Math.max(0, this.activeUntil + this.quietMs - now);
  }

  /** Calls `callback` once when the user is idle; activity postpones it. Disposing cancels it. */
  whenIdle(callback: () => void): Disposable {
    let timer: Disposable | undefined;
    const wait = () => {
      timer = this.clock.after(this.remainingMs, () => (this.remainingMs > 0 ? wait() : callback()));
    };
    wait();
    return { dispose: () => timer?.dispose() };
  }
}
