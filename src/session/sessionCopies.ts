/** What concerns several sessions and is rarely asked for: a session that is forked, an agent that is started again under all of its sessions. */
import type { AgentLaunch } from '../core/model/ports';
import type { SessionState } from '../core/model/state';
import { readEvents } from './journal/journalReader';
import type { Session } from './session';
import type { Journals, Sessions } from './sessions';

/**
 * A new conversation with all that was said in this one, which its agent forks; to be opened by the caller. @throws what the disk says, when the journal
 * cannot be read
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
 * Ends the process of the agent of this name, and starts it again with every session that it had. Those of earlier windows stay as they are. Where a
 * folder is not trusted, the user is asked for the `chosen` session only.
 */
export function restartAgent(sessions: Sessions, agentName: string, chosen?: Session): void {
  const of = sessions.all.filter((session) => session.agentName === agentName && hasOrWantsAgent(session.store.state));
  sessions.outdate(agentName);
  of.forEach((session) => session.restartAgent(session === chosen));
}

/** Its agent runs, or was to run and came to grief in this window. */
function hasOrWantsAgent({ status, failure }: SessionState): boolean {
  return status === 'disconnected' ? failure?.code.startsWith('session.') !== true : status !== 'ended';
}
