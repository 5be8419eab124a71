/** The last turn, as far as its prompt can be sent again or its work can continue. For host and page. */
import { canResume, takesPrompts } from '../model/select';
import { entryIdOf, isAbsent, type SessionState, type TurnEntry } from '../model/state';

/** Entries at the end that are searched for the turn: notices may follow it. */
const MAX_BEHIND = 20;

/** Returns the last turn when it failed or ended without an answer and its prompt can be sent again. See {@link repeatableTurn}. */
export function failedTurn(state: SessionState): TurnEntry | undefined {
  const turn = repeatableTurn(state);
  return turn && (turn.stopReason === 'error' || turn.unanswered) ? turn : undefined;
}

/**
 * Returns the last turn when no message came since and its prompt can be sent again: the agent takes prompts, or can be started again. Undefined
 * while the agent works.
 */
export function repeatableTurn(state: SessionState): TurnEntry | undefined {
  const turn = continuableTurn(state);
  return turn && state.entries.indexOf(entryIdOf.message('user', turn.turnId)) >= 0 ? turn : undefined;
}

/** Returns the last turn when no message came since and the agent takes another one, or can be started again. */
function continuableTurn(state: SessionState): TurnEntry | undefined {
  if (!takesPrompts(state) && !(state.status === 'disconnected' && canResume(state))) {
    return undefined;
  }
  const { entries } = state;
  for (let index = entries.length - 1; index >= Math.max(0, entries.length - MAX_BEHIND); index--) {
    const entry = entries.at(index)!;
    if (!isAbsent(entry) && entry.kind === 'turn') {
      return entry;
    }
    if (entry.kind !== 'notice') {
      return undefined;
    }
  }
  return undefined;
}

/** True when a message of the user follows the entry, so that the user need not deal with its error. */
export function isPast({ entries }: Pick<SessionState, 'entries'>, entryId: string): boolean {
  const from = entries.indexOf(entryId) + 1;
  for (let index = from; index < entries.length; index++) {
    const entry = entries.at(index)!;
    if (index - from >= MAX_BEHIND || (entry.kind === 'message' && entry.entryId.startsWith('user:'))) {
      return true;
    }
  }
  return false;
}

/** Returns the last turn when a limit has ended it and the agent can continue it. See {@link continuableTurn}. */
export function limitedTurn(state: SessionState): TurnEntry | undefined {
  const turn = continuableTurn(state);
  return turn && (turn.stopReason === 'max_tokens' || turn.stopReason === 'max_turn_requests') ? turn : undefined;
}
