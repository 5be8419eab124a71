/**
 * Tracks whether VS Code knows the rows that it shows. After a refresh event VS Code reports no selection and runs menu commands without a row,
 * until it has fetched the rows again. Pure.
 */
import type { Clock } from '../../core/platform/clock';

/** The time in ms without a request after which all visible rows were fetched. */
const QUIET_MS = 100;
/** The time in ms that a caller waits for the refresh. */
const TIMEOUT_MS = 2000;

export class TreeRefresh {
  private isAwaited = false;
  private fetchedAt = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** VS Code was asked to fetch a row's children again. */
  requested(): void {
    this.isAwaited = true;
  }

  /** VS Code has fetched a row's children. */
  rowsFetched(): void {
    this.isAwaited = false;
    this.fetchedAt = this.clock.now();
  }

  get isOver(): boolean {
    return !this.isAwaited && this.clock.now() - this.fetchedAt >= QUIET_MS;
  }

  /** Resolves when the refresh is over. False when it is not over in time, for example because the tree was hidden meanwhile. */
  async settled(): Promise<boolean> {
    for (const until = this.clock.now() + TIMEOUT_MS; !this.isOver && this.clock.now() < until; ) {
      await new Promise<void>((resolve) => void this.clock.after(QUIET_MS / 4, resolve));
    }
    return this.isOver;
  }
}
