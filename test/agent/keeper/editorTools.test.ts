/** The editor's tools in a turn that outlives its window: the agent calls them again in the next window, at the address that it has. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build, type BuildOptions } from 'esbuild';
import type { WindowOptions } from './window';

describe("the editor's tools of an agent whose window goes away", function () {
  this.timeout(60_000);
  const children = new Set<ChildProcess>();
  let built: string;
  let root: string;

  before(async () => {
    built = await mkdtemp(path.join(tmpdir(), 'acp-host-keeper-'));
    const shared: BuildOptions = { bundle: true, platform: 'node', target: 'node20', external: ['vscode', 'node-pty'], logLevel: 'error' };
    await build({ ...shared, entryPoints: ['src/agent/keeper/main.ts'], outfile: path.join(built, 'keeper.js') });
    await build({ ...shared, entryPoints: ['src/mcp/bridge/bridge.ts'], outfile: path.join(built, 'mcp-bridge.js') });
    await build({ ...shared, entryPoints: ['test/agent/keeper/window.ts'], outfile: path.join('out/test/keeper', 'window.js') });
  });

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'acp-host-kept-')));
    mkdirSync(path.join(root, 'marks'));
  });

  afterEach(async () => {
    children.forEach((child) => child.kill('SIGKILL'));
    children.clear();
    await rm(root, { recursive: true, force: true });
  });

  after(() => rm(built, { recursive: true, force: true }));

  const start = (way: 'http' | 'stdio', isLater: boolean): { readonly child: ChildProcess; readonly said: string[] } => {
    const options: WindowOptions = {
      root,
      program: path.join(built, 'keeper.js'),
      bridge: path.join(built, 'mcp-bridge.js'),
      launch: {
        agentId: 'Tools',
        agentName: 'Tools',
        command: process.execPath,
        args: [path.resolve(__dirname, 'toolsAgent.mjs'), way, path.join(root, 'marks')],
        env: {},
      },
      limits: { mode: 'reload', awayMs: 15_000, idleMs: 60_000, requestMs: 60_000 },
      isLater,
      answerMs: 30,
    };
    const child = spawn(process.execPath, ['out/test/keeper/window.js', JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', process.env['ACP_HOST_KEEPER_LOG'] ? 'inherit' : 'ignore'],
    });
    children.add(child);
    const said: string[] = [];
    child.stdout.on('data', (data: Buffer) => said.push(...data.toString().split('\n')));
    return { child, said };
  };

  const until = async (what: string, holds: () => boolean): Promise<void> => {
    for (let wait = 0; !holds(); wait++) {
      assert.ok(!existsSync(path.join(root, 'marks', 'failed')), what);
      assert.ok(wait < 1000, what);
      await delay(20);
    }
  };
  const go = (name: string): void => writeFileSync(path.join(root, 'marks', `go-${name}`), '');
  const marked = async (name: string): Promise<string> => {
    const file = path.join(root, 'marks', name);
    await until(name, () => existsSync(file));
    await delay(20);
    return readFileSync(file, 'utf8');
  };

  /** Returns the window's file of the session, and everything else that was stored. */
  function stored(): string {
    const files = readdirSync(path.join(root, 'store'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const records = readdirSync(path.join(root, 'keepers')).filter((name) => name.endsWith('.json'));
    return [...files.map(({ name, parentPath }) => path.join(parentPath, name)), ...records.map((name) => path.join(root, 'keepers', name))]
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
  }

  for (const way of ['http', 'stdio'] as const) {
    for (const end of ['is killed', 'reloads'] as const) {
      it(`go on after the window ${end} (${way})`, async () => {
        const first = start(way, false);
        assert.equal(await marked('before'), `window ${first.child.pid}`);
        // The keeper has the note.
        await delay(500);
        first.child.kill(end === 'is killed' ? 'SIGKILL' : 'SIGTERM');
        await once(first.child, 'exit');
        go('gap');
        assert.match(await marked('gap'), way === 'http' ? /^failed/ : /^$/);
        const second = start(way, true);
        await until('the next window', () => second.said.some((line) => line.startsWith('served')));
        const texts = stored();
        go('after');
        assert.equal(await marked('after'), `window ${second.child.pid}`);
        await until('the end', () => second.said.some((line) => line.startsWith('done')));
        assert.doesNotMatch(texts + stored(), /Bearer|\/mcp\/[\w-]{43}|ACP_HOST_MCP_TOKEN/);
      });
    }
  }

  it('are reported as lost when another program has their port', async () => {
    const first = start('http', false);
    await marked('before');
    await delay(500);
    const [line] = first.said.filter((each) => each.startsWith('served'));
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const other = createServer().listen(Number(line!.split(' ')[1]), '127.0.0.1');
    await once(other, 'listening');
    const second = start('http', true);
    await until('the notice', () => second.said.includes('notice mcp.not_continued'));
    other.close();
  });
});
