/** A version of an installed agent stays in use while its keeper holds it, also after the window has ended. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { Traces } from '../../../src/acp/trace/traces';
import type { KeptAgent } from '../../../src/core/keeper/keptAgent';
import { systemClock } from '../../../src/util/clock';
import { isGone } from '../../../src/util/fileLock';
import { connector } from '../../../src/workbench/agents/connector';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const AGENT = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 1, agentCapabilities: {} } }));
}).on('close', () => process.exit(0));`;

describe('the start of an agent that a keeper holds', function () {
  this.timeout(60_000);

  it('reports the process of the keeper, which may outlive the window', async () => {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'kept-use-')));
    try {
      const program = path.join(root, 'keeper.js');
      await build({
        ...{ bundle: true, platform: 'node', target: 'node20', external: ['vscode', 'node-pty'], logLevel: 'error' },
        ...{ entryPoints: ['src/agent/keeper/main.ts'], outfile: program },
      });
      const calls: unknown[] = [];
      let kept: KeptAgent | undefined;
      const limits = { mode: 'reload', awayMs: 15_000, idleMs: 60_000, requestMs: 60_000 } as const;
      const connect = connector({
        ...{ clock: systemClock, log: quiet, environment: process.env, version: '0', traces: new Traces(systemClock) },
        launchFolders: (_, folder) => ({ cwd: folder }),
        demo: { agentId: 'D', agentName: 'D', command: 'none', args: ['none'], env: {} },
        keeping: () => ({ places: { folder: path.join(root, 'keepers'), program, node: process.execPath }, limits }),
        follow: () => ({
          ready: () => calls.push('ready'),
          kept: (pid) => calls.push(pid),
          ended: () => void calls.push('ended'),
        }),
      });
      const launch = { agentId: 'A', agentName: 'A', command: process.execPath, args: ['-e', AGENT], env: {} };
      const connection = await new Promise<{ dispose(): void }>((resolve, reject) => {
        const agent = connect(
          launch,
          root,
        )({
          client: { request: () => undefined, notification: () => undefined } as never,
          onProgress: () => undefined,
          onKept: (each) => (kept = each),
          onReady: () => resolve(agent),
          onEnd: reject,
        });
      });
      assert.deepEqual(calls, [kept!.keeperPid, 'ready']);
      connection.dispose();
      assert.equal(calls.at(-1), 'ended');
      while (!isGone(kept!.keeperPid)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
  });
});
