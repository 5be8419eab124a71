/** ms of work after which the event loop gets a turn. */
const SLICE_MS = 8;

/** Divides a burst of small tasks, such as hashing thousands of files, so that it never blocks the event loop. */
export class TimeSlices {
  private since = 0;
  private waiting: (() => void)[] = [];
  private isRunning = false;

  /** True while a caller waits for its slice. */
  get isBusy(): boolean {
    return this.isRunning;
  }

  /** Resolves in the current slice, or in a later one when the current slice is used up. Callers continue in order. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (!this.isRunning) {
        this.isRunning = true;
        void this.run();
      }
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const callers = this.waiting;
      this.waiting = [];
      for (const resume of callers) {
        if (performance.now() - this.since > SLICE_MS) {
          await new Promise<void>((resolve) => setImmediate(resolve));
          this.since = performance.now();
        }
        resume();
        // The caller works before the next check of the time.
        await Promise.resolve();
      }
    }
    this.isRunning = false;
  }
}
