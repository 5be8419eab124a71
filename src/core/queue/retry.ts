/** The prompt of a turn that failed or had no answer, to be sent once more: for host and page. */
import { canResume, takesPrompts } from '../model/select';
import { entryIdOf, isAbsent, type SessionState, type TurnEntry } from '../model/state';

/** Entries at the end that are searched for the turn: notices may follow it. */
const MOST_BEHIND = 20;

/**
 * Returns the last turn when it failed or ended without an answer, and no message came since. The agent must take prompts, or be able to start again
 * for this one.
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

/** The time from which the agent takes the failed prompt again, in ms since the epoch; undefined when its error names none. */
export function retryAt({ at, failure }: Pick<TurnEntry, 'at' | 'failure'>): number | undefined {
  const seconds = failure?.params?.['retryAfter'];
  return typeof seconds === 'number' && seconds > 0 ? at + seconds * 1000 : undefined;
}

/** True when a message of the user follows the entry, so that its error is no longer what the user has to deal with. */
export function isPast({ entries }: Pick<SessionState, 'entries'>, entryId: string): boolean {
  const from = entries.indexOf(entryId) + 1;
  for (let index = from; index < entries.length; index++) {
    const entry = entries.at(index)!;
    if (index - from >= MOST_BEHIND || (entry.kind === 'message' && entry.entryId.startsWith('user:'))) {
      return true;
    }
  }
  return false;
}
