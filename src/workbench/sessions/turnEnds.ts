/** Hears of the turns that end, of all sessions. Pure. */
import type { Disposable } from '../../core/model/ports';
import { entryIdOf, isAbsent, type TurnEntry } from '../../core/model/state';
import type { Session } from '../../session/session';
import type { SessionList } from './statusBar';

export class TurnEnds implements Disposable {
  /** The running turn of each session, by its key. */
  private readonly running = new Map<string, string>();
  private readonly subscription: Disposable;

  /** @param ended of a turn that the user did not stop */
  constructor(
    private readonly sessions: SessionList,
    private readonly ended: (session: Session, turn: TurnEntry) => void,
  ) {
    this.subscription = sessions.onChange(() => this.update());
    this.update();
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Runs with every event of every session. */
  private update(): void {
    for (const session of this.sessions.all) {
      const { turn, entries } = session.store.state;
      const before = this.running.get(session.key);
      if (turn?.turnId === before) {
        continue;
      }
      if (turn) {
        this.running.set(session.key, turn.turnId);
      } else {
        this.running.delete(session.key);
      }
      const entry = before === undefined ? undefined : entries.get(entryIdOf.turn(before));
      if (entry && !isAbsent(entry) && entry.kind === 'turn' && entry.stopReason !== 'cancelled') {
        this.ended(session, entry);
      }
    }
  }
}
