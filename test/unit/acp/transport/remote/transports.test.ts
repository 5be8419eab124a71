import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type http from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { agent, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { nodeHttp } from '../../../../../src/acp/transport/remote/nodeHttp';
import { openSocket } from '../../../../../src/acp/transport/remote/nodeSocket';
import { streamableHttpTransport } from '../../../../../src/acp/transport/remote/streamableHttp';
import { webSocketTransport } from '../../../../../src/acp/transport/remote/webSocket';
import type { MessageTransport } from '../../../../../src/core/model/transport';
import { systemClock } from '../../../../../src/util/clock';
import { Client, LIMITS, oddServer, over } from '../../../../support/remote/rawClient';
import { type SdkServer, sdkServer } from '../../../../support/remote/sdkServer';

/** An agent that asks for a permission in each turn, and says the answer. */
const asking = () =>
  agent({ name: 'remote' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentInfo: { name: 'remote', version: '1' } }))
    .onRequest(methods.agent.session.new, ({ params }) => ({ sessionId: `in ${params.cwd}` }))
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 'a' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      const text = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      });
      return { stopReason: 'end_turn' as const };
    });

describe('a remote agent', () => {
  const servers: { close(): Promise<unknown> }[] = [];
  const clients: Client[] = [];
  const serve = async (...args: Parameters<typeof sdkServer>): Promise<SdkServer> => {
    const server = await sdkServer(...args);
    servers.push(server);
    return server;
  };
  const connect = (transport: MessageTransport): Client => {
    const client = new Client(transport);
    clients.push(client);
    return client;
  };
  const odd = async (answer: http.RequestListener): Promise<string> => {
    const server = await oddServer(answer);
    servers.push(server);
    return server.at;
  };
  afterEach(async () => {
    for (const client of clients.splice(0)) {
      client.transport.close();
      await client.ended();
    }
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  for (const [name, open] of Object.entries(over)) {
    const address = (server: SdkServer) => (name === 'WebSocket' ? server.webSocket : server.http);

    it(`answers, asks and streams over ${name}, in two sessions at once`, async () => {
      const server = await serve({ createAgent: asking });
      const client = connect(open(address(server)));
      assert.equal((await client.start()).result?.agentInfo.name, 'remote');
      const ids = await Promise.all(
        ['/a', '/b'].map(async (cwd) => (await client.request('session/new', { cwd, mcpServers: [] })).result?.sessionId),
      );
      assert.deepEqual(ids, ['in /a', 'in /b']);
      const turns = await Promise.all(
        ids.map((sessionId) => client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hi' }] })),
      );
      assert.deepEqual(
        turns.map(({ result }) => result?.stopReason),
        ['end_turn', 'end_turn'],
      );
      assert.deepEqual(
        client.seen
          .filter(({ method }) => method === 'session/update')
          .map(({ params }) => [params?.sessionId, params?.update?.content.text])
          .sort(),
        [
          ['in /a', 'yes'],
          ['in /b', 'yes'],
        ],
      );
    });

    it(`reports the end of the connection over ${name} in the middle of a turn`, async () => {
      const server = await serve({
        createAgent: () =>
          agent({ name: 'slow' })
            .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
            .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
            .onRequest(methods.agent.session.prompt, () => new Promise<never>(() => undefined)),
      });
      const client = connect(open(address(server)));
      await client.start();
      await client.request('session/new', { cwd: '/a', mcpServers: [] });
      void client.request('session/prompt', { sessionId: 's', prompt: [] });
      await new Promise((resolve) => setTimeout(resolve, 200));
      server.cut();
      const { failure } = await client.ended();
      assert.match(failure?.code ?? '', /^remote\.(?:closed|unreachable)$/);
      assert.equal(client.transport.write('{}'), false);
    });

    for (const [status, code] of [
      [302, 'redirected'],
      [401, 'denied'],
      [404, 'not_found'],
      [409, 'conflict'],
      [429, 'busy'],
      [500, 'error'],
    ] as const) {
      it(`says what HTTP ${status} means over ${name}`, async () => {
        const at = await odd((_request, response) => {
          response.writeHead(status, { location: 'http://elsewhere.invalid/', 'retry-after': '12' }).end(`no ${'x'.repeat(100_000)}`);
        });
        const client = connect(open(`${name === 'WebSocket' ? 'ws' : 'http'}://${at}`));
        await client.start();
        const { failure } = await client.ended();
        assert.equal(failure?.code, `remote.${code}`);
        assert.ok((failure.detail ?? '').length <= 500);
        assert.equal(failure.params?.['seconds'], status === 429 ? '12' : undefined);
        assert.equal(failure.params?.['to'], status === 302 ? 'http://elsewhere.invalid/' : undefined);
      });
    }

    it(`says that no server listens over ${name}`, async () => {
      const client = connect(open(`${name === 'WebSocket' ? 'ws' : 'http'}://127.0.0.1:9/acp`));
      await client.start();
      assert.equal((await client.ended()).failure?.code, 'remote.unreachable');
    });

    it(`skips a message over the limit over ${name}, and goes on`, async () => {
      const server = await serve({
        createAgent: () =>
          agent({ name: 'long' })
            .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
            .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
            .onRequest(methods.agent.session.prompt, async ({ client }) => {
              const say = (text: string) =>
                client.notify(methods.client.session.update, {
                  sessionId: 's',
                  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
                });
              await say('x'.repeat(LIMITS.maxBytes + 10));
              await say('short');
              return { stopReason: 'end_turn' as const };
            }),
      });
      const client = connect(open(address(server)));
      await client.start();
      await client.request('session/new', { cwd: '/a', mcpServers: [] });
      assert.equal((await client.request('session/prompt', { sessionId: 's', prompt: [] })).result?.stopReason, 'end_turn');
      assert.equal(client.skipped.length, 1);
      assert.ok(client.seen.some(({ params }) => params?.update?.content.text === 'short'));
    });
  }

  it('sends cookies, ids and the DELETE of the end over Streamable HTTP', async () => {
    const server = await serve({ createAgent: asking }, (request, response) => {
      if (request.headers['acp-connection-id'] === undefined) {
        response.setHeader('set-cookie', ['lead=me; Path=/', 'gone=1; Max-Age=0']);
      }
      return false;
    });
    const client = connect(over['Streamable HTTP'](server.http));
    await client.start();
    const { result } = await client.request('session/new', { cwd: '/a', mcpServers: [] });
    await client.request('session/prompt', { sessionId: result?.sessionId, prompt: [] });
    client.transport.close();
    assert.deepEqual(await client.ended(), {});
    assert.deepEqual(server.requests.slice(0, 2), ['POST', 'GET connection lead=me']);
    assert.ok(server.requests.includes('GET connection session lead=me'));
    assert.ok(server.requests.includes('POST connection session lead=me'));
    assert.equal(server.requests.at(-1), 'DELETE connection lead=me');
  });

  it('opens an idle stream again, and misses nothing that the server kept', async () => {
    let streams = 0;
    const server = await serve({ createAgent: asking }, (request, response) => {
      if (request.method === 'GET' && request.headers['acp-session-id'] === undefined && ++streams === 1) {
        setTimeout(() => response.destroy(), 50);
      }
      return false;
    });
    const client = connect(over['Streamable HTTP'](server.http));
    await client.start();

    await new Promise((resolve) => setTimeout(resolve, 400));
    const { result } = await client.request('session/new', { cwd: '/a', mcpServers: [] });
    assert.equal(result?.sessionId, 'in /a');
    assert.equal(client.end, undefined);
  });

  it('sends nothing over a connection that the server is about to close', async () => {
    const sockets = new Set<unknown>();
    const server = await serve({ createAgent: asking }, (request) => {
      if (request.method === 'POST') {
        sockets.add(request.socket);
      }
      return false;
    });
    const client = connect(over['Streamable HTTP'](server.http));
    await client.start();
    await client.request('session/new', { cwd: '/a', mcpServers: [] });
    const { size } = sockets;
    // Servers of Node.js close free connections after five seconds.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await client.request('session/new', { cwd: '/b', mcpServers: [] });
    assert.ok(sockets.size > size, `${sockets.size} of ${size}`);
    assert.equal(client.end, undefined);
  });

  it('fails one request, and not the connection, when the server refuses it', async () => {
    let refuse = true;
    const server = await serve({ createAgent: asking }, (request, response) => {
      if (request.method === 'POST' && request.headers['acp-connection-id'] !== undefined && refuse) {
        refuse = false;
        request.resume();
        response.writeHead(429, { 'retry-after': '3' }).end('later');
        return true;
      }
      return false;
    });
    const client = connect(over['Streamable HTTP'](server.http));
    await client.start();
    const { error } = await client.request('session/new', { cwd: '/a', mcpServers: [] });
    assert.equal(error?.message, 'HTTP 429: later');
    assert.equal(error?.data.retryAfter, 3);
    assert.equal((await client.request('session/new', { cwd: '/a', mcpServers: [] })).result?.sessionId, 'in /a');
  });

  it('recognizes a server that is no agent', async () => {
    const at = await odd((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'));
    const client = connect(over['Streamable HTTP'](`http://${at}`));
    await client.start();
    const { failure } = await client.ended();
    assert.deepEqual([failure?.code, failure?.detail], ['remote.not_acp', 'The answer has no Acp-Connection-Id.']);
  });

  it('does not wait for ever for a server that never answers', async () => {
    const at = await odd(() => undefined);
    const client = connect(
      streamableHttpTransport(
        { url: `http://${at}`, headers: {}, maxBytes: 1000, answerTimeoutMs: 300 },
        nodeHttp(() => false).send,
        systemClock,
      ),
    );
    await client.start();
    assert.deepEqual((await client.ended()).failure?.params?.['seconds'], '0.3');
    const socket = connect(
      webSocketTransport({ url: `ws://${at}`, headers: {}, maxBytes: 1000, openTimeoutMs: 300 }, openSocket, systemClock),
    );
    await socket.start();
    assert.deepEqual((await socket.ended()).failure?.params?.['seconds'], '0.3');
  });

  it('does not wait for ever for an answer that never ends', async () => {
    const at = await odd((request, response) => {
      request.resume();
      const isHello = request.method === 'POST' && request.headers['acp-connection-id'] === undefined;
      if (request.headers.upgrade !== undefined) {
        response.writeHead(403, { 'content-length': 10 }).write('no');
      } else if (isHello) {
        const hello = { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentInfo: { name: 'odd', version: '1' } } };
        response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c' }).end(JSON.stringify(hello));
      } else if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      } else {
        response.writeHead(202, { 'content-length': 10 }).write('no');
      }
    });
    const client = connect(
      streamableHttpTransport(
        { url: `http://${at}`, headers: {}, maxBytes: 1000, answerTimeoutMs: 300 },
        nodeHttp(() => false).send,
        systemClock,
      ),
    );
    await client.start();
    await client.request('session/new', { cwd: '/a', mcpServers: [] });
    assert.deepEqual((await client.ended()).failure?.params?.['seconds'], '0.3');
    const socket = connect(
      webSocketTransport({ url: `ws://${at}`, headers: {}, maxBytes: 1000, openTimeoutMs: 300 }, openSocket, systemClock),
    );
    await socket.start();
    assert.equal((await socket.ended()).failure?.code, 'remote.unreachable');
  });

  it('opens no stream for a session without a request', async () => {
    let streams = 0;
    const at = await odd((request, response) => {
      request.resume();
      if (request.method === 'POST') {
        const hello = { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentInfo: { name: 'odd', version: '1' } } };
        response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c' }).end(JSON.stringify(hello));
        return;
      }
      streams++;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let session = 0; session < 20 && streams === 1; session++) {
        response.write(`data: {"jsonrpc":"2.0","id":${session + 100},"result":{"sessionId":"s${session}"}}\n\n`);
      }
    });
    const client = connect(over['Streamable HTTP'](`http://${at}`));
    await client.start();
    await client.until(() => (client.seen.length > 20 ? true : undefined));
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(streams, 1);
  });

  describe('over TLS', () => {
    const [key, cert] = ['key', 'pem'].map((end) => readFileSync(path.resolve(`test/fixtures/tls/localhost.${end}`), 'utf8')) as [
      string,
      string,
    ];
    /** A server that names its version of HTTP in a header, and answers `initialize` only. */
    const secure = async (): Promise<string> => {
      const server = http2.createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
        const answer = {
          jsonrpc: '2.0',
          id: 1,
          result: { protocolVersion: 1, agentInfo: { name: `HTTP/${request.httpVersion}`, version: '1' } },
        };
        if (request.method === 'POST') {
          response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c' }).end(JSON.stringify(answer));
        } else if (request.method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
        } else {
          response.writeHead(202).end();
        }
      });
      const open = new Set<Duplex>();
      server.on('secureConnection', (socket) => open.add(socket));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      servers.push({
        close: () => {
          open.forEach((socket) => socket.destroy());
          return new Promise((resolve) => server.close(resolve));
        },
      });
      return `https://localhost:${(server.address() as AddressInfo).port}/acp`;
    };
    const trusting = (usesProxy: boolean) => {
      const client = nodeHttp(() => usesProxy, { ca: cert });
      servers.push({ close: async () => client.dispose() });
      return (url: string) => connect(streamableHttpTransport({ url, headers: {}, ...LIMITS }, client.send, systemClock));
    };

    it('uses HTTP/2 where the server has it, and HTTP/1.1 through a proxy', async () => {
      const url = await secure();
      assert.equal((await trusting(false)(url).start()).result?.agentInfo.name, 'HTTP/2.0');
      assert.equal((await trusting(true)(url).start()).result?.agentInfo.name, 'HTTP/1.1');
    });

    it('does not wait for ever for a handshake, nor does the next attempt', async () => {
      const silent = net.createServer((socket) => void socket.on('error', () => undefined).resume());
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      servers.push({ close: () => new Promise((resolve) => silent.close(resolve)) });
      const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/acp`;
      const { send } = nodeHttp(() => false, { openMs: 500 });
      const limits = { maxBytes: 1000, answerTimeoutMs: 300 };
      const client = connect(streamableHttpTransport({ url, headers: {}, ...limits }, send, systemClock));
      await client.start();
      assert.equal((await client.ended()).failure?.params?.['seconds'], '0.3');
      const next = connect(streamableHttpTransport({ url, headers: {}, ...limits, answerTimeoutMs: 5000 }, send, systemClock));
      await next.start();
      assert.match((await next.ended()).failure?.detail ?? '', /ETIMEDOUT/);
    });

    it('refuses a certificate without trust', async () => {
      const url = await secure();
      const http = connect(over['Streamable HTTP'](url));
      await http.start();
      assert.equal((await http.ended()).failure?.code, 'remote.certificate');
      const socket = connect(over.WebSocket(url.replace('https', 'wss')));
      await socket.start();
      assert.equal((await socket.ended()).failure?.code, 'remote.certificate');
    });
  });
});
