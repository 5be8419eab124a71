/** A sign-in at a loopback provider, whose user agrees at once. */
import { CALLBACK_PATH, listenForCallback } from '../../src/mcp/oauth/callback';
import type { McpRemoteServer } from '../../src/core/mcp/mcpServer';
import { type Credentials, signIn } from '../../src/mcp/oauth/flow';

export async function signInAt(server: McpRemoteServer, now: () => number): Promise<Credentials> {
  const callback = await listenForCallback([0], 'state', '');
  try {
    return await signIn({
      server,
      oauth: {},
      redirectUrl: `http://127.0.0.1:${callback.port}${CALLBACK_PATH}`,
      state: 'state',
      open: async (url) => void (await fetch(url)),
      answer: () => callback.answer,
      fetch,
      signal: AbortSignal.timeout(10_000),
      now,
    });
  } finally {
    callback.close();
  }
}
