/** Files that a session left at their paths, recognized by their inodes and times. */
import assert from 'node:assert/strict';
import type { ChangeRecord, FileRecord, FileState } from '../../../src/core/fileChanges/records';
import type { FileStat } from '../../../src/changes/disk/fileStat';
import type { CleanFile } from '../../../src/changes/turns/filesSnapshot';
import { OwnFiles } from '../../../src/changes/turns/ownFiles';

const file = (hash: string): FileState => ({ kind: 'file', hash, size: 5, mode: 0o644, kept: true });
const NONE: FileState = { kind: 'none' };
const knowsBirths = async (): Promise<boolean> => true;

interface Times {
  readonly birth: number;
  readonly written: number;
}

describe('the files of a session', () => {
  /** A turn from 1000 to 2000 ms. */
  const turn = (record: Partial<FileRecord>): readonly ChangeRecord[] => [
    { type: 'checkpoint', turnId: 'turn', at: 1001 },
    { type: 'turn', turnId: 'turn', at: 2001, files: [{ path: '/a', before: file('1'), after: file('2'), ...record }] },
  ];
  const undo = (before: FileState, after: FileState, inodes?: readonly number[]): readonly ChangeRecord[] => [
    { type: 'undo', undoId: 'undo', at: 3001, files: [{ path: '/a', before, after }], ends: true },
    { type: 'done', id: 'undo', at: 3501, written: ['/a'], ...(inodes && { inodes }), left: [] },
  ];
  const isOther = (
    records: readonly ChangeRecord[],
    ino: number,
    { birth, written }: Times,
    platform: NodeJS.Platform = 'linux',
  ): Promise<boolean> =>
    new OwnFiles(records, platform).hasOther('/a', { kind: 'file', size: 5, ino, birthtimeMs: birth, mtimeMs: written }, { knowsBirths });
  const OLD = { birth: 501, written: 601 };

  it('have the inodes of the records', async () => {
    assert.equal(await isOther(turn({ inode: 7 }), 7, OLD), false);
    assert.equal(await isOther(turn({ inode: 7 }), 8, OLD), true);
  });

  it('are older than the record of their inode', async () => {
    const records = [...turn({ inode: 7 }), ...undo(file('2'), file('1'), [8])];
    assert.equal(await isOther(records, 7, { birth: 2501, written: 2501 }), true);
    assert.equal(await isOther(records, 8, { birth: 3401, written: 3401 }), false);
  });

  it('may be any where an earlier version of the extension wrote in place', async () => {
    for (const inodes of [undefined, [0]]) {
      assert.equal(await isOther([...turn({}), ...undo(file('2'), file('1'), inodes)], 7, OLD), false);
      assert.equal(await isOther([...turn({ inode: 7 }), ...undo(file('2'), file('1'), inodes)], 8, OLD), false);
    }
    assert.equal(await isOther([...turn({}), ...undo(NONE, file('1'))], 7, OLD), true);
    assert.equal(await isOther([...turn({}), ...undo(file('2'), NONE)], 7, OLD), true);
  });

  it('may be any where their size was beyond the limit', async () => {
    assert.equal(await isOther(turn({ after: { kind: 'unknown', reason: 'too_large' } }), 7, OLD), false);
  });

  it('can have an earlier birth where a file inherits that of the one before it', async () => {
    for (const platform of ['win32', 'darwin', 'linux'] as const) {
      assert.equal(await isOther(turn({ inode: 7 }), 8, { birth: 501, written: 2501 }, platform), platform === 'linux', platform);
      assert.equal(await isOther(turn({ inode: 7 }), 8, OLD, platform), true, platform);
    }
  });

  it('can be moved by the agent while no other author has written them', async () => {
    const made = (record: Partial<FileRecord> = {}): readonly ChangeRecord[] => {
      const [checkpoint] = turn({});
      const files: FileRecord[] = [
        { path: '/a', before: NONE, after: file('2'), inode: 7 },
        { path: '/b', before: NONE, after: file('2'), inode: 8, ...record },
      ];
      return [checkpoint!, { type: 'turn', turnId: 'turn', at: 2001, files }];
    };
    assert.equal(await isOther(made(), 8, { birth: 1501, written: 1601 }), false);
    assert.equal(await isOther(made(), 8, { birth: 1501, written: 2101 }), true);
    assert.equal(await isOther(made({ shared: true }), 8, { birth: 1501, written: 1601 }), true);
    assert.equal(await isOther(made({ userEdits: true }), 8, { birth: 1501, written: 1601 }), true);
  });

  it('may have been replaced before a turn, unless a checkout or a save has made them again', async () => {
    const mayBeOther = (earlier: Parameters<OwnFiles['mayHaveOther']>[1]): Promise<boolean> =>
      new OwnFiles(turn({ inode: 7 }), 'linux').mayHaveOther('/a', earlier, { knowsBirths });
    const stat = (birthtimeMs: number): FileStat => {
      return { kind: 'file', size: 5, ino: 8, birthtimeMs, mtimeMs: 601, ctimeMs: 2501, mode: 0o644, dev: 1, nlink: 1, uid: 0, gid: 0 };
    };
    const clean = (mtimeMs: number): CleanFile => ({ ino: 8, dev: 1, size: 5, mtimeMs, ctimeMs: 2501, binary: false });
    assert.equal(await mayBeOther({ ino: 7 }), false);
    assert.equal(await mayBeOther({ ino: 8 }), true);
    assert.equal(await mayBeOther({ ino: 8, stat: stat(501) }), true);
    assert.equal(await mayBeOther({ ino: 8, stat: stat(2401) }), false);
    assert.equal(await mayBeOther({ ino: 8, clean: clean(601) }), true);
    assert.equal(await mayBeOther({ ino: 8, clean: clean(2401) }), false);
  });
});
