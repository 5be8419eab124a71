/** Strangers and broken clients at the address of a sharing. */
import assert from 'node:assert/strict';
import { createServer, type Socket, connect } from 'node:net';
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import type { Clock } from '../../../src/core/platform/clock';
import type { Log } from '../../../src/core/platform/log';
import { Sharing } from '../../../src/share/sharing';
import { systemClock } from '../../../src/util/clock';
import { SharedClient, until } from '../../support/share/sharedClient';
import { FakeShared } from './fakeShared';

describe('the address of a shared session', function () {
  this.timeout(60_000);
  let sharing: Sharing;
  let session: FakeShared;
  let port: number;
  const logged: string[] = [];
  /** The bounds of time are reached 20 times as fast in the tests that need them. */
  let haste = 1;
  const clock: Clock = { now: () => systemClock.now(), after: (ms, callback) => systemClock.after(ms / haste, callback) };
  const sockets: Socket[] = [];
  const clients: SharedClient[] = [];

  beforeEach(async () => {
    logged.length = 0;
    haste = 1;
    const write = (text: string): void => void logged.push(text);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    sharing = new Sharing({ clock, log, version: '0', redact: (text) => text, secretStart: () => 0, changed: () => undefined });
    session = new FakeShared();
    sharing.add(session);
    await sharing.start({ host: '127.0.0.1' });
    port = Number(new URL(sharing.url!.replace('ws:', 'http:')).port);
  });
  afterEach(async () => {
    sockets.splice(0).forEach((each) => each.destroy());
    clients.splice(0).forEach((each) => each.close());
    await sharing.stop();
  });

  /** Sends a text as it is. Resolves to the first line of the answer, or `closed`. */
  function raw(text: string | Buffer): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      let answer = '';
      socket.on('data', (data) => {
        answer += data.toString('latin1');
        if (answer.includes('\r\n')) {
          resolve(answer.split('\r\n')[0]!);
        }
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve('closed'));
      socket.write(text);
    });
  }

  function handshake(headers: Record<string, string>, path = '/acp'): string {
    const all = {
      Host: `127.0.0.1:${port}`,
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      ...headers,
    };
    return `GET ${path} HTTP/1.1\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;
  }

  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  async function attach(right: 'read' | 'answer', name?: string): Promise<SharedClient> {
    const client = new SharedClient({ ...(name && { name }) });
    clients.push(client);
    await client.open(sharing.url!, sharing.issue(right));
    await client.load('one');
    return client;
  }

  it('answers nothing without a token, and with a wrong one', async () => {
    const token = sharing.issue('answer');
    const last = token.endsWith('A') ? 'B' : 'A';
    assert.equal(await raw(handshake({})), 'HTTP/1.1 401 Unauthorized');
    assert.equal(await raw(handshake(bearer('x'))), 'HTTP/1.1 401 Unauthorized');
    assert.equal(await raw(handshake(bearer(token.slice(0, -1) + last))), 'HTTP/1.1 401 Unauthorized');
    assert.equal(await raw(handshake(bearer(token.slice(0, -1)))), 'HTTP/1.1 401 Unauthorized');
    assert.equal(await raw(handshake({}, `/acp?token=${token}`)), 'HTTP/1.1 404 Not Found');
    assert.equal(await raw(`GET /acp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`), 'HTTP/1.1 401 Unauthorized');
    assert.equal(await raw(handshake(bearer(token))), 'HTTP/1.1 101 Switching Protocols');
  });

  it('takes the token among the subprotocols, and does not send it back', async () => {
    const token = sharing.issue('read');
    const socket = new WebSocket(sharing.url!, ['acp', `acp.bearer.${token}`]);
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    assert.equal(socket.protocol, 'acp');
    socket.terminate();
  });

  it('refuses web pages and foreign names of this machine', async () => {
    const token = sharing.issue('answer');
    assert.equal(await raw(handshake({ ...bearer(token), Origin: 'https://evil.example' })), 'HTTP/1.1 403 Forbidden');
    assert.equal(await raw(handshake({ ...bearer(token), Origin: 'null' })), 'HTTP/1.1 403 Forbidden');
    assert.equal(await raw(handshake({ ...bearer(token), Host: `evil.example:${port}` })), 'HTTP/1.1 403 Forbidden');
    assert.equal(await raw(handshake({ ...bearer(token), Host: `127.0.0.1.evil.example:${port}` })), 'HTTP/1.1 403 Forbidden');
    assert.equal(await raw(handshake({ ...bearer(token), Host: `localhost:${port}` })), 'HTTP/1.1 101 Switching Protocols');
  });

  it('refuses a handshake that was recorded', async () => {
    const recorded = handshake(bearer(sharing.issue('answer')));
    assert.equal(await raw(recorded), 'HTTP/1.1 101 Switching Protocols');
    assert.equal(await raw(recorded), 'HTTP/1.1 409 Conflict');
  });

  it('limits attempts with wrong tokens, without locking out the user', async () => {
    const token = sharing.issue('answer');
    const other = sharing.issue('read');
    const guess = (): string => token.slice(0, 8) + randomBytes(32).toString('base64url');
    const answers: string[] = [];
    for (let index = 0; index < 14; index++) {
      answers.push(await raw(handshake(bearer(guess()))));
    }
    assert.deepEqual(answers.slice(8, 12), [
      'HTTP/1.1 401 Unauthorized',
      'HTTP/1.1 401 Unauthorized',
      'HTTP/1.1 429 Too Many Requests',
      'HTTP/1.1 429 Too Many Requests',
    ]);
    for (let index = 0; index < 14; index++) {
      answers.push(await raw(handshake({})));
    }
    assert.equal(answers.at(-1), 'HTTP/1.1 429 Too Many Requests');
    assert.equal(logged.length, 20, 'the log is not filled');
    assert.equal(await raw(handshake(bearer(other))), 'HTTP/1.1 101 Switching Protocols');
  });

  it('no longer takes a token that was revoked, and disconnects its clients', async () => {
    const client = await attach('read');
    const [given] = sharing.given;
    sharing.revoke(given!.accessId);
    await until('the end', () => client.closed);
  });

  it('sends no message of a client that waits when its token is revoked, also after it has left', async () => {
    let count = 0;
    const removed: string[] = [];
    session.prompt = (content) => {
      const turnId = `q${++count}`;
      session.happen({ type: 'message_queued', queueId: turnId, content: [...content], size: 1 });
      return { turnId };
    };
    session.removeQueued = (turnId) => {
      removed.push(turnId);
      session.happen({ type: 'queued_message_removed', queueId: turnId });
    };
    const client = await attach('answer');
    const other = await attach('answer');
    const say = (from: SharedClient): void =>
      void from.agent.request('session/prompt', { sessionId: 'one', prompt: [{ type: 'text', text: 'x' }] }).catch(() => undefined);
    say(client);
    await until('the first', () => count === 1);
    say(other);
    await until('the second', () => count === 2);
    say(client);
    await until('the third', () => count === 3);
    const [given] = sharing.given;
    client.close();
    await until('the client to leave', () => sharing.attached.length === 1);
    sharing.revoke(given!.accessId);
    assert.deepEqual(removed, ['q3', 'q1']);
    assert.deepEqual(
      session.state.queue.map(({ queueId }) => queueId),
      ['q2'],
    );
    sharing.withdraw({ key: 'one' });
    assert.deepEqual(session.state.queue, []);
  });

  it('lets no client change its name', async () => {
    const client = await attach('answer', 'Phone');
    await assert.rejects(client.agent.request('initialize', { protocolVersion: 1, clientInfo: { name: 'The user', version: '1' } }));
    assert.deepEqual(
      sharing.attached.map(({ name }) => name),
      ['Phone'],
    );
  });

  it('writes no token to the log', async () => {
    const token = sharing.issue('answer');
    await raw(handshake({ ...bearer(token), Origin: 'https://evil.example' }));
    await raw(handshake({ ...bearer(token), Host: 'evil.example' }));
    await raw(handshake({}, `/${token}`));
    await raw(handshake(bearer(`${token}x`)));
    assert.equal(logged.length, 4);
    assert.ok(!logged.join('\n').includes(token.slice(8)), logged.join('\n'));
    assert.ok(!JSON.stringify(sharing.given).includes(token.slice(8)));
  });

  it('bounds 200 connections', async () => {
    const token = sharing.issue('answer');
    const answers = await Promise.all(Array.from({ length: 200 }, () => raw(handshake(bearer(token)))));
    const count = (start: string): number => answers.filter((answer) => answer.startsWith(start)).length;
    assert.equal(count('HTTP/1.1 101'), 16);
    assert.equal(count('HTTP/1.1 101') + count('HTTP/1.1 503') + count('closed'), 200);
    sockets.splice(0).forEach((each) => each.destroy());
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await raw(handshake(bearer(token))), 'HTTP/1.1 101 Switching Protocols', 'the next client has room again');
  });

  it('closes silent connections', async () => {
    const started = Date.now();
    assert.match(await raw('GET /acp HTTP/1.1\r\n'), /^(?:closed|HTTP\/1\.1 408.*)$/);
    assert.ok(Date.now() - started < 10_000);
  });

  it('closes a connection with headers of 100 KB, and with garbage', async () => {
    assert.match(await raw(handshake({ 'X-Long': 'x'.repeat(100_000) })), /^(?:closed|HTTP\/1\.1 431.*)$/);
    assert.match(await raw(randomBytes(4000)), /^(?:closed|HTTP\/1\.1 400.*)$/);
    assert.match(await raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc'), /^(?:closed|HTTP\/1\.1 400.*)$/);
    await attach('answer');
  });

  for (const [what, size, right] of [
    ['a prompt of 9 MB', 9 * 1024 * 1024, 'answer'],
    ['a message of 100 KB from a reader', 100 * 1024, 'read'],
  ] as const) {
    it(`ends the connection at ${what}`, async () => {
      const [client, other] = [await attach(right), await attach('read')];
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'session/list', params: { x: 'x'.repeat(size) } }));
      await until('the end', () => client.closed);
      assert.equal((await other.list()).sessions.length, 1);
    });
  }

  for (const [what, text] of [
    ['text that is no JSON', '{"jsonrpc"'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]'],
    ['a number', '7'],
  ] as const) {
    it(`ends the connection at ${what}`, async () => {
      const client = await attach('answer');
      client.socket.send(text);
      await until('the end', () => client.closed);
    });
  }

  it('answers wrong parameters with errors, and stays', async () => {
    const client = await attach('answer');
    const wrong: readonly (readonly [string, unknown])[] = [
      ['session/prompt', { sessionId: 'one', prompt: 'text' }],
      ['session/prompt', { sessionId: 'one', prompt: [] }],
      [
        'session/prompt',
        { sessionId: 'one', prompt: [{ type: 'resource', resource: { uri: 'acp-host:/one/your-changes-1.md', text: 'x' } }] },
      ],
      ['session/load', { sessionId: '__proto__', cwd: '/', mcpServers: [] }],
      ['session/set_config_option', { sessionId: 'one', configId: 'invented', value: 'x' }],
      ['session/load', {}],
      ['session/nothing', {}],
    ];
    for (const [method, params] of wrong) {
      await assert.rejects(client.agent.request(method, params), method);
    }
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    client.socket.send(`{"jsonrpc":"2.0","id":777,"method":"session/prompt","params":{"sessionId":"one","prompt":${deep}}}`);
    assert.deepEqual([session.prompts, session.answers], [[], []]);
    assert.equal((await client.list()).sessions.length, 1);
  });

  it('does nothing before initialize, and ends a client that never sends it', async () => {
    haste = 20;
    const socket = new WebSocket(sharing.url!, { headers: bearer(sharing.issue('answer')) });
    const answers: string[] = [];
    socket.on('message', (data) => answers.push(String(data)));
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/list', params: {} }));
    await until('the answer', () => answers.length === 1);
    assert.match(answers[0]!, /initialize/);
    assert.deepEqual(sharing.attached, []);
    let isClosed = false;
    socket.on('close', () => (isClosed = true));
    await until('the end', () => isClosed, 15_000);
  });

  it('keeps little for a reader that does not read, and ends it', async () => {
    haste = 20;
    const client = await attach('read');
    client.socket.pause();
    const before = process.memoryUsage().arrayBuffers;
    // 64 MB of new messages, of which the client reads none.
    for (let index = 0; index < 256; index++) {
      session.say('x'.repeat(256 * 1024), `m${index}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 40 * 1024 * 1024, 'the socket holds no more than its bound');
    await until('the end', () => sharing.attached.length === 0, 60_000);
    assert.match(logged.join('\n'), /no reading for too long/);
  });

  it('sends a long conversation to a slow reader without holding the window', async () => {
    for (let index = 0; index < 2000; index++) {
      session.say('words '.repeat(200), `m${index}`);
    }
    const client = new SharedClient();
    clients.push(client);
    await client.open(sharing.url!, sharing.issue('read'));
    // The messages that are sent in one turn of the event loop.
    const { send } = WebSocket.prototype;
    let most = 0;
    let sent = 0;
    WebSocket.prototype.send = function (this: WebSocket, ...args: Parameters<typeof send>): void {
      if (sent++ === 0) {
        setImmediate(() => {
          most = Math.max(most, sent);
          sent = 0;
        });
      }
      send.apply(this, args);
    } as typeof send;
    try {
      await client.load('one');
    } finally {
      WebSocket.prototype.send = send;
    }
    assert.equal(client.text('agent_message_chunk').length, 2000 * 1200);
    assert.ok(most > 0 && most <= 100, `${most} messages in one turn`);
  });

  it('listens nowhere before it starts, nor after it has stopped', async () => {
    const { url } = sharing;
    await attach('answer');
    await sharing.stop();
    assert.equal(sharing.url, undefined);
    await assert.rejects(new SharedClient().open(url!, 'x'));
    // The port is free again.
    const probe = createServer();
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, '127.0.0.1', resolve));
    await new Promise((resolve) => probe.close(resolve));
    const idle = new Sharing({
      clock: systemClock,
      log: console as never,
      version: '0',
      redact: (text) => text,
      secretStart: () => 0,
      changed: () => undefined,
    });
    idle.add(new FakeShared());
    assert.equal(idle.url, undefined);
  });

  it('does not listen when it is stopped while it starts, and listens once', async () => {
    const other = new Sharing({
      clock,
      log: console as never,
      version: '0',
      redact: (text) => text,
      secretStart: () => 0,
      changed: () => undefined,
    });
    other.add(new FakeShared());
    const starting = other.start({ host: '127.0.0.1' });
    await other.stop();
    await starting;
    assert.equal(other.url, undefined);
    other.add(new FakeShared());
    await Promise.all([other.start({ host: '127.0.0.1' }), other.start({ host: '127.0.0.1' })]);
    const { url } = other;
    await other.start({ host: '127.0.0.1' });
    assert.equal(other.url, url);
    await other.stop();
  });

  it('is not of the network without TLS', async () => {
    const other = new Sharing({
      clock: systemClock,
      log: console as never,
      version: '0',
      redact: (text) => text,
      secretStart: () => 0,
      changed: () => undefined,
    });
    await assert.rejects(other.start({ host: '0.0.0.0' }), /TLS/);
    await assert.rejects(other.start({ host: '192.168.1.2' }), /TLS/);
  });
});
