/** Schedules when the user's input is saved. */

/** ms between two saves while changes continue. */
const SAVE_EVERY = 150;

/**
 * Saves soon after a change. A hidden page is destroyed without notice, and its last messages may not arrive. So the first change after a pause, and
 * an urgent one, are saved at once.
 */
export class Saver {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;

  /** @param save must call {@link done} */
  constructor(private readonly save: () => void) {}

  /** @param isUrgent skips the pause after the last save; changes of the same task are still saved together */
  soon(isUrgent = false): void {
    const wait = isUrgent || Date.now() - this.last >= SAVE_EVERY ? 0 : SAVE_EVERY;
    if (this.timer === undefined || wait === 0) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(), wait);
    }
  }

  /** The input was saved: cancels a scheduled save. */
  done(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = Date.now();
  }
}
