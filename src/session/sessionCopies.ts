/** Operations on several sessions, which are rarely needed: forking a session, and restarting an agent with all its sessions. */
import type { AgentLaunch } from '../core/model/agentLaunch';
import type { SessionState } from '../core/model/state';
import { readEvents } from './journal/journalReader';
import type { Session } from './session';
import type { Journals } from './journal/journals';
import type { Sessions } from './sessions';

/**
 * Creates a conversation with this one's history, which its agent forks. The caller opens it.
 * @throws the file system's error when the journal cannot be read
 */
export async function forkSession(
  sessions: Pick<Sessions, 'flush' | 'prepare'>,
  journals: Pick<Journals, 'portions'>,
  { key, setup, store }: Session,
  launch: AgentLaunch,
): Promise<Session> {
  const { sessionId = '', title } = store.state;
  await sessions.flush();
  const fork = await readEvents(journals.portions(key));
  return sessions.prepare(launch, setup, { sessionId, fork, ...(title !== undefined && { title }) });
}

/**
 * Ends the processes of an agent and starts it again for each session that used them. Sessions of earlier windows do not change. The user is asked
 * to trust a folder only for the `chosen` session.
 */
export function restartAgent(sessions: Sessions, agentId: string, chosen?: Session): void {
  const of = sessions.all.filter((session) => session.agentId === agentId && hasOrWantsAgent(session.store.state));
  sessions.outdate(agentId);
  of.forEach((session) => session.restartAgent(session === chosen));
}

/** True when the agent is running, or has failed in this window. */
function hasOrWantsAgent({ status, failure }: SessionState): boolean {
  return status === 'disconnected' ? failure?.code.startsWith('session.') !== true : status !== 'ended';
}
