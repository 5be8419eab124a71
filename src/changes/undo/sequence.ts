/** Works that run one after the other. */
export class Sequence {
  private last: Promise<unknown> = Promise.resolve();
  private open = 0;

  /** True while a work runs or waits. */
  get isBusy(): boolean {
    return this.open > 0;
  }

  /** Runs the work after the earlier ones, whether they failed or not. @throws what the work throws */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.open++;
    const done = this.last.then(work).finally(() => this.open--);
    this.last = done.catch(() => undefined);
    return done;
  }
}
