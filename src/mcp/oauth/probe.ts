/** Finds out whether a server asks for a sign-in, without opening a session at it. */
import type { McpRemoteServer } from '../../core/mcp/mcpServer';
import type { Fetch } from './safeFetch';

/** ms until a server counts as one that needs no sign-in. The agent reports a server that does not answer. */
const MAX_MS = 4000;

/** `unknown`: the server did not answer. */
export type Access = 'granted' | 'unauthorized' | 'unknown';

/** The header that says where to sign in. */
export interface Probe {
  readonly access: Access;
  /** The answer without its body. */
  readonly response?: Response;
}

/** Sends the smallest request. A ping opens no session, and a server refuses each request without a token. Never rejects. */
export async function probe({ type, url, headers }: Pick<McpRemoteServer, 'type' | 'url' | 'headers'>, request: Fetch): Promise<Probe> {
  const accept = { ...headers, Accept: 'application/json, text/event-stream' };
  const post = {
    method: 'POST',
    headers: { ...accept, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  };
  try {
    const response = await request(url, {
      ...(type === 'sse' ? { headers: { ...headers, Accept: 'text/event-stream' } } : post),
      redirect: 'manual',
      signal: AbortSignal.timeout(MAX_MS),
    });
    // An open server may begin a stream.
    await response.body?.cancel();
    return { access: response.status === 401 ? 'unauthorized' : 'granted', response };
  } catch {
    return { access: 'unknown' };
  }
}
