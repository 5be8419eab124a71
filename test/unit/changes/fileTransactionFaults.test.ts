/** Each file system call of a restore fails once, or is the last one before the process is killed. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileRecord, FileState } from '../../../src/core/fileChanges/records';
import { diskFiles } from '../../../src/changes/disk/diskFiles';
import { Restore, type RestorePlan, type RestoreResult } from '../../../src/changes/restore';
import { ChangeLog } from '../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../src/changes/store/diskStoreFolder';
import { ObjectStore } from '../../../src/changes/store/objectStore';
import { DEFAULT_CHANGE_LIMITS, FileStates } from '../../../src/changes/turns/fileStates';
import { type DiskFault, FaultyDisk } from '../../support/changes/faultyDisk';

const FAULTS: readonly DiskFault[] = ['ENOSPC', 'EIO', 'EMFILE', 'EACCES', 'half', 'kill', 'killHalf'];
/** With ACP_HOST_ALL_SEQUENCES every call fails once. Otherwise each fault hits different calls. */
const STEP = process.env['ACP_HOST_ALL_SEQUENCES'] ? 1 : 97;

type Content = { readonly text: string | Uint8Array; readonly mode?: number } | { readonly link: string } | undefined;

/** The content of each file after the agent's turn, and before it. */
const FILES: Record<string, readonly [now: Content, before: Content]> = {
  'text.txt': [{ text: 'by the agent\n'.repeat(50) }, { text: 'before\n' }],
  'binary.bin': [{ text: Buffer.from([0, 1, 2, 255]) }, { text: Buffer.alloc(9000, 7) }],
  'run.sh': [
    { text: '#!/bin/sh\n', mode: 0o644 },
    { text: '#!/bin/sh\n', mode: 0o755 },
  ],
  'tool.sh': [
    { text: 'agent\n', mode: 0o644 },
    { text: 'before\n', mode: 0o755 },
  ],
  'secret.txt': [
    { text: 'agent\n', mode: 0o600 },
    { text: 'before\n', mode: 0o644 },
  ],
  'longer.txt': [{ text: 'a'.repeat(5000) }, { text: 'b'.repeat(9000) }],
  'shorter.txt': [{ text: 'a'.repeat(9000) }, { text: 'b'.repeat(5000) }],
  'was-link': [{ text: 'a file\n' }, { link: 'text.txt' }],
  'is-link': [{ link: 'nowhere' }, { text: 'a file before\n' }],
  'made.txt': [{ text: 'made\n' }, undefined],
  'folder/in.txt': [{ text: 'in\n' }, undefined],
  folder: [undefined, { text: 'a file in the place of the folder\n' }],
  thing: [{ text: 'a file\n' }, undefined],
  'thing/deep/in.txt': [undefined, { text: 'in a folder before\n' }],
  'new/nested/one.txt': [undefined, { text: 'one\n' }],
  'new/nested/two.txt': [undefined, { text: 'two\n', mode: 0o755 }],
};
/** Files with a second name, which the restore must preserve. */
const HARD = ['longer.txt', 'shorter.txt', 'tool.sh'];

