/** Windows that are killed at any moment of a turn: the turn goes on, each frame is in the conversation once, and no process is left. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import type { KeeperStart, KeepLimits } from '../../../src/core/keeper/messages';
import { parseJournal } from '../../../src/session/journal/journalReader';
import { reduce } from '../../../src/core/reduce/reduce';
import { EMPTY_STATE, isAbsent, type SessionState } from '../../../src/core/model/state';
import type { WindowOptions } from './window';

const TEXTS = Number(process.env['ACP_HOST_KEEPER_TEXTS'] ?? 300);
const KILLS = Number(process.env['ACP_HOST_KEEPER_KILLS'] ?? 12);
const SEED = Number(process.env['ACP_HOST_KEEPER_SEED'] ?? 7);
const LIMITS: KeepLimits = { mode: 'reload', awayMs: 15_000, idleMs: 60_000, requestMs: 60_000 };

/** A generator of numbers from 0 to 1 that a seed decides. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

type Window = ChildProcess & { readonly said: string[] };

describe('a session whose window is killed', function () {
  this.timeout(180_000);
  const children = new Set<ChildProcess>();
  let built: string;
  let root: string;

  before(async () => {
    built = await mkdtemp(path.join(tmpdir(), 'acp-host-keeper-'));
    const shared: BuildOptions = { bundle: true, platform: 'node', target: 'node20', external: ['vscode', 'node-pty'], logLevel: 'error' };
    await build({ ...shared, entryPoints: ['src/agent/keeper/main.ts'], outfile: path.join(built, 'keeper.js') });
    await build({ ...shared, entryPoints: ['test/agent/keeper/window.ts'], outfile: path.join('out/test/keeper', 'window.js') });
  });

  beforeEach(async () => (root = await mkdtemp(path.join(tmpdir(), 'acp-host-kept-'))));

  afterEach(async () => {
    children.forEach((child) => child.kill('SIGKILL'));
    children.clear();
    assert.deepEqual(await readdir(path.join(root, 'keepers')), []);
    await (process.env['ACP_HOST_KEEPER_LOG'] ? undefined : rm(root, { recursive: true, force: true }));
  });

  after(() => rm(built, { recursive: true, force: true }));

  const start = (more: Partial<WindowOptions> = {}): Window => {
    const options: WindowOptions = {
      root,
      program: path.join(built, 'keeper.js'),
      launch: {
        agentId: 'Streaming',
        agentName: 'Streaming',
        command: process.execPath,
        args: [path.resolve(__dirname, 'streamingAgent.mjs'), String(TEXTS), '4'],
        env: {},
      },
      limits: LIMITS,
      isLater: false,
      answerMs: 30,
      ...more,
    };
    const child = spawn(process.execPath, ['out/test/keeper/window.js', JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    const said: string[] = [];
    child.stdout.on('data', (data: Buffer) => said.push(...data.toString().split('\n').filter(Boolean)));
    child.stderr.on('data', (data: Buffer) => (process.env['ACP_HOST_KEEPER_LOG'] ? process.stderr.write(data) : undefined));
    return Object.assign(child, { said });
  };

  const ended = (child: ChildProcess): Promise<void> =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => child.once('exit', () => resolve()));

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** Resolves when the window has printed a line that begins so. */
  const hasSaid = async (child: { readonly said: readonly string[] }, word: string): Promise<void> => {
    while (!child.said.some((line) => line.startsWith(word))) {
      await pause(5);
    }
  };

  const conversation = async (): Promise<SessionState> => {
    const store = path.join(root, 'store', 'folders');
    const [name = ''] = await readdir(store);
    const journal = parseJournal(await readFile(path.join(store, name, 'session.jsonl'), 'utf8'));
    return journal!.events.reduce(reduce, EMPTY_STATE);
  };

  const check = (state: SessionState, isExact = true): void => {
    const entries = [...state.entries.inMemory()].flatMap((entry) => (isAbsent(entry) ? [] : [entry]));
    const textOf = (role: string): string =>
      entries
        .flatMap((entry) => (entry.kind === 'message' && entry.role === role ? entry.content : []))
        .map((block) => (block.type === 'text' ? block.text : ''))
        .join('');
    const numbers = Array.from({ length: TEXTS }, (_, index) => index + 1);
    assert.equal(textOf('agent'), numbers.map((n) => `<${n}>`).join(''));
    const calls = entries.flatMap((entry) => (entry.kind === 'tool_call' ? [`${entry.toolCallId} ${entry.status}`] : []));
    assert.deepEqual(
      calls,
      numbers.filter((n) => n % 10 === 0).map((n) => `call-${n} completed`),
    );
    const asked = entries.flatMap((entry) =>
      entry.kind === 'permission' && (isExact || entry.subject.toolCallId !== undefined)
        ? [`${entry.subject.toolCallId} ${entry.outcome?.type}`]
        : [],
    );
    assert.deepEqual(
      asked,
      numbers.filter((n) => n % 30 === 0).map((n) => `call-${n} selected`),
    );
    const thoughts = textOf('thought').replace(/\{(\d+) (?:lost|exit|none) true\}/g, '{$1}');
    const expected = numbers.map((n) => {
      const answer = n % 30 === 0 ? `[${n} {"outcome":"selected","optionId":"yes"}]` : '';
      return n % 10 === 0 ? answer + (n % 50 === 0 ? `{${n}}` : '') : '';
    });
    assert.equal(thoughts, expected.join(''));
    const turns = entries.flatMap((entry) => (entry.kind === 'turn' ? [entry.stopReason] : []));
    assert.deepEqual(turns, ['end_turn']);
    assert.deepEqual(entries.filter((entry) => entry.kind === 'message' && entry.role === 'user').length, 1);
  };

  /** Starts windows, one after the other, until the turn has ended. Returns the number of windows before the last. */
  const run = async (
    next: (child: Window, attempt: number) => Promise<void>,
    later: () => Partial<WindowOptions> = () => ({}),
    first: Partial<WindowOptions> = {},
  ): Promise<number> => {
    let child = start(first);
    let attempts = 0;
    for (;;) {
      await next(child, attempts);
      if (child.said.some((line) => line.startsWith('done'))) {
        await ended(child);
        break;
      }
      attempts++;
      child.kill('SIGKILL');
      await ended(child);
      child = start({ ...later(), isLater: true });
    }
    // The session is ended already when a window was killed while it ended the session.
    assert.match(child.said.filter((line) => line.startsWith('done')).join(), /^done (?:ready|ended)$/);
    return attempts;
  };

  it('has each frame of the turn once', async () => {
    const next = random(SEED);
    const attempts = await run(async (child, attempt) => {
      await Promise.race([ended(child), hasSaid(child, attempt === 0 ? 'ready' : 'status')]);
      await Promise.race([ended(child), pause(attempt < KILLS ? next() * 500 : 60_000)]);
    });
    assert.ok(attempts > 3, `${attempts} kills`);
    if (process.env['ACP_HOST_KEEPER_TEXTS']) {
      console.log(`      ${attempts} kills`);
    }
    check(await conversation());
  });

  it('goes on while windows reload', async () => {
    const next = random(SEED + 1);
    const leaving = { leavesAfter: 500 };
    const attempts = await run(
      async (child) => {
        await ended(child);
        assert.equal(child.signalCode, null);
      },
      () => ({ leavesAfter: 200 + next() * 600 }),
      leaving,
    );
    assert.ok(attempts > 2, `${attempts} reloads`);
    check(await conversation());
  });

  it('asks about a command again that waited for the user', async () => {
    const next = random(SEED + 2);
    const more = { asksBeforeCommands: true };
    await run(
      async (child, attempt) => {
        await Promise.race([ended(child), hasSaid(child, attempt === 0 ? 'ready' : 'status')]);
        await Promise.race([ended(child), pause(attempt < KILLS ? next() * 500 : 60_000)]);
      },
      () => more,
      more,
    );
    check(await conversation(), false);
  });

  it('needs no later window to end the agent', async () => {
    const child = start({ limits: { ...LIMITS, awayMs: 300 } });
    await hasSaid(child, 'ready');
    await pause(300);
    child.kill('SIGKILL');
    await ended(child);
    for (let wait = 0; wait < 100 && (await readdir(path.join(root, 'keepers'))).length > 0; wait++) {
      await pause(50);
    }
  });

  it('starts no agent when the keeper cannot write its record', async () => {
    const keepers = path.join(root, 'keepers');
    await mkdir(keepers);
    const marker = path.join(root, 'started');
    const start: KeeperStart = {
      id: 'none',
      token: 'token',
      address: path.join(keepers, 'own', 's'),
      record: path.join(keepers, 'missing', 'none.json'),
      launch: { agentName: 'Agent', command: process.execPath, args: [], cwd: root },
      program: {
        file: process.execPath,
        args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`],
        verbatim: false,
        cwd: root,
        environment: {},
      },
      mark: 'mark',
      limits: LIMITS,
      maxLineBytes: 1000,
    };
    const child = spawn(process.execPath, [path.join(built, 'keeper.js')], { stdio: ['pipe', 'pipe', 'pipe'] });
    children.add(child);
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.stdin.end(JSON.stringify(start));
    await ended(child);
    await pause(500);
    assert.equal(child.exitCode, 2);
    assert.match(errors, /^Error: ENOENT.*none\.json/);
    assert.ok(!existsSync(marker), 'the agent was started');
  });

  it('ends the agent when its keeper is killed, and says so in the conversation', async () => {
    const child = start();
    await hasSaid(child, 'ready');
    const keepers = path.join(root, 'keepers');
    const [name = ''] = (await readdir(keepers)).filter((each) => each.endsWith('.json'));
    const { pid, address } = JSON.parse(await readFile(path.join(keepers, name), 'utf8')) as { pid: number; address: string };
    process.kill(pid, 'SIGKILL');
    await ended(child);
    const turn = [...(await conversation()).entries.inMemory()].find((entry) => entry.kind === 'turn' && !isAbsent(entry));
    assert.equal(turn && 'failure' in turn ? turn.failure?.code : undefined, 'connection.closed');
    assert.deepEqual(await agentsOf(root), []);
    // The next window removes what a killed keeper leaves.
    await rm(path.join(keepers, name));
    await rm(path.dirname(address), { recursive: true, force: true });
  });
});

/** The processes of the agent, which are recognized by the folder in which they work. */
async function agentsOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of process.platform === 'linux' ? await readdir('/proc') : []) {
    const cwd = /^\d+$/.test(pid) ? await readlink(`/proc/${pid}/cwd`).catch(() => '') : '';
    if (cwd === folder) {
      found.push(pid);
    }
  }
  return found;
}
