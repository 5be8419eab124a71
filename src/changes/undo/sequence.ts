/** Runs tasks one after the other. */
export class Sequence {
  private last: Promise<unknown> = Promise.resolve();
  private open = 0;

  /** True while a task runs or waits. */
  get isBusy(): boolean {
    return this.open > 0;
  }

  /** Runs the task after the earlier ones, even if they failed. @throws the task's error */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.open++;
    const done = this.last.then(work).finally(() => this.open--);
    this.last = done.catch(() => undefined);
    return done;
  }
}
