/** ms of work after which the event loop gets a turn. */
const SLICE_MS = 8;

/** Divides a burst of small work, such as hashing thousands of files, so that it never holds the event loop. */
export class TimeSlices {
  private since = 0;
  private pause: Promise<void> | undefined;
  private callers = 0;

  /** True while a caller waits for its slice. */
  get isBusy(): boolean {
    return this.callers > 0;
  }

  /** Resolves in the current slice, or in a later one when the current slice is used up. */
  async next(): Promise<void> {
    this.callers++;
    while (performance.now() - this.since > SLICE_MS) {
      await (this.pause ??= this.turn());
    }
    this.callers--;
  }

  private async turn(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.pause = undefined;
    this.since = performance.now();
  }
}