class Stage {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'disk-faults-')));
  readonly folder = path.join(this.root, 'work');
  readonly names = path.join(this.root, 'names');
  readonly disk = new FaultyDisk();

  at(name: string): string {
    return path.join(this.folder, name);
  }

  reset(): void {
    [this.folder, this.names, path.join(this.root, 'store')].forEach((each) => rmSync(each, { recursive: true, force: true }));
    [this.folder, this.names].forEach((each) => mkdirSync(each));
    for (const [name, [now]] of Object.entries(FILES)) {
      put(this.at(name), now);
    }
    HARD.forEach((name) => linkSync(this.at(name), path.join(this.names, name)));
    writeFileSync(this.at('untouched.txt'), 'the user has this\n');
  }

  /** Opens the store again, like a reload of the window. */
  open(): { readonly restore: Restore; readonly log: ChangeLog; readonly states: FileStates } {
    const storeFolder = this.disk.store(new DiskStoreFolder(path.join(this.root, 'store')));
    const log = new ChangeLog(storeFolder);
    const states = new FileStates(this.disk.files, new ObjectStore(storeFolder, 1 << 26), DEFAULT_CHANGE_LIMITS, Date.now);
    const contains = async (file: string): Promise<boolean> => file.startsWith(this.folder + path.sep);
    return { log, states, restore: new Restore({ states, log, contains, now: Date.now, mintId: () => randomUUID() }) };
  }

  /** Every entry, including temporary files. */
  tree(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const entry of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
      const at = path.join(entry.parentPath, entry.name);
      if (!entry.isDirectory()) {
        found[path.relative(this.folder, at)] = seen(at);
      }
    }
    return found;
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function put(file: string, content: Content): void {
  if (!content) {
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  if ('link' in content) {
    symlinkSync(content.link, file);
  } else {
    writeFileSync(file, content.text);
    chmodSync(file, content.mode ?? 0o644);
  }
}

function seen(file: string): string {
  const stats = lstatSync(file);
  return stats.isSymbolicLink()
    ? `-> ${readlinkSync(file)}`
    : `${(stats.mode & 0o777).toString(8)} ${readFileSync(file, 'latin1').slice(0, 60)} (${stats.size})`;
}

/** The plan that restores the earlier states from the present ones, with both in the store. */
async function planOf(stage: Stage, states: FileStates, log: ChangeLog): Promise<RestorePlan> {
  const files: FileRecord[] = [];
  for (const [name, [now, before]] of Object.entries(FILES)) {
    const stateOf = async (content: Content): Promise<FileState> => {
      if (!content) {
        return { kind: 'none' };
      }
      if ('link' in content) {
        return { kind: 'link', target: content.link };
      }
      const bytes = Buffer.from(content.text as string);
      return { kind: 'file', hash: (await states.store.put(bytes))!, size: bytes.length, mode: content.mode ?? 0o644, kept: true };
    };
    files.push({ path: stage.at(name), before: await stateOf(before), after: await stateOf(now) });
  }
  const at = Date.now() - 60_000;
  await log.append({ type: 'checkpoint', turnId: 'turn', at });
  await log.append({ type: 'turn', turnId: 'turn', at, files });
  return (await new Restore({ states, log, contains: async () => true, now: Date.now, mintId: randomUUID }).toCheckpoint('turn'))!;
}

describe('a restore of files of all kinds', function () {
  this.timeout(600_000);
  const stage = new Stage();
  after(() => stage.dispose());
  let earlier: Record<string, string>;
  let agent: Record<string, string>;
  let calls: number;

  async function restore(at: number, fault: DiskFault | undefined): Promise<RestoreResult | undefined> {
    stage.disk.disarm();
    stage.reset();
    const { restore: restores, log, states } = stage.open();
    const plan = await planOf(stage, states, log);
    void (fault ? stage.disk.arm(at, fault) : stage.disk.disarm());
    const result = await restores.perform(plan).catch((error: NodeJS.ErrnoException) => {
      assert.equal(error.code, 'EKILLED', `${fault} at ${at}: ${error.stack}`);
      return undefined;
    });
    calls = stage.disk.calls;
    return fault?.startsWith('kill') ? undefined : result;
  }

  /** Asserts that every file is as the agent left it, or as it was before, and that no other file exists. */
  function checkFiles(what: string): Record<string, string> {
    const tree = stage.tree();
    for (const name of Object.keys({ ...tree, ...earlier, ...agent })) {
      assert.ok(
        tree[name] === earlier[name] || tree[name] === agent[name],
        `${what}: ${name} is ${tree[name]}, and was ${agent[name]} and ${earlier[name]}`,
      );
    }
    return tree;
  }

  /** Compares the records with the disk, and undoes the restore. */
  async function checkRecords(what: string): Promise<void> {
    const { restore: restores, log } = stage.open();
    const tree = stage.tree();
    const records = await log.records();
    const done = records.filter((record) => record.type === 'done');
    const intent = records.find((record) => record.type === 'restore');
    assert.equal(done.length > 0, intent !== undefined, `${what}: the end is recorded`);
    for (const { written, left } of done) {
      written.forEach((file) => assert.equal(tree[relative(file)], earlier[relative(file)], `${what}: written ${file}`));
      left.forEach((file) => assert.equal(tree[relative(file)], agent[relative(file)], `${what}: left ${file}`));
    }
    const settled = done.flatMap(({ written, left }) => [...written, ...left]).sort();
    assert.deepEqual(settled, (intent?.files ?? []).map((file) => file.path).sort(), `${what}: each file has an end`);
    if (intent) {
      const undoing = (await restores.undoing(intent.restoreId))!;
      assert.deepEqual(
        undoing.files.filter((file) => file.changedSince || file.action === 'unavailable'),
        [],
        `${what}: undoing`,
      );
      const { left } = await restores.perform(undoing);
      assert.deepEqual(left, [], `${what}: undone`);
      assert.deepEqual(stage.tree(), agent, `${what}: undone`);
    }
    HARD.forEach((name) => assert.equal(lstatSync(stage.at(name)).nlink, 2, `${what}: ${name} has both names`));
  }

  const relative = (file: string): string => path.relative(stage.folder, file);

  before(async () => {
    stage.reset();
    agent = stage.tree();
    assert.deepEqual((await restore(0, undefined))?.reasons, []);
    earlier = stage.tree();
  });

  it('restores each of them, and can be undone', async () => {
    await restore(0, undefined);
    assert.deepEqual(stage.tree(), earlier);
    for (const [name, [, content]] of Object.entries(FILES)) {
      assert.equal(name in earlier, content !== undefined, name);
    }
    assert.match(earlier['secret.txt']!, /^600 before/);
    assert.match(earlier['tool.sh']!, /^755 before/);
    assert.equal(earlier['is-link'], '644 a file before\n (14)');
    await checkRecords('without a fault');
  });

  for (const fault of FAULTS) {
    it(`leaves each file as it was before or after, and says which, when a call ends with ${fault}`, async () => {
      await restore(0, undefined);
      const all = calls;
      assert.ok(all > 200, `${all} calls`);
      for (let at = 1 + ((FAULTS.indexOf(fault) * 5) % STEP); at <= all; at += STEP) {
        const result = await restore(at, fault);
        const what = `${fault} at call ${at} (${stage.disk.failed})`;
        stage.disk.disarm();
        if (result) {
          const tree = checkFiles(what);
          result.restored.forEach((file) => assert.equal(tree[relative(file)], earlier[relative(file)], `${what}: restored ${file}`));
          result.left.forEach((file) => assert.equal(tree[relative(file)], agent[relative(file)], `${what}: left ${file}`));
        } else {
          const [recovered] = await stage.open().restore.transaction.recover();
          assert.deepEqual(recovered?.left ?? [], [], what);
          const tree = checkFiles(what);
          void (recovered && assert.deepEqual(tree, earlier, what));
        }
        await checkRecords(what);
      }
    });
  }

  it('is finished after a kill during the recovery', async () => {
    await restore(0, undefined);
    const all = calls;
    for (let at = 20; at <= all; at += 5 * STEP) {
      for (let again = 5; again < 300; again += 3 * STEP) {
        await restore(at, 'killHalf');
        stage.disk.arm(again, 'killHalf');
        await stage
          .open()
          .restore.transaction.recover()
          .catch(() => undefined);
        stage.disk.disarm();
        await stage.open().restore.transaction.recover();
        checkFiles(`killed at ${at} and ${again}`);
        await checkRecords(`killed at ${at} and ${again}`);
        assert.deepEqual(await stage.open().restore.transaction.recover(), []);
      }
    }
  });

  it('reads through the same file system as the product', () => {
    assert.deepEqual(Object.keys(stage.disk.files).sort(), Object.keys(diskFiles).sort());
  });
});
