/** The end of a turn, whoever ends it. */
import type { TurnEnded } from './event';
import type { Failure } from './failure';
import { reduceElicitationResolved } from './reduceElicitations';
import { upsertEntry } from './reduceMessages';
import { reducePermissionResolved } from './reducePermissions';
import { cancelOpenToolCalls } from './reduceTools';
import { entryIdOf, type SessionState, type TurnEntry } from './state';

export function reduceTurnEnded(state: SessionState, event: TurnEnded): SessionState {
  const running = state.turn?.turnId === event.turnId ? state.turn : undefined;
  const entryId = entryIdOf.turn(event.turnId);
  const withFooter = upsertEntry<TurnEntry>(state, entryId, () => ({
    kind: 'turn',
    entryId,
    at: event.at,
    turnId: event.turnId,
    stopReason: event.stopReason,
    startedAt: running?.startedAt ?? event.at,
    ...(event.failure && { failure: event.failure }),
  }));
  return running ? cancelOpenToolCalls({ ...withFooter, turn: undefined }, event.at) : withFooter;
}

/** The running turn, its tool calls and what waits for an answer end because the session did. */
export function closeTurn(state: SessionState, at: number, stopReason: string, failure?: Failure): SessionState {
  let next = state.turn ? reduceTurnEnded(state, { type: 'turn_ended', at, turnId: state.turn.turnId, stopReason, ...(failure && { failure }) }) : state;
  for (const permissionId of state.pendingPermissions) {
    next = reducePermissionResolved(next, permissionId, 'lost', at);
  }
  for (const requestKey of state.pendingElicitations) {
    next = reduceElicitationResolved(next, { requestKey, outcome: 'lost', at });
  }
  return cancelOpenToolCalls(next, at);
}
