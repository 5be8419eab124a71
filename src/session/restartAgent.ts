import type { SessionState } from '../core/model/state';
import type { Session } from './session';
import type { Sessions } from './sessions';

/**
 * Ends the processes of an agent and starts it again for each session that used them. Sessions of earlier windows do not change. The user is asked
 * to trust a folder only for the `chosen` session.
 */
export function restartAgent(sessions: Sessions, agentId: string, chosen?: Session): void {
  const of = sessions.all.filter((session) => session.agentId === agentId && hasOrWantsAgent(session.store.state));
  sessions.markStale(agentId);
  of.forEach((session) => session.restartAgent(session === chosen));
}

/** True when the agent is running, or has failed in this window. */
function hasOrWantsAgent({ status, failure }: SessionState): boolean {
  return status === 'disconnected' ? failure?.code.startsWith('session.') !== true : status !== 'ended';
}
