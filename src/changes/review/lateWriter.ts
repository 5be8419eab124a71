import type { Clock, Disposable } from '../../core/model/ports';

/** Writes what changes often: some time after the first change that is not written, one after the other. */
export class LateWriter implements Disposable {
  private timer: Disposable | undefined;
  private writing: Promise<void> = Promise.resolve();

  /** @param delay ms @param write what failed to be written is written with the next change */
  constructor(
    private readonly clock: Clock,
    private readonly delay: number,
    private readonly write: () => Promise<void>,
  ) {}

  changed(): void {
    this.timer ??= this.clock.after(this.delay, () => void this.flush());
  }

  /** All of it is on disk when this resolves. Never rejects. */
  async flush(): Promise<void> {
    this.dispose();
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write()).catch(() => undefined);
    await this.writing;
  }

  /** Nothing is written by itself any more. */
  dispose(): void {
    this.timer?.dispose();
  }
}
