/** The editor's server of a session whose agent outlives the window: the next window serves it at the address that the agent has. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { McpServer } from '../../../../src/core/mcp/mcpServer';
import { LoopbackHttp } from '../../../../src/mcp/transports/http';
import { BridgeSocket } from '../../../../src/mcp/transports/socket';
import { AGENT, acpRequest, fakeLink, type Scene, scene, type Way } from '../support/ways';

type Http = Extract<McpServer, { type: 'http' | 'sse' }>;

const KEY = 'a-session';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe("the editor's server in the next window", function () {
  this.timeout(20_000);
  let first: Scene;
  let next: Scene;

  beforeEach(async () => {
    [first, next] = await Promise.all([scene(), scene()]);
  });
  afterEach(async () => {
    await first.end();
    await next.end();
  });

  /** The server as the window leaves it for the next one. */
  const left = (): McpServer => JSON.parse(JSON.stringify(first.servers.addressOf(KEY))) as McpServer;
  const continued = (server: McpServer): Promise<McpServer | undefined> =>
    next.servers.declare(
      {
        key: KEY,
        agentId: AGENT,
        agentName: 'Some Agent',
        roots: { cwd: '/w', additionalDirectories: [] },
        capabilities: { stdio: true, http: server.type === 'http', sse: false, acp: server.type === 'acp' },
      },
      server,
    );

  for (const way of ['http, 2025', 'http, 2026', 'bridge, 2025', 'bridge, 2026'] satisfies Way[]) {
    it(`answers the same client (${way})`, async () => {
      const client = await first.client(way, await first.declare(way));
      await client.callTool({ name: 'references', arguments: { file: 'a.ts' } });
      const server = left();
      first.servers.dispose();
      await continued(server);
      // The client learns that its connections are closed.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const answers = await Promise.all(
        [1, 2].map((line) => client.callTool({ name: 'references', arguments: { file: 'a.ts', line } }, { timeout: 5000 })),
      );
      assert.deepEqual(
        answers.map(({ content }) => (content as { text: string }[])[0]!.text),
        ['a.ts:1  const a = 1;', 'a.ts:2  const a = 1;'],
      );
      assert.deepEqual([first.made.ran.length, next.made.ran.length], [1, 2]);
      assert.deepEqual(next.servers.addressOf(KEY), server);
    });
  }

  it('answers over ACP under the same id', async () => {
    await first.declare('over ACP');
    const server = left() as Extract<McpServer, { type: 'acp' }>;
    first.servers.dispose();
    await continued(server);
    const link = fakeLink(() => undefined);
    const { serverId } = server;
    const answer = await acpRequest(next.servers, link, 'mcp/message', {
      serverId,
      requestId: '1',
      method: 'tools/list',
      params: { _meta: META },
    });
    assert.equal((answer as { result: { tools: object[] } }).result.tools.length, 7);
    assert.ok(await acpRequest(next.servers, link, 'mcp/connect', { acpId: serverId }));
  });

  for (const way of ['http, 2025', 'bridge, 2025'] satisfies Way[]) {
    it(`waits while the window before still has the address (${way})`, async () => {
      const client = await first.client(way, await first.declare(way));
      const server = left();
      const waiting = continued(server);
      // A reload in the meantime continues there, too.
      assert.deepEqual(next.servers.addressOf(KEY), server);
      await new Promise((resolve) => setTimeout(resolve, 100));
      first.servers.ended(KEY, true);
      await waiting;
      const { tools } = await client.listTools(undefined, { timeout: 5000 });
      assert.equal(tools.length, 7);
    });
  }

  it('listens to nothing when the session ends while it waits', async () => {
    const server = (await first.declare('http, 2025')) as Http;
    const waiting = continued(server);
    await new Promise((resolve) => setTimeout(resolve, 50));
    next.servers.ended(KEY);
    first.servers.ended(KEY);
    await waiting;
    await assert.rejects(fetch(server.url, { method: 'POST' }));
    assert.equal(next.servers.addressOf(KEY), undefined);
  });

  it('is not continued after the user has switched the tools off', async () => {
    const server = await first.declare('http, 2025');
    first.servers.dispose();
    next.settings.mode = 'off';
    await continued(server);
    assert.equal(next.servers.addressOf(KEY), undefined);
  });

  it('opens at a new address when the agent is started again', async () => {
    const server = await first.declare('http, 2025');
    first.servers.dispose();
    await continued(server);
    next.servers.ended(KEY);
    const again = (await next.declare('http, 2025')) as Http;
    assert.notDeepEqual(again.headers, (server as Http).headers);
  });
});

describe('an address of an earlier window', () => {
  const answer = (): Promise<Response> => Promise.resolve(new Response('ours'));
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  const opened = async (http: LoopbackHttp, ...[earlier]: [Parameters<LoopbackHttp['open']>[1]?]) => {
    const endpoint = await http.open(answer, earlier);
    closing.push(() => endpoint.close());
    return endpoint;
  };

  it('is given up when another program keeps the port', async () => {
    const { url, headers, close } = await new LoopbackHttp(assert.fail).open(answer);
    await close();
    const other: Server = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(other, 'listening');
    const taken = new LoopbackHttp(assert.fail, { pause: 1 }).open(answer, { url, headers });
    await assert.rejects(taken, { code: 'EADDRINUSE' });
    other.close();
  });

  it('takes the token alone, and only from programs of this user', async () => {
    let isOther = false;
    const { url, headers, close } = await new LoopbackHttp(assert.fail).open(answer);
    await close();
    await opened(new LoopbackHttp(assert.fail, { isOther: () => isOther }), { url, headers });
    const statusOf = async (sent: HeadersInit): Promise<number> =>
      (await fetch(url, { headers: { ...sent, 'sec-fetch-mode': 'cors' } })).status;
    assert.deepEqual([await statusOf(headers), await statusOf({})], [200, 401]);
    isOther = true;
    assert.equal(await statusOf(headers), 403);
  });

  it('is served to no other user on Linux, who may have listened there in between', async function () {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      this.skip(); // Only root can become another user.
    }
    const { url, headers, close } = await new LoopbackHttp(assert.fail).open(answer);
    await close();
    await opened(new LoopbackHttp(assert.fail), { url, headers });
    const program = `
      const request = require('http').get(process.argv[1], { headers: JSON.parse(process.argv[2]) }, ({ statusCode }) => process.exit(statusCode - 200));
      request.on('error', () => process.exit(255));`;
    const statuses: number[] = [];
    for (const uid of [65_534, 0]) {
      const child = spawn(process.execPath, ['-e', program, url, JSON.stringify(headers)], { uid, gid: uid, cwd: '/', stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number];
      statuses.push(code + 200);
    }
    assert.deepEqual(statuses, [403, 200]);
  });

  it('is not used for a bridge in a folder that another user can enter', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const folder = await mkdtemp(path.join(tmpdir(), 'm-'));
    closing.push(() => rm(folder, { recursive: true }));
    const sockets = new BridgeSocket(assert.fail, folder);
    const { address, token, close } = await sockets.open(() => undefined);
    await close();
    await mkdir(path.dirname(address));
    await chmod(path.dirname(address), 0o755);
    await assert.rejects(
      sockets.open(() => undefined, { address, token }),
      { code: 'EEXIST' },
    );
    await chmod(path.dirname(address), 0o700);
    const again = await sockets.open(() => undefined, { address, token });
    assert.deepEqual([again.address, again.token], [address, token]);
    await again.close();
  });
});
