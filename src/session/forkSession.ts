import type { AgentLaunch } from '../core/model/agentLaunch';
import { eventsBefore } from './forkPoint';
import { readEvents } from './journal/journalReader';
import type { Session } from './session';
import type { Journals } from './journal/journals';
import type { Sessions } from './sessions';
import { messageBefore } from './state/agentMemory';

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
 * Like {@link forkSession}, with the history before this message of the user. Undefined when the agent cannot cut its memory there.
 * @throws the file system's error when the journal cannot be read
 */
export async function forkBefore(
  sessions: Pick<Sessions, 'flush' | 'prepare'>,
  journals: Pick<Journals, 'portions'>,
  { key, setup, store }: Session,
  launch: AgentLaunch,
  entryId: string,
): Promise<Session | undefined> {
  const { sessionId, capabilities, status } = store.state;
  const after = messageBefore(store.state, entryId);
  if (!capabilities.forkAt || sessionId === undefined || after === undefined || status !== 'ready') {
    return undefined;
  }
  await sessions.flush();
  const fork = eventsBefore(store.state, await readEvents(journals.portions(key)), entryId);
  return fork && sessions.prepare(launch, setup, { sessionId, fork, after });
}
