/**
 * Time that the user takes to answer is not the agent's. It is counted whenever a question comes or ends, for the running turn and for each tool
 * call that could not go on meanwhile; a tool call that ends in between counts it then.
 */
import { entryIdOf, isAbsent, type SessionState, type ToolCallEntry, withEntries } from '../model/state';

/** True while the user is asked something. */
function asks(state: SessionState): boolean {
  return state.pendingPermissions.length > 0 || state.pendingElicitations.length > 0;
}

/** With what has been waited since it was counted last, up to `at`. The same while nothing is asked. */
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

/** After a question came or ended: whether there is something to count from here on. */
export function watchWaiting(state: SessionState, at: number): SessionState {
  const isWatched = state.waitingSince !== undefined;
  if (asks(state) === isWatched) {
    return state;
  }
  return { ...state, waitingSince: isWatched ? undefined : at };
}

/** ms that a tool call which has no final status has been worked on, by `now`. */
export function workingTime(state: SessionState, entry: ToolCallEntry, now: number): number {
  const { waitingSince } = state;
  const until = waitingSince !== undefined && isHeld(entry, namedToolCalls(state)) ? Math.max(waitingSince, entry.at) : now;
  return until - entry.at - (entry.waited ?? 0);
}

/** ms that the running turn has been worked on, by `now`. */
export function turnWorkingTime({ turn, waitingSince }: Pick<SessionState, 'turn' | 'waitingSince'>, now: number): number {
  return turn ? Math.max(turn.startedAt, waitingSince ?? now) - turn.startedAt - (turn.waited ?? 0) : 0;
}

/** The tool calls that the questions which wait are about; undefined when one of them does not say, or names one that nobody knows. */
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

/** A call that is under way goes on while the user is asked about others; one that has not begun waits for them, too. */
function isHeld({ toolCallId, status }: ToolCallEntry, named: ReadonlySet<string> | undefined): boolean {
  return named === undefined || named.has(toolCallId) || status === 'pending';
}
