/**
 * Gemini CLI reads a file before it writes it, and takes any error for the end of its tool call, so that it could never create one. A missing
 * file reads as empty there. Everybody else gets the error (protocol page "File System").
 */
import { failureOf } from '../../core/model/failure';
import type { AgentInfo } from '../../core/model/content';
import type { Client } from '../dialect';

/** `client` as this agent needs it; `agent` is asked at each read, because it is not known before `initialize` is answered. */
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
