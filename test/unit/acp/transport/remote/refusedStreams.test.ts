/** Servers that have no stream for a session until the connection has opened it. `qwen serve` is one. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { Client, type OddServer, oddServer, over } from '../../../../support/remote/rawClient';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly sessionId?: string };
}

const HELLO = { protocolVersion: 1, agentInfo: { name: 'strict', version: '1' } };

describe('a server that refuses the stream of a session that is not open', () => {
  let server: OddServer;
  let client: Client;
  /** The streams that were asked for, with the status of each. The connection's has no name. */
  let asked: string[];
  let streams: Map<string, http.ServerResponse>;
  let open: Set<string>;

  const write = (stream: http.ServerResponse | undefined, message: object): void =>
    void stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  const says = (sessionId: string, text: string): object => ({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
  });

  /** @param opens true when `session/load` succeeds */
  async function serve(opens: boolean, status = 403): Promise<void> {
    asked = [];
    streams = new Map();
    open = new Set();
    server = await oddServer((request, response) => {
      const session = (request.headers['acp-session-id'] as string | undefined) ?? '';
      if (request.method === 'GET') {
        const isRefused = session !== '' && !open.has(session);
        asked.push(`${session} ${isRefused ? status : 200}`);
        if (isRefused) {
          response.writeHead(status).end('Session not owned by this connection');
          return;
        }
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
        streams.set(session, response);
        if (session !== '') {
          // The history is kept until there is a stream for it.
          write(response, says(session, 'from before'));
        }
        return;
      }
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const message = (text === '' ? {} : JSON.parse(text)) as Asked;
        if (message.method === 'initialize') {
          response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: HELLO }));
          return;
        }
        response.writeHead(202).end();
        answer(message, opens);
      });
    });
    client = new Client(over['Streamable HTTP'](`http://${server.at}`));
    await client.start();
  }

  function answer({ id, method, params: { sessionId = '' } = {} }: Asked, opens: boolean): void {
    if (method === 'session/load' && opens) {
      open.add(sessionId);
      write(streams.get(''), { id, result: {} });
    } else if (method === 'session/prompt' && open.has(sessionId)) {
      write(streams.get(sessionId), says(sessionId, 'now'));
      write(streams.get(sessionId), { id, result: { stopReason: 'end_turn' } });
    } else if (method === 'session/delete') {
      write(streams.get(''), { id, result: {} });
    } else {
      write(streams.get(''), { id, error: { code: -32002, message: 'No such session' } });
    }
  }

  afterEach(async () => {
    client.transport.close();
    await client.ended();
    await server.close();
  });

  const texts = (): readonly string[] => client.seen.flatMap(({ params }) => params?.update?.content.text ?? []);

  for (const status of [403, 404]) {
    it(`loads the session, with its history before the answer (HTTP ${status})`, async () => {
      await serve(true, status);
      const loaded = await client.request('session/load', { sessionId: 'old', cwd: '/a', mcpServers: [] });
      assert.deepEqual(loaded.result, {});
      assert.deepEqual(texts(), ['from before']);
      assert.equal((await client.request('session/prompt', { sessionId: 'old', prompt: [] })).result?.stopReason, 'end_turn');
      assert.deepEqual(texts(), ['from before', 'now']);
      assert.deepEqual(asked, [' 200', `old ${status}`, 'old 200']);
    });
  }

  it('keeps the connection when it refuses to load the session', async () => {
    await serve(false);
    const { error } = await client.request('session/load', { sessionId: 'old', cwd: '/a', mcpServers: [] });
    assert.equal(error?.message, 'No such session');
    assert.deepEqual((await client.request('session/delete', { sessionId: 'other' })).result, {});
    assert.equal(client.end, undefined);
  });

  it('ends the connection when it refuses the stream of an open session', async () => {
    await serve(true);
    assert.deepEqual((await client.request('session/load', { sessionId: 'old', cwd: '/a', mcpServers: [] })).result, {});
    open.delete('old');
    streams.get('old')?.destroy();
    assert.equal((await client.ended()).failure?.code, 'remote.denied');
  });
});
