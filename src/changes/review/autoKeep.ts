/** Keeps what waits without the user, where they want that: with their next prompt, or some time after the turn. Commits are told to the review itself. */
import type { Clock, Disposable } from '../../core/model/ports';
import type { Review } from './review';

export interface AutoKeepDependencies {
  readonly clock: Clock;
  readonly review: Pick<Review, 'files' | 'keep'>;
  /** As it is set at that moment; ms. */
  setting(): { readonly when: string; readonly delay: number };
}

export class AutoKeeper implements Disposable {
  private timer: Disposable | undefined;

  constructor(private readonly ports: AutoKeepDependencies) {}

  /** The user has sent the next prompt: what waited is from before it. */
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
        // It may be set otherwise by now.
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
