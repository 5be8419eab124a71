/**
 * Gemini CLI reads a file before it writes it, and any error ends its tool call, so that it could never create a file. A missing file is therefore
 * read as empty for this agent. Other agents get the error (protocol page "File System").
 */
import { failureOf } from '../../core/model/failure';
import type { AgentInfo } from '../../core/model/content';
import type { Client } from '../dialect';

/** Adapts `client` to this agent. Calls `agent` at each read, because the agent is not known before `initialize` is answered. */
export function forgivingReads(client: Client, agent: () => AgentInfo | undefined): Client {
  const readTextFile: Client['readTextFile'] = async (sessionId, request, signal) => {
    try {
      return await client.readTextFile(sessionId, request, signal);
    } catch (error) {
      if (agent()?.name === 'gemini-cli' && failureOf(error).code === 'fs.not_found') {
        return '';
      }
      throw error;
    }
  };
  return Object.assign(Object.create(client) as Client, { readTextFile });
}
