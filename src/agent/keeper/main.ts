/**
 * The keeper: a program that VS Code's own Node runs. It starts one agent, holds its process, and outlives the window for a while. Its instructions
 * come from the standard input, because they contain secrets.
 */
import { spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FRAMES, KEEPER_PROTOCOL, type KeeperRecord, type KeeperStart } from '../../core/keeper/messages';
import type { Disposable } from '../../core/platform/disposable';
import { systemClock } from '../../util/clock';
import { SpawnedAgent } from '../spawnedAgent';
import { FrameLog } from './frameLog';
import { Keeper } from './keeper';
import { serveKeeper } from './server';

/**
 * Ends the agent's process group when the keeper is killed: the pipe then ends without a line. It is a shell, because that takes a hundredth of the
 * memory of Node.
 */
const WATCH = 'read -r line && exit 0; kill -TERM -"$1" 2>/dev/null; sleep 2; kill -KILL -"$1" 2>/dev/null';

process.on('SIGHUP', () => undefined);
process.stdout.on('error', () => undefined);

void readInstructions()
  .then(run)
  .catch((error: unknown) => {
    process.stderr.write(String(error), () => process.exit(2));
  });

async function readInstructions(): Promise<KeeperStart> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as KeeperStart;
}

async function run(start: KeeperStart): Promise<void> {
  const { id, token, address, record, launch, program, mark } = start;
  const frames = new FrameLog(path.join(path.dirname(record), `${id}${FRAMES}`));
  const held: { keeper?: Keeper; server?: Disposable; watcher?: Disposable | undefined } = {};
  const end = (): void => {
    held.watcher?.dispose();
    held.server?.dispose();
    frames.close();
    rmSync(record, { force: true });
    process.exit(0);
  };
  held.server = await serveKeeper({
    address,
    token,
    maxBytes: start.maxLineBytes * 2,
    hasWindow: () => held.keeper?.hasWindow ?? true,
    onWindow: (window) => held.keeper?.connect(window),
    onMessage: (text) => held.keeper?.message(text),
    onLeft: (window) => held.keeper?.left(window),
  });
  // An agent must not start when this fails, because it is then started without a keeper.
  try {
    const found: KeeperRecord = { id, protocol: KEEPER_PROTOCOL, address, token, pid: process.pid, mark };
    writeFileSync(`${record}.new`, JSON.stringify(found), { mode: 0o600 });
    renameSync(`${record}.new`, record);
  } catch (error) {
    held.server.dispose();
    rmSync(`${record}.new`, { force: true });
    throw error;
  }
  held.keeper = new Keeper(start, {
    clock: systemClock,
    log: frames,
    start: ({ onStarted, onStderrLine }) =>
      new SpawnedAgent(
        { ...launch, agentId: launch.agentName, env: {} },
        {
          clock: systemClock,
          log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
          mark,
          onStarted: (pid) => {
            held.watcher = watch(pid);
            onStarted(pid);
          },
          onStderrLine,
        },
        async () => ({ program }),
      ),
    onEnd: end,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => held.keeper?.finish());
  }
  process.stdout.write('ready\n');
}

/** Ends the process group of `pid` when this process is killed. Disposed when the group is gone. */
function watch(pid: number): Disposable | undefined {
  if (process.platform === 'win32') {
    return undefined; // An agent ends with its standard input.
  }
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(pid)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  return { dispose: () => void watcher.stdin.write('end\n') };
}
