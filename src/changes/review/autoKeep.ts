/**
 * Keeps pending changes automatically, depending on the setting: with the next prompt, or some time after the turn. The review itself handles
 * commits.
 */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Review } from './review';

export interface AutoKeepDependencies {
  readonly clock: Clock;
  readonly review: Pick<Review, 'files' | 'keep'>;
  /** The present setting, with its delay in ms. */
  setting(): { readonly when: string; readonly delay: number };
}

export class AutoKeeper implements Disposable {
  private timer: Disposable | undefined;

  constructor(private readonly deps: AutoKeepDependencies) {}

  /** Called when the user has sent the next prompt. The pending changes are older. */
  turnStarted(): void {
    this.stop();
    if (this.deps.setting().when === 'onNextPrompt') {
      this.keepAll();
    }
  }

  /** Called when the changes of a turn, or of an earlier window, are in the review. */
  recorded(): void {
    this.stop();
    const { when, delay } = this.deps.setting();
    if (when === 'afterDelay') {
      this.timer = this.deps.clock.after(delay, () => {
        this.timer = undefined;
        // The setting may have changed meanwhile.
        if (this.deps.setting().when === 'afterDelay') {
          this.keepAll();
        }
      });
    }
  }

  dispose(): void {
    this.stop();
  }

  private stop(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private keepAll(): void {
    const { review } = this.deps;
    review.files.forEach(({ path }) => review.keep(path));
  }
}
