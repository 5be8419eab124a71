/** A log has exactly the records that are on disk. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import nodeFs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChangeLog } from '../../../../src/changes/store/changeLog';
import { DiskStoreFolder, type StoreFs } from '../../../../src/changes/store/diskStoreFolder';
import { StoreClosedError } from '../../../../src/changes/store/storeFolder';
import { type ChangeRecord, type FileRecord, statesBefore } from '../../../../src/core/fileChanges/records';

const checkpoint = (turnId: string): ChangeRecord => ({ type: 'checkpoint', turnId, at: 1 });

describe('a log of changes', () => {
  let place: string;
  beforeEach(() => (place = path.join(mkdtempSync(path.join(tmpdir(), 'log-')), 'k.changes')));
  afterEach(() => rmSync(path.dirname(place), { recursive: true, force: true }));

  const file = (): string => path.join(place, 'records.jsonl');
  const turnsOf = async (log: ChangeLog): Promise<string[]> =>
    (await log.records()).map((record) => (record.type === 'checkpoint' ? record.turnId : record.type));

  it('rejects a record that the disk did not accept, and does not list it', async () => {
    let isFull = true;
    class FullFolder extends DiskStoreFolder {
      override async append(...args: Parameters<DiskStoreFolder['append']>): ReturnType<DiskStoreFolder['append']> {
        if (isFull) {
          throw new Error('ENOSPC: injected');
        }
        return super.append(...args);
      }
    }
    const log = new ChangeLog(new FullFolder(place));
    await assert.rejects(log.append(checkpoint('turn-1')), /ENOSPC/);
    assert.deepEqual(await turnsOf(log), []);
    isFull = false;
    await log.append(checkpoint('turn-2'));
    assert.deepEqual([await turnsOf(log), await turnsOf(new ChangeLog(new DiskStoreFolder(place)))], [['turn-2'], ['turn-2']]);
  });

  it('loses only the last line to a crash in its middle', async () => {
    await new ChangeLog(new DiskStoreFolder(place)).append(checkpoint('turn-1'));
    appendFileSync(file(), '\n{"type":"checkpoint","turnId":"tu');
    const log = new ChangeLog(new DiskStoreFolder(place));
    await log.append(checkpoint('turn-2'));
    for (const each of [log, new ChangeLog(new DiskStoreFolder(place))]) {
      assert.deepEqual(await turnsOf(each), ['turn-1', 'turn-2']);
    }
  });

  it('skips lines that are not records', async () => {
    await new DiskStoreFolder(place).append(
      'records.jsonl',
      Buffer.from(`\nnull\n1\n{}\n{"type":"other"}\n${JSON.stringify(checkpoint('turn-1'))}`),
    );
    assert.deepEqual(await turnsOf(new ChangeLog(new DiskStoreFolder(place))), ['turn-1']);
  });

  it('follows a deleted file, and records of another window', async () => {
    const [log, other] = [new ChangeLog(new DiskStoreFolder(place)), new ChangeLog(new DiskStoreFolder(place))];
    await log.append(checkpoint('turn-1'));
    await other.append(checkpoint('turn-2'));
    await log.append(checkpoint('turn-3'));
    assert.deepEqual(await turnsOf(log), ['turn-1', 'turn-2', 'turn-3']);
    rmSync(place, { recursive: true });
    assert.deepEqual(await turnsOf(log), []);
    await log.append(checkpoint('turn-4'));
    assert.deepEqual([await turnsOf(log), await turnsOf(other)], [['turn-4'], ['turn-4']]);
  });

  it('skips invalid records, and has an unknown state for an invalid one', async () => {
    const state = { kind: 'file', hash: 'a'.repeat(64), size: 1, mode: 0o644, kept: true } as const;
    const name = path.join(place, 'a.txt');
    const turn = (files: unknown): object => ({ type: 'turn', turnId: 'turn-1', at: 1, files });
    const valid: readonly ChangeRecord[] = [
      checkpoint('turn-1'),
      {
        type: 'turn',
        turnId: 'turn-1',
        at: 1,
        files: [{ path: name, before: { kind: 'none' }, after: state, binary: true, added: 1, removed: 0 }],
      },
      {
        type: 'restore',
        restoreId: 'restore-1',
        at: 2,
        files: [{ path: name, oldPath: place, before: state, after: { kind: 'link', target: '..' } }],
      },
      {
        type: 'undo',
        undoId: 'undo-1',
        at: 3,
        ends: true,
        files: [{ path: name, before: { kind: 'unknown', reason: 'late', size: 3 }, after: state }],
      },
      { type: 'done', id: 'undo-1', at: 4, written: [name], inodes: [7], left: [] },
    ];
    const lines: readonly unknown[] = [
      ...[null, [], 7, {}, { type: 'turn' }, turn(undefined), turn({ length: 1 }), turn('files'), { type: '__proto__' }],
      { type: 'checkpoint', turnId: {}, at: 1 },
      ...valid,
      turn([null, { path: 'relative' }, { path: `${place}/../../x`, before: state, after: state }, { path: `${name}\0` }]),
      turn([{ path: name, before: { ...state, hash: '../../x' }, after: { ...state, size: -1 } }]),
      turn([{ path: name, oldPath: '../x', before: state, after: { kind: 'link', target: 7 } }]),
      turn([{ path: name, before: { kind: 'file' }, after: { ...state, mode: '644' } }]),
    ];
    mkdirSync(place, { recursive: true });
    writeFileSync(file(), lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
    appendFileSync(file(), `\n${'['.repeat(100_000)}\n\0\n{"type":"turn","turnId":"torn`);
    const records = await new ChangeLog(new DiskStoreFolder(place)).records();
    const unknown = { kind: 'unknown', reason: 'unreadable' } as const;
    assert.deepEqual(records.slice(0, valid.length), valid);
    assert.deepEqual(
      records.slice(valid.length).map((record) => (record.type === 'turn' ? record.files : record)),
      [[], ...Array.from({ length: 3 }, () => [{ path: name, before: unknown, after: unknown }])],
    );
    assert.deepEqual([...statesBefore(records.slice(-1), 0)], [[name, unknown]]);
  });

  it('restores every property of a file', async () => {
    const file: Required<FileRecord> = {
      path: path.resolve('/folder/new.txt'),
      oldPath: path.resolve('/folder/old.txt'),
      before: { kind: 'none' },
      after: { kind: 'unknown', reason: 'late', size: 3 },
      binary: true,
      shared: true,
      sharedWith: ['user', 'other-session'],
      userEdits: true,
      relinked: true,
      inode: 4,
      added: 1,
      removed: 2,
    };
    const record: ChangeRecord = { type: 'undo', undoId: 'undo', at: 1, files: [file], ends: true, during: 'turn' };
    await new ChangeLog(new DiskStoreFolder(place)).append(record);
    assert.deepEqual(await new ChangeLog(new DiskStoreFolder(place)).records(), [record]);
  });

  it('reads again after the disk failed', async () => {
    await new ChangeLog(new DiskStoreFolder(place)).append(checkpoint('turn-1'));
    let isBroken = true;
    class BrokenFolder extends DiskStoreFolder {
      override readAll(name: string): Promise<Uint8Array | undefined> {
        return isBroken ? Promise.reject(new Error('EIO: injected')) : super.readAll(name);
      }
    }
    const log = new ChangeLog(new BrokenFolder(place));
    await assert.rejects(log.records(), /EIO/);
    await log.append(checkpoint('turn-2'));
    isBroken = false;
    assert.deepEqual(await turnsOf(log), ['turn-1', 'turn-2']);
  });
});

describe('a store’s folder on disk', () => {
  let place: string;
  beforeEach(() => (place = path.join(mkdtempSync(path.join(tmpdir(), 'folder-')), 'k.changes')));
  afterEach(() => rmSync(path.dirname(place), { recursive: true, force: true }));

  it('is created again when it was deleted', async () => {
    const folder = new DiskStoreFolder(place);
    await folder.append('a', Buffer.from('1'));
    rmSync(place, { recursive: true });
    assert.equal((await folder.append('a', Buffer.from('2'))).length, 1);
    rmSync(place, { recursive: true });
    await folder.replace('b', Buffer.from('3'));
    assert.deepEqual([readdirSync(place), readFileSync(path.join(place, 'b'), 'utf8')], [['b'], '3']);
  });

  it('is not created by a write after it was closed', async () => {
    const folder = new DiskStoreFolder(place);
    folder.close();
    await assert.rejects(folder.append('a', Buffer.from('1')), StoreClosedError);
    await assert.rejects(folder.replace('a', Buffer.from('1')), StoreClosedError);
    assert.throws(() => readdirSync(place), { code: 'ENOENT' });
  });

  it('appends only to a file of the expected length', async () => {
    const folder = new DiskStoreFolder(place);
    await folder.append('a', Buffer.from('12'), { at: 0 });
    await assert.rejects(folder.append('a', Buffer.from('3'), { at: 0 }), { code: 'EEXIST' });
    await assert.rejects(folder.append('a', Buffer.from('3'), { at: 1 }), { code: 'ESTALE' });
    await assert.rejects(folder.append('b', Buffer.from('3'), { at: 1 }), { code: 'ENOENT' });
    assert.equal((await folder.append('a', Buffer.from('3'), { at: 2 })).length, 3);
  });

  it('keeps what another window appends while a file is replaced', async () => {
    const folder = new DiskStoreFolder(place);
    const read = await folder.append('a', Buffer.from('old'));
    appendFileSync(path.join(place, 'a'), ' added');
    assert.equal(Buffer.from((await folder.replaceAppended('a', Buffer.from('new'), read)).added).toString(), ' added');
    assert.equal(readFileSync(path.join(place, 'a'), 'utf8'), 'new added');
    assert.deepEqual(readdirSync(place), ['a']);
  });

  it('keeps all of a file with which another window replaced the known one', async () => {
    const folder = new DiskStoreFolder(place);
    const read = await folder.append('a', Buffer.from('old'));
    await new DiskStoreFolder(place).replace('a', Buffer.from('others'));
    assert.equal(Buffer.from((await folder.replaceAppended('a', Buffer.from('new '), read)).added).toString(), 'others');
    assert.equal(readFileSync(path.join(place, 'a'), 'utf8'), 'new others');
  });

  it('keeps a file with which another window replaces the known one at the last moment', async () => {
    let isLate = true;
    const fs: StoreFs = {
      ...nodeFs,
      open: async (...args: Parameters<StoreFs['open']>) => {
        const file = String(args[0]);
        // The new file is complete, but does not have the name yet.
        if (isLate && file.endsWith('a') && readdirSync(place).some((name) => name.endsWith('.tmp'))) {
          isLate = false;
          writeFileSync(`${file}-others`, 'others');
          renameSync(`${file}-others`, file);
        }
        return nodeFs.open(...args);
      },
    };
    const read = await new DiskStoreFolder(place).append('a', Buffer.from('old'));
    const folder = new DiskStoreFolder(place, fs);
    assert.equal(Buffer.from((await folder.replaceAppended('a', Buffer.from('new '), read)).added).toString(), 'others');
    assert.deepEqual([readFileSync(path.join(place, 'a'), 'utf8'), readdirSync(place), isLate], ['new others', ['a'], false]);
  });

  it('keeps what another window appends while Windows replaces a file, which it refuses while the file is open', async () => {
    const open = new Map<string, number>();
    const count = (file: string, change: number): void => void open.set(file, (open.get(file) ?? 0) + change);
    let isLate = true;
    const fs: StoreFs = {
      ...nodeFs,
      open: async (...args: Parameters<StoreFs['open']>) => {
        const handle = await nodeFs.open(...args);
        count(String(args[0]), 1);
        const close = handle.close.bind(handle);
        handle.close = () => close().finally(() => count(String(args[0]), -1));
        return handle;
      },
      rename: async (from, to) => {
        if ((open.get(String(to)) ?? 0) > 0) {
          throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        }
        if (isLate) {
          isLate = false;
          appendFileSync(String(to), ' late');
        }
        await nodeFs.rename(from, to);
      },
    };
    const folder = new DiskStoreFolder(place, fs, 'win32');
    const read = await folder.append('a', Buffer.from('old'));
    await folder.append('a', Buffer.from(' added'));
    assert.equal(Buffer.from((await folder.replaceAppended('a', Buffer.from('new'), read)).added).toString(), ' added late');
    assert.deepEqual([readFileSync(path.join(place, 'a'), 'utf8'), readdirSync(place)], ['new added late', ['a']]);
  });

  it('does not read a range beyond the file', async () => {
    const folder = new DiskStoreFolder(place);
    await folder.replace('a', Buffer.from('12'));
    writeFileSync(path.join(place, 'a'), '12');
    assert.equal(await folder.read('a', 1, 2 ** 40), undefined);
    assert.equal(await folder.read('missing', 0, 1), undefined);
    assert.equal(Buffer.from((await folder.read('a', 1, 1))!).toString(), '2');
  });
});
