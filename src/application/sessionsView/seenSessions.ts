/**
 * The sessions of this window with a result that the user has not seen. A result counts as seen while its session is in sight. Independent of VS
 * Code.
 */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { isBusy } from '../../core/model/select';
import { DisposableStore, toDisposable } from '../../util/disposable';
import { Listeners } from '../../core/platform/listeners';
import type { LiveMarks } from './liveMarks';
import { isUnread, LiveOutcomes, type LiveSession } from './sessionFacts';

export interface SeenSessionsDependencies {
  readonly clock: Clock;
  readonly sessions: { readonly all: readonly LiveSession[]; onChange(listener: () => void): Disposable };
  readonly marks: Pick<LiveMarks, 'of' | 'mark' | 'onDidChange'>;
  /** True when the session is on the screen of a focused window. */
  isInSight(key: string): boolean;
}

/** The time in ms in which changes are handled together. */
const LOOK_MS = 200;

export class SeenSessions implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly listeners = new Listeners<[]>();
  private readonly outcomes = new LiveOutcomes();
  private unread: ReadonlySet<string> = new Set();
  /** The keys of sessions that the user marked as unread while they were in sight. */
  private readonly held = new Set<string>();
  private looking: Disposable | undefined;

  constructor(private readonly deps: SeenSessionsDependencies) {
    this.owned.add(deps.sessions.onChange(() => this.changed()));
    this.owned.add(deps.marks.onDidChange(() => this.changed()));
    this.owned.add(toDisposable(() => this.looking?.dispose()));
    this.changed();
  }

  dispose(): void {
    this.owned.dispose();
    this.listeners.clear();
  }

  /** The keys of the unread sessions. */
  get all(): ReadonlySet<string> {
    return this.unread;
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  /** True for a session in sight, except one that the user has marked as unread there. */
  isWatched(key: string): boolean {
    return this.deps.isInSight(key) && !this.held.has(key);
  }

  /** Marks a session as unread for the user. */
  async markUnread(key: string): Promise<void> {
    this.held.add(key);
    await this.deps.marks.mark(key, { seenAt: undefined });
  }

  /** Also called when the sessions in sight may have changed. */
  changed(): void {
    this.looking ??= this.deps.clock.after(LOOK_MS, () => {
      this.looking = undefined;
      this.look();
    });
  }

  private look(): void {
    const { sessions, marks, clock, isInSight } = this.deps;
    const unread = new Set<string>();
    for (const session of sessions.all) {
      const { key } = session;
      const known = marks.of(key);
      if (!isInSight(key)) {
        this.held.delete(key);
      }
      // A busy session has no result yet.
      if (known && !isBusy(session.store.state) && isUnread(this.outcomes.of(session), known)) {
        // An ended session counts as seen: the user ended it.
        const isEnded = session.store.state.status === 'ended' && !this.held.has(key);
        if (this.isWatched(key) || isEnded) {
          void marks.mark(key, { seenAt: clock.now() });
        } else {
          unread.add(key);
        }
      }
    }
    const isSame = unread.size === this.unread.size && [...unread].every((key) => this.unread.has(key));
    this.unread = unread;
    if (!isSame) {
      this.listeners.call();
    }
  }
}
