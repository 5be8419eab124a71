/** The changes of a turn that outlives its window: the next window reviews them, and can take them back. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build, type BuildOptions } from 'esbuild';
import { type FileRecord, UNSEEN } from '../../../src/core/fileChanges/records';
import { DiskStoreFolder } from '../../../src/changes/store/diskStoreFolder';
import { ObjectStore } from '../../../src/changes/store/objectStore';
import { readBlob } from '../../../src/changes/disk/gitBlobs';
import { run as git } from '../../support/changes/workspace';
import { initRepository } from '../../support/emptyRepository';
import type { WindowOptions } from './window';

const NAMES = ['before', 'host-before', 'host-plain', 'gap', 'silent', 'after', 'host-after', 'both', 'user'];
/** The files that the agent removes, and those that it moves. */
const [REMOVED, FROM, TO] = ['removed', 'from', 'to'].map((name) => [`${name}-before`, `${name}-gap`]) as [string[], string[], string[]];
const CREATED = ['new-host', 'new-before', 'new-gap'];
const UNCLEAR = ['new-silent', 'new-both'];
const text = (name: string): string => `${name} 1\n${name} 2\n${name} 3\n`;
const edited = (name: string): string => text(name).replace(' 2', ' two');

describe('the changes of a turn whose window goes away', function () {
  this.timeout(60_000);
  const children = new Set<ChildProcess>();
  let built: string;
  let root: string;
  let cwd: string;

  before(async () => {
    built = await mkdtemp(path.join(tmpdir(), 'acp-host-keeper-'));
    const shared: BuildOptions = { bundle: true, platform: 'node', target: 'node20', external: ['vscode', 'node-pty'], logLevel: 'error' };
    await build({ ...shared, entryPoints: ['src/agent/keeper/main.ts'], outfile: path.join(built, 'keeper.js') });
    await build({ ...shared, entryPoints: ['test/agent/keeper/window.ts'], outfile: path.join('out/test/keeper', 'window.js') });
  });

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'acp-host-kept-')));
    cwd = path.join(root, 'work');
    ['work', 'marks'].forEach((name) => mkdirSync(path.join(root, name)));
    [...NAMES, ...REMOVED, ...FROM].forEach((name) => writeFileSync(path.join(cwd, `${name}.txt`), text(name)));
  });

  afterEach(async () => {
    children.forEach((child) => child.kill('SIGKILL'));
    children.clear();
    await rm(root, { recursive: true, force: true });
  });

  after(() => rm(built, { recursive: true, force: true }));

  const start = (more: Partial<WindowOptions>): { readonly child: ChildProcess; readonly said: string[] } => {
    const options: WindowOptions = {
      root,
      cwd,
      records: true,
      program: path.join(built, 'keeper.js'),
      launch: {
        agentId: 'Editing',
        agentName: 'Editing',
        command: process.execPath,
        args: [path.resolve(__dirname, 'editingAgent.mjs'), path.join(root, 'marks')],
        env: {},
      },
      limits: { mode: 'reload', awayMs: 15_000, idleMs: 60_000, requestMs: 60_000 },
      isLater: false,
      answerMs: 30,
      ...more,
    };
    const child = spawn(process.execPath, ['out/test/keeper/window.js', JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', process.env['ACP_HOST_KEEPER_LOG'] ? 'inherit' : 'ignore'],
    });
    children.add(child);
    const said: string[] = [];
    let rest = '';
    child.stdout.on('data', (data: Buffer) => {
      const lines = (rest + data.toString()).split('\n');
      rest = lines.pop()!;
      said.push(...lines);
    });
    return { child, said };
  };

  const until = async (what: string, holds: () => boolean): Promise<void> => {
    for (let wait = 0; !holds(); wait++) {
      assert.ok(wait < 1500, what);
      await delay(20);
    }
  };
  const mark = (name: string): void => writeFileSync(path.join(root, 'marks', name), '');
  const marked = (name: string): Promise<void> => until(name, () => existsSync(path.join(root, 'marks', name)));
  const storage = (): string => path.join(root, 'changes', 'session');

  /** Plays the turn over a gap, in which the user saves two files. Returns its records by the names of the files. */
  async function played(leave: (child: ChildProcess) => Promise<void>): Promise<Map<string, FileRecord>> {
    const first = start({});
    await until('the stored baseline', () => existsSync(path.join(storage(), 'running.jsonl')));
    await delay(50);
    mark('go-before');
    await marked('before');
    // The window has what the agent has reported.
    await delay(300);
    await leave(first.child);
    mark('go-gap');
    await marked('gap');
    writeFileSync(path.join(cwd, 'user.txt'), 'user 1\nmine\nuser 3\n');
    writeFileSync(path.join(cwd, 'both.txt'), 'both 1\nboth 2\nmine\n');
    writeFileSync(path.join(cwd, 'new-both.txt'), 'new-both\nmine\n');
    const second = start({ isLater: true });
    await until('the next window', () => second.said.some((line) => line.startsWith('status')));
    await delay(300);
    mark('go-after');
    await until('the end', () => second.said.some((line) => line.startsWith('done')));
    const line = second.said.find((each) => each.startsWith('turn '));
    assert.ok(line, second.said.join('\n'));
    const files = JSON.parse(line.slice(5)) as FileRecord[];
    return new Map(files.map((file) => [path.basename(file.path, '.txt'), file]));
  }

  async function check(files: ReadonlyMap<string, FileRecord>): Promise<void> {
    const store = new ObjectStore(new DiskStoreFolder(storage()), 1 << 24);
    store.useGit((top, oid) => readBlob(git, top, oid));
    const earlier = async (name: string): Promise<string | undefined> => {
      const before = files.get(name)?.before;
      const bytes = before?.kind === 'file' ? await store.get(before.hash) : undefined;
      return bytes && Buffer.from(bytes).toString();
    };
    for (const name of ['before', 'host-before', 'host-plain', 'gap', 'after', 'host-after']) {
      assert.equal(readFileSync(path.join(cwd, `${name}.txt`), 'utf8'), edited(name));
      assert.equal(await earlier(name), text(name), name);
      assert.equal(files.get(name)?.shared, undefined, name);
    }
    // Nothing proves who wrote these, so that nothing takes them back as a whole.
    for (const name of ['silent', 'both', 'user']) {
      assert.equal(files.get(name)?.shared, true, name);
      assert.equal(await earlier(name), text(name), name);
    }
    for (const name of CREATED) {
      assert.deepEqual([files.get(name)?.before.kind, files.get(name)?.shared], ['none', undefined], name);
    }
    for (const name of UNCLEAR) {
      assert.deepEqual(files.get(name)?.sharedWith, [UNSEEN], name);
    }
    for (const name of REMOVED) {
      assert.deepEqual([files.get(name)?.after.kind, files.get(name)?.shared], ['none', undefined], name);
    }
    for (const [index, name] of TO.entries()) {
      const { oldPath, shared } = files.get(name) ?? {};
      assert.deepEqual([oldPath, shared], [path.join(cwd, `${FROM[index]}.txt`), undefined], name);
    }
    assert.equal(files.size, [...NAMES, ...CREATED, ...UNCLEAR, ...REMOVED, ...TO].length);
    assert.deepEqual(
      readdirSync(storage()).filter((name) => name.startsWith('running')),
      [],
    );
  }

  const killed = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGKILL');
    await until('the end of the window', () => child.signalCode !== null);
  };

  for (const isRepository of [true, false]) {
    it(`are known in the next one, in a ${isRepository ? 'repository' : 'plain folder'}`, async () => {
      if (isRepository) {
        initRepository(cwd, { name: 'User', email: 'user@example.com' });
        execFileSync('git', ['add', '-A'], { cwd });
        execFileSync('git', ['commit', '-q', '-m', 'commit'], { cwd });
      }
      await delay(50);
      await check(await played(killed));
    });
  }

  it('are known after a window that leaves its agent', async () => {
    await delay(50);
    await check(
      await played(async (child) => {
        child.kill('SIGTERM');
        await until('the end of the window', () => child.exitCode !== null || child.signalCode !== null);
        assert.equal(child.exitCode, 0);
      }),
    );
  });
});
