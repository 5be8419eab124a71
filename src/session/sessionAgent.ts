/** The agent of a session: the one that runs it, or the one that its journal names. */
import { type AgentIdentity, storedIdOf } from '../core/agents/agentIds';
import type { JournalHeader } from './journal/journalHeader';

export type SessionAgent = Pick<AgentIdentity, 'agentId' | 'agentName'>;

/** @param launch the agent that the journal's id means; undefined when it is no longer configured */
export function journaledAgent(header: JournalHeader, launch: SessionAgent | undefined): SessionAgent {
  return launch ?? { agentId: storedIdOf(header), agentName: header.agentName };
}

/** The header with the present id and name of its agent. */
export function headerFor(header: JournalHeader, launch: SessionAgent | undefined): JournalHeader {
  return launch ? { ...header, agentId: launch.agentId, agentName: launch.agentName } : header;
}
