import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { McpServer } from '../../../../src/core/mcp/mcpServer';
import { type Scene, scene } from '../../mcp/support/ways';

describe("the editor's server of a session", () => {
  let all: Scene;

  beforeEach(async () => (all = await scene()));
  afterEach(() => all.end());

  const request = (key: string, capabilities: { http?: boolean; acp?: boolean }) => ({
    key,
    agentId: 'ada',
    agentName: 'Ada',
    roots: { cwd: '/w', additionalDirectories: [] },
    capabilities: { stdio: true, http: false, sse: true, acp: false, ...capabilities },
  });
  const declare = (key: string, capabilities: { http?: boolean; acp?: boolean }): Promise<McpServer | undefined> =>
    all.servers.declare(request(key, capabilities));

  it('is declared in the first way that the agent takes', async () => {
    const types = await Promise.all([declare('a', { acp: true, http: true }), declare('b', { http: true }), declare('c', {})]);
    assert.deepEqual(
      types.map((server) => [server?.type, server?.name]),
      [
        ['acp', 'vscode'],
        ['http', 'vscode'],
        ['stdio', 'vscode'],
      ],
    );
  });

  it("runs the bridge with VS Code's own Node", async () => {
    const { command, args, env } = (await declare('a', {})) as Extract<McpServer, { type: 'stdio' }>;
    assert.deepEqual([command, args.length, env['ELECTRON_RUN_AS_NODE']], [process.execPath, 1, '1']);
  });

  it('is not declared for an agent without tools, nor for one in a sandbox that it cannot reach', async () => {
    all.settings.mode = { Ada: 'off', '*': 'all' };
    assert.equal(all.servers.isActive({ agentId: 'ada', agentName: 'Ada' }), false);
    assert.equal(all.servers.isActive({ agentId: 'bob', agentName: 'Bob' }), true);
    assert.equal(await declare('a', { http: true }), undefined);
    all.settings.mode = 'all';
    all.sandboxed.add('a');
    assert.deepEqual([await declare('a', { http: true }), await declare('a', {})], [undefined, undefined]);
    assert.equal((await declare('a', { acp: true }))?.type, 'acp');
  });

  it('gets a new address and token when the session is opened again, and the old ones end', async () => {
    const first = (await declare('a', {})) as Extract<McpServer, { type: 'stdio' }>;
    all.servers.ended('a');
    const second = (await declare('a', {})) as Extract<McpServer, { type: 'stdio' }>;
    assert.notEqual(first.env['ACP_HOST_MCP_TOKEN'], second.env['ACP_HOST_MCP_TOKEN']);
    await assert.rejects(all.client('bridge, 2025', first));
    const client = await all.client('bridge, 2025', second);
    assert.equal((await client.listTools()).tools.length, 7);
  });

  it('stays when the session is requested again at the same agent with other folders', async () => {
    const first = (await declare('a', {})) as Extract<McpServer, { type: 'stdio' }>;
    const client = await all.client('bridge, 2025', first);
    await client.listTools();
    const roots = { cwd: '/other', additionalDirectories: [] };
    assert.deepEqual(await all.servers.declare({ ...request('a', {}), roots }), first);
    assert.equal((await client.listTools()).tools.length, 7);
    assert.equal((await declare('a', { http: true }))?.type, 'http');
  });

  it('leaves nothing behind when the session ends while the server is being declared, and when the window ends', async () => {
    const declaring = declare('a', {});
    all.servers.ended('a');
    assert.equal(await declaring, undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await readdir(all.folder), []);
    await declare('b', {});
    all.servers.dispose();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await readdir(all.folder), []);
  });
});
