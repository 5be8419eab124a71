/** Keeps pending changes without the user, as the setting says: with the next prompt, or some time after the turn. Commits go to the review itself. */
import type { Clock, Disposable } from '../../core/model/ports';
import type { Review } from './review';

export interface AutoKeepDependencies {
  readonly clock: Clock;
  readonly review: Pick<Review, 'files' | 'keep'>;
  /** The present setting, with its delay in ms. */
  setting(): { readonly when: string; readonly delay: number };
}

export class AutoKeeper implements Disposable {
  private timer: Disposable | undefined;

  constructor(private readonly ports: AutoKeepDependencies) {}

  /** The user has sent the next prompt: the pending changes are older. */
  turnStarted(): void {
    this.stop();
    if (this.ports.setting().when === 'onNextPrompt') {
      this.keepAll();
    }
  }

  /** A turn's changes are in the review, or those of an earlier window are. */
  recorded(): void {
    this.stop();
    const { when, delay } = this.ports.setting();
    if (when === 'afterDelay') {
      this.timer = this.ports.clock.after(delay, () => {
        this.timer = undefined;
        // The setting may have changed meanwhile.
        if (this.ports.setting().when === 'afterDelay') {
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
    const { review } = this.ports;
    review.files.forEach(({ path }) => review.keep(path));
  }
}
