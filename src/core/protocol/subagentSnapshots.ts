/** The subagents of a windowed snapshot. Each conversation is a snapshot of its own. */
import type { Entry, SessionState } from '../model/state';
import type { Subagents } from '../model/subagent';
import type { StateSnapshot } from './channels/feed';

export function toSubagentSnapshots(
  subagents: Subagents<SessionState>,
  toSnapshot: (conversation: SessionState) => StateSnapshot,
): Subagents<StateSnapshot> {
  return mapped(subagents, toSnapshot);
}

export function fromSubagentSnapshots(
  subagents: Subagents<StateSnapshot>,
  fromSnapshot: (snapshot: StateSnapshot) => SessionState,
): Subagents<SessionState> {
  return mapped(subagents, fromSnapshot);
}

/** Returns `state` with these bodies in place of absent ones in the conversations of its subagents. */
export function withSubagentBodies(
  state: SessionState,
  bodies: readonly Entry[],
  withBodies: (conversation: SessionState, bodies: readonly Entry[]) => SessionState,
): SessionState {
  const { subagents } = state;
  return subagents ? { ...state, subagents: mapped(subagents, (conversation) => withBodies(conversation, bodies)) } : state;
}

function mapped<From, To>(subagents: Subagents<From>, change: (conversation: From) => To): Subagents<To> {
  return subagents.map(({ conversation, ...subagent }) => ({ ...subagent, conversation: change(conversation) }));
}
