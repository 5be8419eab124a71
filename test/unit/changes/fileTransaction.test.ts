/** Restores and undos are written with a journal, and finished after a crash. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ChangeRecord, FileRecord, FileState } from '../../../src/core/fileChanges/records';
import { type DiskFiles, diskFiles } from '../../../src/changes/disk/diskFiles';
import { FileTransaction, type FileTransactionDependencies } from '../../../src/changes/fileTransaction';
import { tempName } from '../../../src/changes/disk/wholeWrite';
import { tempIdOf } from '../../../src/changes/runWriter';
import { ChangeLog } from '../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../src/changes/store/diskStoreFolder';
import { ObjectStore } from '../../../src/changes/store/objectStore';
import { DEFAULT_CHANGE_LIMITS, FileStates } from '../../../src/changes/turns/fileStates';
import { FaultyDisk } from '../../support/changes/faultyDisk';
import { Workspace } from '../../support/changes/workspace';

const NONE: FileState = { kind: 'none' };

describe('a file transaction', () => {
  let workspace: Workspace;
  let storage: string;
  beforeEach(() => {
    workspace = new Workspace(false);
    storage = `${workspace.folder}-store`;
  });
  afterEach(() => {
    workspace.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  function open(deps: Partial<FileTransactionDependencies> = {}, files: DiskFiles = diskFiles) {
    const folder = new DiskStoreFolder(storage);
    const [log, store] = [new ChangeLog(folder), new ObjectStore(folder, 1 << 26)];
    const states = new FileStates(files, store, DEFAULT_CHANGE_LIMITS, Date.now);
    const contains = async (file: string): Promise<boolean> => file === workspace.folder || file.startsWith(workspace.folder + path.sep);
    const transaction = new FileTransaction({ states, log, contains, now: Date.now, mintId: () => randomUUID(), ...deps });
    const text = async (content: string, mode = 0o644): Promise<FileState> => {
      return { kind: 'file', hash: (await store.put(Buffer.from(content)))!, size: content.length, mode, kept: true };
    };
    const record = async (name: string, before: string | FileState, after: string | FileState): Promise<FileRecord> => {
      const stateOf = async (each: string | FileState): Promise<FileState> => (typeof each === 'string' ? text(each) : each);
      return { path: workspace.at(name), before: await stateOf(before), after: await stateOf(after) };
    };
    return { transaction, log, store, states, record };
  }

  const nameOf = (file: string): string => path.relative(workspace.folder, file).replaceAll('\\', '/');
  const left = (result: { readonly left: readonly { readonly path: string; readonly reason: string }[] }): string[] =>
    result.left.map((file) => `${nameOf(file.path)} ${file.reason}`);
  const names = (files: readonly string[]): string[] => files.map(nameOf);

  describe('without a crash', () => {
    it('records the intent before the first write, and the end after the last', async () => {
      workspace.write('a.txt', 'now');
      const seen: unknown[] = [];
      const { transaction, log, record } = open({
        target: {
          ...diskFiles,
          write: async (...args) => {
            seen.push(
              (await log.records()).map(({ type }) => type),
              readFileSync(path.join(storage, 'records.jsonl'), 'utf8').includes('undoId'),
            );
            await diskFiles.write(...args);
          },
        },
      });
      const file = await record('a.txt', 'now', 'then');
      const result = await transaction.run('undo', [file]);
      assert.deepEqual(seen, [['undo'], true]);
      assert.deepEqual([names(result.written), result.left], [['a.txt'], []]);
      const [intent, done] = (await open().log.records()) as readonly Extract<ChangeRecord, { type: 'undo' | 'done' }>[];
      assert.equal(intent?.type === 'undo' && intent.undoId, result.id);
      assert.deepEqual(
        { ...done, at: 0 },
        {
          type: 'done',
          id: result.id,
          at: 0,
          written: [file.path],
          inodes: [statSync(file.path).ino],
          left: [],
        },
      );
      assert.equal(workspace.read('a.txt'), 'then');
    });

    it('writes nothing without a recorded intent', async () => {
      workspace.write('a.txt', 'now');
      const { transaction, log, record } = open();
      const file = await record('a.txt', 'now', 'then');
      log.append = () => Promise.reject(new Error('disk full'));
      await assert.rejects(transaction.run('restore', [file]), /disk full/);
      assert.equal(workspace.read('a.txt'), 'now');
    });

    it('leaves unexpected files, files outside the folder and files without a stored version, and gives the reasons', async () => {
      ['changed', 'came', 'lost', 'lostNow', 'fine'].forEach((name) => workspace.write(name, 'now'));
      mkdirSync(path.join(workspace.folder, 'real'));
      symlinkSync('real', workspace.at('led'));
      const { transaction, record } = open();
      const lost: FileState = { kind: 'file', hash: '0'.repeat(64), size: 3, mode: 0o644, kept: true };
      const outside = { ...(await record('x', NONE, 'then')), path: `${workspace.folder}-other/x` };
      const result = await transaction.run('restore', [
        await record('changed', 'before', 'then'),
        await record('came', NONE, 'then'),
        await record('gone', 'now', 'then'),
        await record('lost', 'now', lost),
        await record('fine', 'now', 'then'),
        await record('led/x', NONE, 'then'),
        await record('.git/hooks/x', NONE, 'then'),
        outside,
      ]);
      assert.deepEqual(names(result.written), ['fine']);
      assert.deepEqual(left(result).slice(0, 7), [
        'changed changed',
        'came changed',
        'gone changed',
        'lost not_kept',
        'led/x outside',
        '.git/hooks/x outside',
        `${path.relative(workspace.folder, outside.path)} outside`,
      ]);
      assert.ok(!existsSync(workspace.at('real/x')) && !existsSync(workspace.at('.git')) && !existsSync(outside.path));
    });

    it('leaves a file whose folder becomes a link while it runs', async () => {
      workspace.write('folder/a.txt', 'now');
      workspace.write('first.txt', 'now');
      const other = `${workspace.folder}-other`;
      mkdirSync(other);
      const { transaction, record } = open({
        target: {
          ...diskFiles,
          remove: async (...args) => {
            renameSync(workspace.at('folder'), workspace.at('moved'));
            symlinkSync(other, workspace.at('folder'));
            await diskFiles.remove(...args);
          },
        },
      });
      writeFileSync(path.join(other, 'a.txt'), 'now');
      const result = await transaction.run('restore', [
        await record('folder/a.txt', 'now', 'then'),
        await record('first.txt', 'now', NONE),
      ]);
      assert.deepEqual([names(result.written), left(result)], [['first.txt'], ['folder/a.txt outside']]);
      assert.equal(readFileSync(path.join(other, 'a.txt'), 'utf8'), 'now');
      rmSync(other, { recursive: true });
    });

    it('leaves the rest when it is cancelled', async () => {
      const all = Array.from({ length: 30 }, (_, index) => `f${index}`);
      all.forEach((name) => workspace.write(name, 'now'));
      const { transaction, log, record } = open();
      const controller = new AbortController();
      const seen: number[] = [];
      const result = await transaction.run('restore', await Promise.all(all.map((name) => record(name, 'now', 'then'))), {
        signal: controller.signal,
        onFile: (_, done, total) => {
          seen.push(done);
          assert.equal(total, 30);
          void (done === 10 && controller.abort());
        },
      });
      assert.deepEqual(
        seen,
        all.map((_, index) => index + 1),
      );
      assert.ok(result.written.length >= 10 && result.written.length < 20, `${result.written.length}`);
      assert.equal(result.written.length + result.left.length, 30);
      assert.ok(result.left.every(({ reason }) => reason === 'cancelled'));
      all.forEach((name) => assert.equal(workspace.read(name), result.written.includes(workspace.at(name)) ? 'then' : 'now'));
      const done = (await log.records()).at(-1);
      assert.deepEqual(
        done?.type === 'done' && done.left,
        result.left.map((file) => file.path),
      );
      assert.deepEqual(await open().transaction.recover(), []);
    });

    it('replaces a link with a folder, and a folder with a link', async () => {
      workspace.write('real/k', 'of the user');
      symlinkSync('real', workspace.at('conf'));
      const { transaction, record } = open();
      const link: FileState = { kind: 'link', target: 'real' };
      const there = await transaction.run('restore', [await record('conf', link, NONE), await record('conf/k', NONE, 'inside')]);
      assert.deepEqual(there.left, []);
      assert.deepEqual([workspace.read('conf/k'), workspace.read('real/k')], ['inside', 'of the user']);
      const back = await transaction.run('restore', [await record('conf', NONE, link), await record('conf/k', 'inside', NONE)]);
      assert.deepEqual(back.left, []);
      assert.equal(workspace.tree()['conf'], '-> real');
    });

    it('leaves a file when a folder with files has taken its place', async () => {
      workspace.write('a.txt/user.txt', 'of the user');
      const { transaction, record } = open();
      const result = await transaction.run('restore', [await record('a.txt', NONE, 'then')]);
      assert.deepEqual(left(result), ['a.txt changed']);
      assert.equal(workspace.read('a.txt/user.txt'), 'of the user');
    });

    it('leaves the record open for a file that may not be on the disk yet', async () => {
      workspace.write('a/in.txt', 'now');
      workspace.write('b/in.txt', 'now');
      const failing: DiskFiles = {
        ...diskFiles,
        sync: (folder) => (folder.endsWith('a') ? Promise.reject(new Error('EIO')) : diskFiles.sync(folder)),
      };
      const { transaction, log, record } = open({}, failing);
      const result = await transaction.run('restore', [await record('a/in.txt', 'now', 'then'), await record('b/in.txt', 'now', 'then')]);
      assert.deepEqual([names(result.written), result.left], [['a/in.txt', 'b/in.txt'], []]);
      const done = (await log.records()).at(-1);
      assert.deepEqual(done?.type === 'done' && [names(done.written), done.left], [['b/in.txt'], []]);
      const [recovered] = await open().transaction.recover();
      assert.deepEqual([names(recovered!.written), recovered!.rewritten, recovered!.left], [['a/in.txt'], [], []]);
      assert.deepEqual(await open().transaction.recover(), []);
    });

    it('repairs a file at the next start that could neither be written nor restored', async () => {
      workspace.write('one', 'old old old old');
      linkSync(workspace.at('one'), workspace.at('two'));
      const disk = new FaultyDisk();
      const { transaction, record, log } = open({}, disk.files);
      const files = [await record('one', 'old old old old', 'new new new new')];
      disk.failAlways(['write', 'truncate'], 'EIO');
      const result = await transaction.run('restore', files);
      disk.disarm();
      assert.deepEqual(left(result), ['one failed']);
      assert.deepEqual(
        (await log.records()).map(({ type }) => type),
        ['restore'],
      );
      const [recovered] = await open().transaction.recover();
      assert.deepEqual([names(recovered!.rewritten), workspace.read('two')], [['one'], 'new new new new']);
      assert.deepEqual(Object.keys(workspace.tree()).sort(), ['one', 'two']);
    });

    it('writes 300 files in folders', async function () {
      this.timeout(process.platform === 'win32' ? 120_000 : 30_000);
      const all = Array.from({ length: 300 }, (_, index) => `folder${index % 7}/f${index}.txt`);
      all.forEach((name) => workspace.write(name, `now ${name}`.repeat(200)));
      const { transaction, record } = open();
      const files = await Promise.all(all.map((name) => record(name, `now ${name}`.repeat(200), `then ${name}`.repeat(200))));
      const { written } = await transaction.run('restore', files);
      assert.equal(written.length, 300);
      all.forEach((name) => assert.equal(workspace.read(name), `then ${name}`.repeat(200)));
    });
  });

  describe('after a crash', () => {
    /** Writes an intent without an end, as a kill leaves it. */
    async function interrupt(
      files: readonly (readonly [string, string | FileState, string | FileState])[],
      id = 'killed',
      version: { readonly ends?: true } = { ends: true },
    ): Promise<void> {
      const { log, record } = open();
      const records = await Promise.all(files.map((file) => record(...file)));
      await log.append({ type: 'restore', restoreId: id, at: Date.now(), files: records, ...version });
    }

    it('is not finished when an earlier version recorded no ends', async () => {
      workspace.write('a.txt', 'now');
      await interrupt([['a.txt', 'now', 'then']], 'earlier', {});
      assert.deepEqual(await open().transaction.recover(), []);
      assert.equal(workspace.read('a.txt'), 'now');
    });

    it('is finished, except for files that were changed since', async () => {
      [
        ['unwritten', 'now'],
        ['written', 'then'],
        ['changed', 'by the user'],
        ['going', 'now'],
      ].forEach(([name, text]) => workspace.write(name!, text!));
      await interrupt([
        ['unwritten', 'now', 'then'],
        ['written', 'now', 'then'],
        ['changed', 'now', 'then'],
        ['going', 'now', NONE],
        ['coming/in.txt', NONE, 'then'],
      ]);
      workspace.write('.acp-host-0123456789abcdef01234567.tmp', 'half');
      const { transaction, log } = open();
      const [recovered] = await transaction.recover();
      assert.deepEqual(names(recovered!.written), ['unwritten', 'written', 'going', 'coming/in.txt']);
      assert.deepEqual(names(recovered!.rewritten).sort(), ['coming/in.txt', 'going', 'unwritten']);
      assert.deepEqual([recovered!.type, recovered!.id, left(recovered!)], ['restore', 'killed', ['changed changed']]);
      assert.deepEqual(Object.keys(workspace.tree()).sort(), ['changed', 'coming/in.txt', 'unwritten', 'written']);
      assert.equal(workspace.read('changed'), 'by the user');
      assert.equal((await log.records()).at(-1)?.type, 'done');
      assert.deepEqual(await transaction.recover(), []);
    });

    it('is finished when a link was in place of a folder', async () => {
      for (const removed of [false, true]) {
        workspace.write('real/k', 'of the user');
        void (removed || symlinkSync('real', workspace.at('conf')));
        void (removed && workspace.write('conf/written', 'then'));
        await interrupt(
          [
            ['conf', { kind: 'link', target: 'real' }, NONE],
            ['conf/k', NONE, 'inside'],
            ['conf/written', NONE, 'then'],
          ],
          `link ${removed}`,
        );
        const recovered = (await open().transaction.recover()).at(-1);
        assert.deepEqual(recovered?.left, [], `${removed}`);
        const tree = ['conf/k', 'conf/written', 'real/k'].map((name) => workspace.read(name));
        assert.deepEqual(tree, ['inside', 'then', 'of the user']);
        rmSync(workspace.at('conf'), { recursive: true });
      }
    });

    it('is not finished when a later record has touched the file', async () => {
      workspace.write('a.txt', 'now');
      await interrupt([['a.txt', 'now', 'then']], 'first');
      await interrupt([['a.txt', 'then', 'now']], 'second');
      const recovered = await open().transaction.recover();
      assert.deepEqual(
        recovered.map(({ id, written }) => [id, names(written)]),
        [
          ['first', []],
          ['second', ['a.txt']],
        ],
      );
      assert.equal(workspace.read('a.txt'), 'now');
    });

    it('is not finished when the session has continued', async () => {
      workspace.write('a.txt', 'now');
      await interrupt([['a.txt', 'now', 'then']]);
      const { log, transaction } = open();
      await log.append({ type: 'checkpoint', turnId: 'next', at: Date.now() });
      assert.deepEqual(await transaction.recover(), []);
      assert.equal(workspace.read('a.txt'), 'now');
    });

    it('leaves a file that must not be written now', async () => {
      workspace.write('a.txt', 'now');
      await interrupt([['a.txt', 'now', 'then']]);
      const [recovered] = await open().transaction.recover(async () => false);
      assert.deepEqual(left(recovered!), ['a.txt changed']);
      assert.equal(workspace.read('a.txt'), 'now');
    });

    it('completes a file of which only the beginning was written', async () => {
      workspace.write('empty', '');
      workspace.write('begun', 'the new cont');
      workspace.write('other', 'the new CONT');
      await interrupt(['empty', 'begun', 'other'].map((name) => [name, 'the old content', 'the new content'] as const));
      const [recovered] = await open().transaction.recover();
      assert.deepEqual(names(recovered!.written), ['empty', 'begun']);
      assert.equal(workspace.read('begun'), 'the new content');
      assert.equal(workspace.read('other'), 'the new CONT');
    });

    it('treats a mixture of both contents as its own only after a write in place', async () => {
      for (const isOurs of [true, false]) {
        const id = `in place ${isOurs}`;
        const name = isOurs ? 'ours' : 'theirs';
        workspace.write(name, 'old old old old');
        linkSync(workspace.at(name), workspace.at(`${name}, too`));
        await interrupt([[name, 'old old old old', 'new new new new']], id);
        if (isOurs) {
          writeFileSync(workspace.at(tempName(tempIdOf(id, workspace.at(name)))), '');
        }
        writeFileSync(workspace.at(name), 'new new old old');
        const recovered = (await open().transaction.recover()).find((each) => each.id === id)!;
        assert.deepEqual([names(recovered.written), left(recovered)], isOurs ? [[name], []] : [[], [`${name} changed`]]);
        assert.equal(workspace.read(`${name}, too`), isOurs ? 'new new new new' : 'new new old old');
        assert.equal(statSync(workspace.at(name)).nlink, 2);
      }
      assert.deepEqual(Object.keys(workspace.tree()).sort(), ['ours', 'ours, too', 'theirs', 'theirs, too']);
    });
  });
});
