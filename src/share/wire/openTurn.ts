/** The state of a turn or of the message that will start it. Pure. */
import type { SessionState } from '../../core/model/state';

/** True while the turn runs, or its message waits. */
export function isTurnOpen(state: SessionState, turnId: string): boolean {
  return state.turn?.turnId === turnId || isQueued(state, turnId);
}

/** True while the message waits. */
export function isQueued(state: SessionState, turnId: string): boolean {
  return state.queue.some(({ queueId }) => queueId === turnId);
}
