/** Notifies of turns and of work between turns that end, for all sessions. Pure. */
import type { Disposable } from '../../core/platform/disposable';
import { busyId } from '../../core/model/select';
import { entryIdOf, isAbsent, type SessionState, type TurnEntry } from '../../core/model/state';
import type { Session } from '../../session/session';
import type { SessionList } from './statusBar';

/** The end of a turn. Work between turns always ends with `end_turn`. */
export type TurnEnd = Pick<TurnEntry, 'stopReason' | 'failure' | 'unanswered'>;

export class TurnEnds implements Disposable {
  /** The running turn or work of each session, by its key. */
  private readonly running = new Map<string, { readonly id: string; readonly state: SessionState }>();
  private readonly subscription: Disposable;

  /** @param ended called for each turn, and each work between turns, that the user did not stop */
  constructor(
    private readonly sessions: SessionList,
    private readonly ended: (session: Session, end: TurnEnd) => void,
  ) {
    this.subscription = sessions.onChange(() => this.update());
    this.update();
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Runs for every event of every session. */
  private update(): void {
    for (const session of this.sessions.all) {
      const { state } = session.store;
      const id = busyId(state);
      const before = this.running.get(session.key);
      if (id === before?.id) {
        continue;
      }
      if (id === undefined) {
        this.running.delete(session.key);
      } else {
        this.running.set(session.key, { id, state });
      }
      const end = before && endOf(before, state);
      if (end && end.stopReason !== 'cancelled' && end.failure?.code !== 'agent.stopped') {
        this.ended(session, end);
      }
    }
  }
}

/** Returns undefined when nothing ended that the user should know. */
function endOf({ id, state: before }: { readonly id: string; readonly state: SessionState }, state: SessionState): TurnEnd | undefined {
  if (before.work) {
    return state.workEndedAt === before.workEndedAt ? undefined : { stopReason: 'end_turn' };
  }
  const entry = state.entries.get(entryIdOf.turn(id));
  return entry && !isAbsent(entry) && entry.kind === 'turn' ? entry : undefined;
}
