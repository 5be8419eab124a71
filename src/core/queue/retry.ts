/** The prompt of a turn that failed or had no answer, to be sent once more: for host and page. */
import { canResume, takesPrompts } from '../model/select';
import { entryIdOf, isAbsent, type SessionState, type TurnEntry } from '../model/state';

/** Entries at the end that are searched for the turn: notices may follow it. */
const MOST_BEHIND = 20;

/**
 * The last turn, when it failed or ended without an answer, no message came since and its prompt can be sent: the agent takes prompts, or can be
 * started again for it.
 */
export function failedTurn(state: SessionState): TurnEntry | undefined {
  if (!takesPrompts(state) && !(state.status === 'disconnected' && canResume(state))) {
    return undefined;
  }
  const { entries } = state;
  for (let index = entries.length - 1; index >= Math.max(0, entries.length - MOST_BEHIND); index--) {
    const entry = entries.at(index)!;
    if (!isAbsent(entry) && entry.kind === 'turn') {
      const isThere = entries.indexOf(entryIdOf.message('user', entry.turnId)) >= 0;
      return (entry.stopReason === 'error' || entry.unanswered) && isThere ? entry : undefined;
    }
    if (entry.kind !== 'notice') {
      return undefined;
    }
  }
  return undefined;
}
