/** Requests of the agent for more than a permission: shown at their position, answered once, and completed by the agent for a web page. */
import type { ElicitationRequested, ElicitationResolved } from '../model/event';
import { upsertEntry } from './messages';
import { countWaiting, watchWaiting } from './userWaitTime';
import { type ElicitationEntry, entryIdOf, isAbsent, type SessionState } from '../model/state';

export function reduceElicitationRequested(state: SessionState, event: ElicitationRequested): SessionState {
  const { requestKey, message, body, toolCallId, askedBy, subagentId, at } = event;
  const entryId = entryIdOf.elicitation(requestKey);
  if (state.entries.get(entryId)) {
    return state;
  }
  const next = upsertEntry<ElicitationEntry>(countWaiting(state, at), entryId, () => ({
    kind: 'elicitation',
    entryId,
    at,
    requestKey,
    message,
    body,
    ...(toolCallId !== undefined && { toolCallId }),
    ...(askedBy !== undefined && { askedBy }),
    ...(subagentId !== undefined && { subagentId }),
  }));
  return watchWaiting({ ...next, pendingElicitations: [...state.pendingElicitations, requestKey] }, at);
}

/** Only the first answer counts. */
export function reduceElicitationResolved(
  state: SessionState,
  { requestKey, outcome, content, at }: Pick<ElicitationResolved, 'requestKey' | 'outcome' | 'content' | 'at'>,
): SessionState {
  if (!state.pendingElicitations.includes(requestKey)) {
    return state;
  }
  const next = upsertEntry<ElicitationEntry>(countWaiting(state, at), entryIdOf.elicitation(requestKey), (old) => ({
    ...old!,
    outcome: { type: outcome, at, ...(content && { content }) },
  }));
  return watchWaiting({ ...next, pendingElicitations: state.pendingElicitations.filter((other) => other !== requestKey) }, at);
}

/** Accepts a completion before an answer: the user may have finished the page after another window opened it. */
export function reduceElicitationCompleted(state: SessionState, requestKey: string): SessionState {
  const entryId = entryIdOf.elicitation(requestKey);
  const slot = state.entries.get(entryId);
  if (!slot || (!isAbsent(slot) && slot.kind === 'elicitation' && slot.completed)) {
    return state;
  }
  return upsertEntry<ElicitationEntry>(state, entryId, (old) => ({ ...old!, completed: true }));
}
