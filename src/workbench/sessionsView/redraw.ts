/**
 * Whether VS Code knows the rows that it shows. Once it is told to ask for rows again it has forgotten them until it has asked: what is selected is not told
 * meanwhile, and a command of a menu comes without its row. Pure.
 */
import type { Clock } from '../../core/model/ports';

/** ms without a question after which all that are shown were asked for. */
const QUIET_MS = 100;
/** ms that somebody waits for it. */
const TIMEOUT_MS = 2000;

export class Redraw {
  private isAwaited = false;
  private askedAt = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** VS Code is told to ask for what is in a row again. */
  begun(): void {
    this.isAwaited = true;
  }

  /** It has asked for what is in a row. */
  asked(): void {
    this.isAwaited = false;
    this.askedAt = this.clock.now();
  }

  get isOver(): boolean {
    return !this.isAwaited && this.clock.now() - this.askedAt >= QUIET_MS;
  }

  /** False when it is not over in time, as of a tree that was hidden meanwhile. */
  async over(): Promise<boolean> {
    for (const until = this.clock.now() + TIMEOUT_MS; !this.isOver && this.clock.now() < until; ) {
      await new Promise<void>((resolve) => void this.clock.after(QUIET_MS / 4, resolve));
    }
    return this.isOver;
  }
}
