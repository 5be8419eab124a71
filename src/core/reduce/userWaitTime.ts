/**
 * Excludes the time in which a question waits for the user from the agent's time. It is counted whenever a question comes or ends, for the running
 * turn and for each tool call that could not continue meanwhile. A tool call that ends in between counts it then.
 */
import { entryIdOf, isAbsent, type SessionState, type ToolCallEntry, withEntries } from '../model/state';

/** True while a question waits for the user. */
function asks(state: SessionState): boolean {
  return state.pendingPermissions.length > 0 || state.pendingElicitations.length > 0;
}

/** Adds the waiting time since the last count, up to `at`. Returns the same state while no question waits. */
export function countWaiting(state: SessionState, at: number): SessionState {
  const since = state.waitingSince;
  if (since === undefined || at <= since) {
    return state;
  }
  const { turn } = state;
  let entries = state.entries;
  const named = namedToolCalls(state);
  for (const toolCallId of state.openToolCalls) {
    const slot = entries.get(entryIdOf.toolCall(toolCallId));
    if (slot?.kind === 'tool_call' && !isAbsent(slot) && isHeld(slot, named)) {
      entries = entries.replace({ ...slot, waited: (slot.waited ?? 0) + Math.max(0, at - Math.max(since, slot.at)) });
    }
  }
  return {
    ...withEntries(state, entries),
    waitingSince: at,
    ...(turn && { turn: { ...turn, waited: (turn.waited ?? 0) + Math.max(0, at - Math.max(since, turn.startedAt)) } }),
  };
}

/** Starts or stops the count after a question came or ended. */
export function watchWaiting(state: SessionState, at: number): SessionState {
  const isWatched = state.waitingSince !== undefined;
  if (asks(state) === isWatched) {
    return state;
  }
  return { ...state, waitingSince: isWatched ? undefined : at };
}

/** Returns the ms up to `now` that the agent has worked on a tool call without a final status. */
export function workingTime(state: SessionState, entry: ToolCallEntry, now: number): number {
  const { waitingSince } = state;
  const until = waitingSince !== undefined && isHeld(entry, namedToolCalls(state)) ? Math.max(waitingSince, entry.at) : now;
  return until - entry.at - (entry.waited ?? 0);
}

/** Returns the ms up to `now` that the agent has worked on the running turn. */
export function turnWorkingTime({ turn, waitingSince }: Pick<SessionState, 'turn' | 'waitingSince'>, now: number): number {
  return turn ? Math.max(turn.startedAt, waitingSince ?? now) - turn.startedAt - (turn.waited ?? 0) : 0;
}

/** Returns the tool calls of the waiting questions. Undefined when one of them names none, or names an unknown one. */
function namedToolCalls(state: SessionState): ReadonlySet<string> | undefined {
  const named = new Set<string>();
  const ids = [...state.pendingPermissions.map(entryIdOf.permission), ...state.pendingElicitations.map(entryIdOf.elicitation)];
  for (const entryId of ids) {
    const slot = state.entries.get(entryId);
    const asked = slot && !isAbsent(slot) ? slot : undefined;
    const toolCallId =
      asked?.kind === 'permission' ? asked.subject.toolCallId : asked?.kind === 'elicitation' ? asked.toolCallId : undefined;
    if (toolCallId === undefined || state.entries.indexOf(entryIdOf.toolCall(toolCallId)) < 0) {
      return undefined;
    }
    named.add(toolCallId);
  }
  return named;
}

/** True for a call that a question blocks. A running call continues during questions about others; a call that has not begun waits for them, too. */
function isHeld({ toolCallId, status }: ToolCallEntry, named: ReadonlySet<string> | undefined): boolean {
  return named === undefined || named.has(toolCallId) || status === 'pending';
}
