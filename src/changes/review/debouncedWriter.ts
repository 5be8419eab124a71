import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';

/** Writes a state that changes often, some time after the first unwritten change. Writes never overlap. */
export class DebouncedWriter implements Disposable {
  private timer: Disposable | undefined;
  private writing: Promise<void> = Promise.resolve();
  /** True when the newest write has failed, so that the state on disk is old. */
  private hasFailed = false;
  private isDisposed = false;

  /**
   * @param delay ms
   * @param write writes the state at the time of the call
   * @param onFailed called for a failed write, unless the write before it failed, too. The next change is written again
   */
  constructor(
    private readonly clock: Clock,
    private readonly delay: number,
    private readonly write: () => Promise<void>,
    private readonly onFailed?: (error: unknown) => void,
  ) {}

  changed(): void {
    if (!this.isDisposed) {
      this.timer ??= this.clock.after(this.delay, () => void this.flush());
    }
  }

  /** Resolves when the state is on disk, or could not be written. Never rejects. */
  async flush(): Promise<void> {
    this.timer?.dispose();
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writeNow());
    await this.writing;
  }

  /** Writes a pending change at once. Later changes are not written. */
  dispose(): void {
    this.isDisposed = true;
    if (this.timer || this.hasFailed) {
      void this.flush();
    }
  }

  private async writeNow(): Promise<void> {
    try {
      await this.write();
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) {
        this.hasFailed = true;
        this.onFailed?.(error);
      }
    }
  }
}
