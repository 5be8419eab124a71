/** Which sessions of this window ended something that the user has not seen: what is in sight is seen. Knows nothing of VS Code. */
import type { Clock, Disposable } from '../../core/model/ports';
import { isBusy } from '../../core/model/select';
import { DisposableStore, toDisposable } from '../../util/disposable';
import { Listeners } from '../../util/listeners';
import type { LiveMarks } from './liveMarks';
import { isUnread, LiveOutcomes, type LiveSession } from './sessionFacts';

export interface SeenSessionsDependencies {
  readonly clock: Clock;
  readonly sessions: { readonly all: readonly LiveSession[]; onChange(listener: () => void): Disposable };
  readonly marks: Pick<LiveMarks, 'of' | 'mark' | 'onDidChange'>;
  /** On the screen of a window that has the focus. */
  isInSight(key: string): boolean;
}

/** ms in which whatever changes is looked at once. */
const LOOK_MS = 200;

export class SeenSessions implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly listeners = new Listeners<[]>();
  private readonly outcomes = new LiveOutcomes();
  private unread: ReadonlySet<string> = new Set();
  /** Keys of those that the user wants to be unread although they are in sight. */
  private readonly held = new Set<string>();
  private looking: Disposable | undefined;

  constructor(private readonly ports: SeenSessionsDependencies) {
    this.owned.add(ports.sessions.onChange(() => this.changed()));
    this.owned.add(ports.marks.onDidChange(() => this.changed()));
    this.owned.add(toDisposable(() => this.looking?.dispose()));
    this.changed();
  }

  dispose(): void {
    this.owned.dispose();
    this.listeners.clear();
  }

  /** Keys. */
  get all(): ReadonlySet<string> {
    return this.unread;
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  /** The user wants to come back to it. */
  async markUnread(key: string): Promise<void> {
    this.held.add(key);
    await this.ports.marks.mark(key, { seenAt: undefined });
  }

  /** What is in sight may have changed, too. */
  changed(): void {
    this.looking ??= this.ports.clock.after(LOOK_MS, () => {
      this.looking = undefined;
      this.look();
    });
  }

  private look(): void {
    const { sessions, marks, clock, isInSight } = this.ports;
    const unread = new Set<string>();
    for (const session of sessions.all) {
      const { key } = session;
      const known = marks.of(key);
      if (!isInSight(key)) {
        this.held.delete(key);
      }
      // While it works nothing has ended.
      if (known && !isBusy(session.store.state) && isUnread(this.outcomes.of(session), known)) {
        // Who ends a session has done with it.
        const isSeen = isInSight(key) || session.store.state.status === 'ended';
        if (isSeen && !this.held.has(key)) {
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
