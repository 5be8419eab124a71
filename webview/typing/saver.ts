/** When what the user is writing is saved. */

/** ms between two saves while changes go on. */
const SAVE_EVERY = 150;

/**
 * Saves soon after a change. A page that is hidden goes without notice, and what it posts in its last moments may not arrive: so the first change
 * after a rest is saved at once, and what can't wait is, too.
 */
export class Saver {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;

  /** @param save calls {@link done} */
  constructor(private readonly save: () => void) {}

  /** @param isUrgent without the pause after the last save; changes made together are still saved together */
  soon(isUrgent = false): void {
    const wait = isUrgent || Date.now() - this.last >= SAVE_EVERY ? 0 : SAVE_EVERY;
    if (this.timer === undefined || wait === 0) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(), wait);
    }
  }

  /** It is saved: nothing waits any more. */
  done(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = Date.now();
  }
}
