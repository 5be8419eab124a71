/** The agent that the header of a journal names, as it is configured now. */
import { type SessionAgent, storedIdOf } from '../core/agents/agentIds';
import type { JournalHeader } from './journal/journalHeader';

/** @param launch the agent that the journal's id means; undefined when it is no longer configured */
export function journaledAgent(header: JournalHeader, launch: SessionAgent | undefined): SessionAgent {
  return launch ?? { agentId: storedIdOf(header), agentName: header.agentName };
}

/** The header with the present id and name of its agent. */
export function headerFor(header: JournalHeader, launch: SessionAgent | undefined): JournalHeader {
  return launch ? { ...header, agentId: launch.agentId, agentName: launch.agentName } : header;
}
