/** Servers that lose, delay, reorder, cut or flood, over both transports. docs/agents.md has what the user reads. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { nodeHttp } from '../../../../../src/acp/transport/remote/nodeHttp';
import { streamableHttpTransport } from '../../../../../src/acp/transport/remote/streamableHttp';
import { systemClock } from '../../../../../src/util/clock';
import { oddAgent, pour, type Request, type Wire } from '../../../../support/remote/oddAgent';
import { Client, LIMITS, oddServer, over } from '../../../../support/remote/rawClient';

const MEGABYTES = 1024 * 1024;

describe('a bad server of a remote agent', function () {
  this.timeout(60_000);
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) {
      await end();
    }
  });
  const connect = (name: keyof typeof over, url: string): Client => {
    const client = new Client(over[name](url));
    ends.push(async () => {
      client.transport.close();
      await client.ended();
    });
    return client;
  };
  const opened = async (name: keyof typeof over, answer: (request: Request, wire: Wire) => unknown): Promise<Client> => {
    const server = await oddAgent(name, answer);
    ends.push(() => server.close());
    const client = connect(name, server.url);
    assert.equal((await client.start()).result?.agentInfo.name, 'odd');
    return client;
  };

  for (const name of ['WebSocket', 'Streamable HTTP'] as const) {
    it(`loses only the message that it drops, over ${name}`, async () => {
      let seen = 0;
      const client = await opened(name, ({ id }, wire) => ++seen === 1 || wire.send({ id, result: { sessionId: `number ${seen}` } }));
      const lost = client.request('session/list', {});
      assert.equal((await client.request('session/list', {})).result?.sessionId, 'number 2');
      assert.equal(client.end, undefined);
      assert.equal(await Promise.race([lost.then(() => 'answered'), Promise.resolve('open')]), 'open');
      client.transport.close();
      await lost;
    });

    it(`may delay and reorder its messages, over ${name}`, async () => {
      const waiting: Request[] = [];
      const client = await opened(name, (request, wire) => {
        if (waiting.push(request) === 3) {
          setTimeout(() => waiting.reverse().forEach(({ id }) => wire.send({ id, result: { sessionId: `for ${id}` } })), 300);
        }
      });
      const answers = await Promise.all(['a', 'b', 'c'].map((cwd) => client.request('session/list', { cwd })));
      assert.deepEqual(
        answers.map(({ id, result }) => result?.sessionId === `for ${id}`),
        [true, true, true],
      );
    });

    it(`ends the connection when it closes in the middle of a message, over ${name}`, async () => {
      const client = await opened(name, (_request, wire) => {
        wire.send({ method: 'session/update', params: { sessionId: 's', update: { content: { text: 'whole' } } } });
        wire.sendHalf('{"jsonrpc":"2.0","method":"session/up');
      });
      void client.request('session/list', {});
      const { failure } = await client.ended();
      assert.match(failure?.code ?? '', /^remote\.(?:closed|unreachable)$/);
      assert.equal(failure?.params?.['host'], new URL(client.transport.describe().address!).host);
      assert.deepEqual(
        client.seen.flatMap(({ params }) => params?.update?.content.text ?? []),
        ['whole'],
      );
      // Half a message is never taken for one.
      assert.ok(client.broken.every((text) => text.startsWith('{"jsonrpc"')));
      assert.equal(client.transport.write('{}'), false);
    });

    it(`cannot fill the memory with a message of 200 MB, over ${name}`, async () => {
      const client = await opened(name, async ({ id }, wire) => {
        await wire.sendLong(200 * MEGABYTES);
        wire.send({ id, result: { sessionId: 'afterwards' } });
      });
      const before = process.memoryUsage().rss;
      const answer = client.request('session/list', {});
      if (name === 'WebSocket') {
        // A frame of a WebSocket cannot be skipped.
        const { failure } = await client.ended();
        assert.deepEqual([failure?.code, failure?.params?.['megabytes']], ['remote.too_large', `${LIMITS.maxBytes / MEGABYTES}`]);
      } else {
        assert.equal((await answer).result?.sessionId, 'afterwards');
        assert.deepEqual(client.skipped, [200 * MEGABYTES]);
      }
      const grown = process.memoryUsage().rss - before;
      assert.ok(grown < 150 * MEGABYTES, `${Math.round(grown / MEGABYTES)} MB`);
    });

    it(`cannot fill the memory with an error of 200 MB, over ${name}`, async () => {
      const server = await oddServer((_request, response) => {
        response.writeHead(500);
        void pour(response, 200 * MEGABYTES).then(() => response.end());
      });
      ends.push(() => server.close());
      const client = connect(name, `${name === 'WebSocket' ? 'ws' : 'http'}://${server.at}`);
      await client.start();
      const { failure } = await client.ended();
      assert.equal(failure?.code, 'remote.error');
      assert.equal(failure.detail?.length, 500);
    });
  }

  it('cannot fill the memory with a message of tiny parts, over WebSocket', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.once('message', () => {
        for (let part = 0; part < 100_000; part++) {
          socket.send('x', { fin: false });
        }
      });
    });
    await once(server, 'listening');
    const client = connect('WebSocket', `ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await client.start();
    assert.equal((await client.ended()).failure?.code, 'remote.too_large');
  });

  it('cannot answer `initialize` with 200 MB', async () => {
    const server = await oddServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c' });
      void pour(response, 200 * MEGABYTES).then(() => response.end());
    });
    ends.push(() => server.close());
    const client = connect('Streamable HTTP', `http://${server.at}`);
    await client.start();
    assert.deepEqual((await client.ended()).failure?.detail, 'The answer is too long.');
  });

  it('cannot replace the cookies of the settings by its own', async () => {
    const given: (string | undefined)[] = [];
    const server = await oddServer((request, response) => {
      given.push(request.headers.cookie);
      response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c', 'set-cookie': 'node=7; Path=/' });
      response.end(request.method === 'POST' ? '{"jsonrpc":"2.0","id":1,"result":{}}' : '');
    });
    ends.push(() => server.close());
    const settings = { url: `http://${server.at}`, headers: { Cookie: 'login=secret' }, ...LIMITS };
    const client = new Client(streamableHttpTransport(settings, nodeHttp(() => false).send, systemClock));
    await client.start();
    client.transport.close();
    await client.ended();
    assert.deepEqual([...new Set(given)], ['login=secret', 'login=secret; node=7']);
  });

  describe('failing a later request over Streamable HTTP', () => {
    /** Answers `initialize`, and the next POST with this status. */
    const later = async (status: number): Promise<Client> => {
      let isRefused = false;
      const server = await oddServer((request: http.IncomingMessage, response: http.ServerResponse) => {
        request.resume();
        if (request.method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
          stream = response;
        } else if (request.headers['acp-connection-id'] === undefined) {
          response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c' });
          response.end('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"odd","version":"1"}}}');
        } else if (request.method === 'POST' && !isRefused) {
          isRefused = true;
          response.writeHead(status, { location: 'http://elsewhere.invalid/', 'retry-after': '7' }).end('the reason');
        } else {
          response.writeHead(202).end();
          stream?.write('data: {"jsonrpc":"2.0","id":3,"result":{"sessionId":"goes on"}}\n\n');
        }
      });
      let stream: http.ServerResponse | undefined;
      ends.push(() => server.close());
      const client = connect('Streamable HTTP', `http://${server.at}`);
      await client.start();
      return client;
    };

    for (const [status, code] of [
      [302, 'redirected'],
      [401, 'denied'],
      [403, 'denied'],
    ] as const) {
      it(`HTTP ${status} ends the connection with the reason`, async () => {
        const client = await later(status);
        await client.request('session/list', {});
        const { failure } = await client.ended();
        assert.deepEqual([failure?.code, failure?.params?.['status']], [`remote.${code}`, `${status}`]);
      });
    }

    for (const status of [404, 410]) {
      it(`HTTP ${status} means that the server has closed the connection, so it is made again`, async () => {
        const client = await later(status);
        await client.request('session/list', {});
        const { failure } = await client.ended();
        assert.deepEqual([failure?.code, failure?.detail], ['remote.closed', 'the reason']);
      });
    }

    for (const status of [400, 409, 429, 500, 503]) {
      it(`HTTP ${status} loses that request only`, async () => {
        const client = await later(status);
        const { error } = await client.request('session/list', {});
        // The code of a missing sign-in would offer one.
        assert.deepEqual([error?.code, error?.message], [-32603, `HTTP ${status}: the reason`]);
        assert.equal(error?.data.retryAfter, status === 429 || status === 503 ? 7 : undefined);
        assert.equal((await client.request('session/list', {})).result?.sessionId, 'goes on');
        assert.equal(client.end, undefined);
      });
    }
  });
});
