/** What the agent asks for beyond a permission: shown where it was asked, answered once, finished by the agent when it was a web page. */
import type { ElicitationRequested, ElicitationResolved } from '../model/event';
import { upsertEntry } from './messages';
import { countWaiting, watchWaiting } from './waiting';
import { type ElicitationEntry, entryIdOf, isAbsent, type SessionState } from '../model/state';

export function reduceElicitationRequested(state: SessionState, event: ElicitationRequested): SessionState {
  const { requestKey, message, body, toolCallId, askedBy, at } = event;
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
  }));
  return watchWaiting({ ...next, pendingElicitations: [...state.pendingElicitations, requestKey] }, at);
}

/** The first answer stays: a second one changes nothing. */
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

/** An agent may finish what nobody answered yet: the user has done it on the page that somebody else opened. */
export function reduceElicitationCompleted(state: SessionState, requestKey: string): SessionState {
  const entryId = entryIdOf.elicitation(requestKey);
  const slot = state.entries.get(entryId);
  if (!slot || (!isAbsent(slot) && slot.kind === 'elicitation' && slot.completed)) {
    return state;
  }
  return upsertEntry<ElicitationEntry>(state, entryId, (old) => ({ ...old!, completed: true }));
}
