import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import type { McpServer } from '../../../../src/core/mcp/mcpServer';
import { acpRequest, fakeLink, type Scene, scene, type Way } from '../support/ways';

type Http = Extract<McpServer, { type: 'http' | 'sse' }>;
type Stdio = Extract<McpServer, { type: 'stdio' }>;

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

describe("The editor's MCP server over HTTP", () => {
  let all: Scene;
  let server: Http;

  beforeEach(async () => {
    all = await scene();
    server = (await all.declare('http, 2025')) as Http;
  });
  afterEach(() => all.end());

  /** Sends a request as a program does, which may set any header. */
  function send(
    headers: Record<string, string | undefined>,
    options: { method?: string; body?: string; url?: string } = {},
  ): Promise<Answer> {
    const { method = 'POST', body = JSON.stringify(INITIALIZE), url = server.url } = options;
    const named = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...lowerCase(server.headers),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Record<string, string>;
    return new Promise((resolve, reject) => {
      const request = httpRequest(url, { method, headers: sent }, (response) => {
        let text = '';
        response.on('data', (data) => (text += String(data)));
        response.on('end', () => resolve({ status: response.statusCode!, body: text, headers: response.headers }));
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(method === 'GET' ? undefined : body);
    });
  }

  it('listens on 127.0.0.1 alone, with a port, a path and a token of its own for each session', async () => {
    const other = (await all.declare('http, 2025', 'other')) as Http;
    const [a, b] = [new URL(server.url), new URL(other.url)];
    assert.deepEqual([a.hostname, b.hostname], ['127.0.0.1', '127.0.0.1']);
    assert.notEqual(a.port, b.port);
    assert.notEqual(a.pathname, b.pathname);
    assert.match(server.headers['Authorization']!, /^Bearer [\w-]{43}$/);
    assert.notEqual(server.headers['Authorization'], other.headers['Authorization']);
    assert.equal((await send({})).status, 200);
  });

  const refused: readonly (readonly [string, Record<string, string | undefined>, number])[] = [
    ['no token', { authorization: undefined }, 401],
    ['a wrong token', { authorization: `Bearer ${'a'.repeat(43)}` }, 401],
    ['a token with more behind it', { authorization: 'Bearer  ' }, 401],
    ['another scheme', { authorization: 'Basic YTpi' }, 401],
    ['a foreign Host', { host: 'evil.example' }, 403],
    ['a Host with another port', { host: '127.0.0.1:1' }, 403],
    ['a Host that begins like ours', { host: '127.0.0.1.evil.example' }, 403],
    ['a foreign Origin', { origin: 'https://evil.example' }, 403],
    ['an Origin of this machine', { origin: 'http://localhost:3000' }, 403],
    ['a null Origin', { origin: 'null' }, 403],
    ['a page without an Origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ];
  for (const [title, headers, status] of refused) {
    it(`refuses ${title}`, async () => {
      const answer = await send(headers);
      assert.equal(answer.status, status);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
      assert.deepEqual(all.made.ran, []);
    });
  }

  it('refuses the preflight and the GET of a page in a browser', async () => {
    const page = { origin: 'https://evil.example', authorization: undefined };
    const preflight = await send({ ...page, 'access-control-request-method': 'POST' }, { method: 'OPTIONS', body: '' });
    assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [403, undefined]);
    assert.equal((await send({ ...page, accept: 'text/html' }, { method: 'GET' })).status, 403);
  });

  it("refuses another session's token, and an unknown path", async () => {
    const other = (await all.declare('http, 2025', 'other')) as Http;
    assert.equal((await send(lowerCase(other.headers))).status, 401);
    assert.equal((await send({}, { url: new URL('/mcp/x', server.url).href })).status, 401);
    assert.equal((await send({}, { url: `${server.url}?x=1` })).status, 401);
  });

  it('answers invalid JSON, a wrong version and a large body with an error, and goes on', async () => {
    const { status, headers } = await send({});
    const session = { 'mcp-session-id': headers['mcp-session-id'] as string };
    assert.equal(status, 200);
    const invalid = await send(session, { body: '{"jsonrpc":' });
    assert.deepEqual([invalid.status, JSON.parse(invalid.body).error.code], [400, -32700]);
    assert.equal((await send({ ...session, 'mcp-protocol-version': '1999-01-01' }, { body: JSON.stringify(LIST) })).status, 400);
    assert.equal((await send({ ...session, 'content-type': 'text/plain' }, { body: JSON.stringify(LIST) })).status, 415);
    const large = JSON.stringify({ ...LIST, params: { x: 'a'.repeat(5 * 1024 * 1024) } });
    assert.equal((await send(session, { body: large })).status, 413);
    assert.equal((await send({ 'mcp-session-id': 'unknown' }, { body: JSON.stringify(LIST) })).status, 404);
    const batch = await send(session, { body: JSON.stringify([LIST, { ...LIST, id: 2, method: 'no/such' }]) });
    assert.ok(batch.status < 500, String(batch.status));
    const last = await send(session, { body: JSON.stringify(LIST) });
    assert.match(last.body, /"references"/);
  });

  it('listens to nothing after the session has ended', async () => {
    const other = (await all.declare('http, 2025', 'other')) as Http;
    all.servers.ended('a-session');
    await settled();
    await assert.rejects(send({}), /ECONNREFUSED/);
    assert.equal((await send(lowerCase(other.headers), { url: other.url })).status, 200);
  });

  it('ends the stream of a client with the session', async () => {
    const client = await all.client('http, 2025', server);
    const closed = new Promise((resolve) => (client.onerror = resolve));
    all.servers.ended('a-session');
    await closed;
  });
});

describe("The editor's MCP server on a socket", () => {
  let all: Scene;
  let server: Stdio;

  beforeEach(async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    all = await scene();
    server = (await all.declare('bridge, 2025')) as Stdio;
  });
  afterEach(() => all?.end());

  const addressOf = (): string => server.env['ACP_HOST_MCP_SOCKET']!;

  /** Sends lines, and returns what arrives until the connection ends, or until the first line. */
  function talk(...lines: string[]): Promise<string> {
    return new Promise((resolve) => {
      let text = '';
      const socket = connect(addressOf(), () => socket.write(lines.map((line) => `${line}\n`).join('')));
      socket.on('data', (data) => {
        text += String(data);
        if (text.includes('\n')) {
          socket.destroy();
        }
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
  }

  it('is in a folder that only this user may enter, and its token is in the environment alone', async () => {
    assert.equal((await stat(path.dirname(addressOf()))).mode & 0o777, 0o700);
    assert.equal(server.args.join(' ').includes(server.env['ACP_HOST_MCP_TOKEN']!), false);
    assert.deepEqual(Object.keys(server.env), ['ELECTRON_RUN_AS_NODE', 'ACP_HOST_MCP_SOCKET', 'ACP_HOST_MCP_TOKEN']);
  });

  it('is closed to another user', async function () {
    if (process.getuid?.() !== 0) {
      this.skip(); // Only root can become another user.
    }
    await chmod(all.folder, 0o755);
    const program = `require('net').connect(process.argv[1]).on('connect', () => console.log('open')).on('error', ({ code }) => console.log(code));`;
    const other = spawn(process.execPath, ['-e', program, addressOf()], {
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(other.stdout, 'data')) as [Buffer];
    other.kill();
    assert.equal(String(line).trim(), 'EACCES');
  });

  it('answers a connection with the token', async () => {
    assert.match(await talk(server.env['ACP_HOST_MCP_TOKEN']!, JSON.stringify(INITIALIZE)), /"vscode"/);
  });

  it('closes a connection without the token, with a wrong one, and with an endless line', async () => {
    const ended = '{"jsonrpc":"2.0","method":"notifications/acp-host/ended"}\n';
    assert.equal(await talk(JSON.stringify(INITIALIZE)), ended);
    assert.equal(await talk('a'.repeat(43), JSON.stringify(INITIALIZE)), ended);
    assert.ok(['', ended].includes(await talk('a'.repeat(100_000))));
    assert.equal(await talk(''), ended);
  });

  it("closes a connection with another session's token", async () => {
    const other = (await all.declare('bridge, 2025', 'other')) as Stdio;
    const token = other.env['ACP_HOST_MCP_TOKEN']!;
    assert.notEqual(other.env['ACP_HOST_MCP_SOCKET'], addressOf());
    assert.doesNotMatch(await talk(token, JSON.stringify(INITIALIZE)), /vscode/);
  });

  it('is gone with its folder after the last session has ended', async () => {
    all.servers.ended('a-session');
    await settled();
    assert.deepEqual(await readdir(all.folder), []);
  });

  it('removes the sockets of windows that have ended, and no others', async () => {
    all.servers.ended('a-session');
    await settled();
    const [stale, live] = [path.join(all.folder, 'mcp-stale'), path.join(all.folder, 'mcp-alive')];
    await Promise.all([mkdir(stale), mkdir(live), writeFile(path.join(all.folder, 'other'), '')]);
    const window = createServer().listen(path.join(live, 's'));
    await once(window, 'listening');
    const dead = createServer().listen(path.join(stale, 's'));
    await once(dead, 'listening');
    // A process that is killed leaves its socket. Node removes it when it closes, so it is made again.
    dead.close();
    await once(dead, 'close');
    await writeFile(path.join(stale, 's'), '');
    await all.declare('bridge, 2025', 'next');
    const names = (await readdir(all.folder)).sort();
    assert.ok(names.includes('mcp-alive') && names.includes('other') && !names.includes('mcp-stale'), names.join());
    window.close();
  });

  it('has a short path where the folder is too long for a socket', async () => {
    const far = await scene();
    const { BridgeSocket } = await import('../../../../src/mcp/transports/socket');
    const socket = new BridgeSocket(() => undefined, path.join(far.folder, 'a'.repeat(120)));
    const { address, close } = await socket.open(() => undefined);
    assert.ok(address.length <= 104, address);
    await close();
    await far.end();
  });

  it('closes the connection of a client that does not read', async () => {
    const { BridgeSocket } = await import('../../../../src/mcp/transports/socket');
    const far = await scene();
    let serve: (socket: Socket) => void = () => undefined;
    const served = new Promise<Socket>((resolve) => (serve = resolve));
    const { address, token, close } = await new BridgeSocket(assert.fail, far.folder).open((socket) => serve(socket));
    const client = connect(address, () => client.write(`${token}\n`));
    client.pause();
    (await served).write(Buffer.alloc(8 * 1024 * 1024));
    const late = new Promise((resolve) => setTimeout(resolve, 4000, 'late').unref());
    assert.notEqual(await Promise.race([close(), late]), 'late');
    client.destroy();
    await far.end();
  });
});

describe('MCP over ACP', () => {
  let all: Scene;
  let serverId: string;
  const link = fakeLink(() => undefined);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const way: Way = 'over ACP';

  beforeEach(async () => {
    all = await scene();
    serverId = ((await all.declare(way)) as Extract<McpServer, { type: 'acp' }>).serverId;
  });
  afterEach(() => all.end());

  const message = (params: object, signal?: AbortSignal): Promise<unknown> => acpRequest(all.servers, link, 'mcp/message', params, signal);
  const call = (requestId: string, ms: number) => ({
    serverId,
    requestId,
    method: 'tools/call',
    params: { name: 'wait', arguments: { ms }, _meta: meta },
  });
  const code = (rpcCode: number) => (error: unknown) => (error as { rpcCode: number }).rpcCode === rpcCode;

  it('answers with the inner result, and with the inner error', async () => {
    const listed = (await message({ serverId, requestId: '1', method: 'tools/list', params: { _meta: meta } })) as {
      result: { tools: object[] };
    };
    assert.equal(listed.result.tools.length, 7);
    const unknown = (await message({ serverId, requestId: '2', method: 'no/such', params: { _meta: meta } })) as {
      error: { code: number };
    };
    assert.deepEqual([unknown.error.code, 'result' in unknown], [-32601, false]);
  });

  it('rejects a malformed message, an unknown server, and an unknown method', async () => {
    for (const params of [
      {},
      { serverId },
      { serverId, requestId: 1, method: 'ping' },
      { serverId, requestId: '1', method: 'ping', params: [] },
    ]) {
      await assert.rejects(message(params), code(-32602));
    }
    await assert.rejects(message({ serverId: 'x', requestId: '1', method: 'ping' }), code(-33001));
    await assert.rejects(acpRequest(all.servers, link, 'mcp/other', {}), code(-32601));
    await assert.rejects(acpRequest(all.servers, link, 'mcp/connect', { acpId: 'x' }), code(-33001));
    await assert.rejects(acpRequest(all.servers, link, 'mcp/message', { connectionId: 'x', method: 'ping' }), code(-33001));
  });

  it('answers a message whose metadata has another form, in both shapes', async () => {
    const { connectionId } = (await acpRequest(all.servers, link, 'mcp/connect', { acpId: serverId })) as { connectionId: string };
    const task = 'io.modelcontextprotocol/related-task';
    for (const _meta of [
      5,
      null,
      'x',
      [],
      { progressToken: {} },
      { progressToken: 1.5 },
      { progressToken: null },
      { [task]: 5 },
      { [task]: { taskId: 1 } },
    ]) {
      for (const shape of [{ serverId, requestId: '1' }, { connectionId }]) {
        const answer = message({ ...shape, method: 'tools/list', params: { _meta } });
        await assert.rejects(Promise.race([answer, settled()]), code(-32602), JSON.stringify([_meta, shape]));
      }
    }
    const listed = message({ serverId, requestId: '1', method: 'tools/list', params: { _meta: { ...meta, progressToken: 1 } } });
    assert.ok('result' in ((await listed) as object));
  });

  it('rejects a request id that is active, a cancelled request, and too many', async () => {
    const abort = new AbortController();
    const first = message(call('1', 300), abort.signal);
    await assert.rejects(message(call('1', 1)), code(-32602));
    abort.abort();
    await assert.rejects(first, code(-32800));
    const many = [...Array(64).keys()].map((n) => message(call(`m${n}`, 10)).catch(() => undefined));
    await assert.rejects(message(call('last', 10)), code(-33000));
    await Promise.all(many);
  });

  it("is closed to another agent, to another agent's connection, and after the session's end", async () => {
    const other = new Promise((resolve, reject) =>
      all.servers
        .channel('other-agent')
        .request(link, 'mcp/message', call('1', 1), { result: resolve, error: reject }, new AbortController().signal),
    );
    await assert.rejects(other, code(-33001));
    const { connectionId } = (await acpRequest(all.servers, link, 'mcp/connect', { acpId: serverId })) as { connectionId: string };
    await assert.rejects(
      acpRequest(
        all.servers,
        fakeLink(() => undefined),
        'mcp/disconnect',
        { connectionId },
      ),
      code(-33001),
    );
    all.servers.ended('a-session');
    await assert.rejects(message(call('2', 1)), code(-33001));
    await assert.rejects(acpRequest(all.servers, link, 'mcp/message', { connectionId, method: 'ping' }), code(-33001));
  });

  it('fails the active requests when the session ends', async () => {
    const open = message(call('1', 5000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    all.servers.ended('a-session');
    await assert.rejects(open, code(-33002));
  });
});

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}
