/** The summary of pending changes for the page. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import { PendingSource } from '../../../src/changes/review/pendingSource';
import { linesOf } from '../../../src/changes/hunks/hunkCounts';
import { pendingSummary } from '../../../src/changes/review/pendingSummary';
import type { ReviewFile } from '../../../src/changes/review/review';
import type { FileState } from '../../../src/core/fileChanges/records';

const FILE: FileState = { kind: 'file', hash: 'a', size: 4, mode: 0o644, kept: true };
const NONE: FileState = { kind: 'none' };

function edited(path: string, before: string, after: string, more: Partial<ReviewFile> = {}): ReviewFile {
  const hunks = LiveHunks.of(before);
  hunks.replace(after, { type: 'agent', by: 'turn' });
  return { path, before: FILE, after: FILE, isDeleted: false, turns: ['turn'], hunks, ...more };
}
const deleted = (path: string): ReviewFile => ({ path, before: FILE, after: NONE, isDeleted: true, turns: ['turn'] });

describe('the summary of pending changes', () => {
  const summary = (...files: ReviewFile[]) => pendingSummary(files, { nameOf: (path) => `/named${path}`, deletedLines: () => 3 });

  it('is undefined without pending changes', () => {
    const kept = edited('/a', 'one\n', 'two\n');
    kept.hunks!.keep([kept.hunks!.hunks[0]!.hunkId]);
    assert.equal(summary(), undefined);
    assert.equal(summary(kept), undefined);
  });

  it('says which files an editor has unsaved changes of', () => {
    const facts = { nameOf: (path: string) => path, deletedLines: () => 3, isUnsaved: (path: string) => path === '/b' };
    const files = pendingSummary([edited('/a', 'one\n', 'two\n'), edited('/b', 'one\n', 'two\n')], facts)!.files;
    assert.deepEqual(
      files.map(({ unsaved }) => unsaved),
      [undefined, 'yes'],
    );
  });

  it('counts the lines of each file, and of all', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `${index}\n`).join('');
    const changed = edited('/a', lines, lines.replace('2\n', 'two\nand more\n').replace('7\n', ''));
    const created = edited('/b', '', 'new\nfile\n', { before: NONE });
    assert.deepEqual(summary(changed, created, deleted('/c')), {
      files: [
        { path: '/named/a', operation: 'modify', added: 2, removed: 2 },
        { path: '/named/b', operation: 'add', added: 2, removed: 0 },
        { path: '/named/c', operation: 'delete', added: 0, removed: 3 },
      ],
      added: 4,
      removed: 5,
    });
  });

  it('counts no lines that a change leaves unchanged', () => {
    const [before, after] = ['a\nsame\nb\n', 'A\nsame\nB\n'];
    const file = edited('/a', before, after);
    const whole = { hunkId: 1, start: 0, end: after.length, oldText: before, reviewed: false, edited: false, by: ['turn'] };
    const joined = { ...file, hunks: LiveHunks.from({ nextId: 2, hunks: [whole], setAside: [] }, after) };
    assert.deepEqual(summary(joined)!.files, [{ path: '/named/a', operation: 'modify', added: 2, removed: 2 }]);
  });

  it('marks a file that can only be kept', () => {
    const binary = { path: '/a', before: { kind: 'unknown', reason: 'late' }, after: FILE, isDeleted: false, turns: ['turn'] } as const;
    assert.deepEqual(summary(binary)!.files, [{ path: '/named/a', operation: 'modify', undo: 'no' }]);
  });

  it('names both paths of a moved file, and includes a file of which only the permissions changed', () => {
    const moved = { path: '/b', oldPath: '/a', before: FILE, after: FILE, isDeleted: false, turns: ['turn'] };
    const executable = edited('/c', 'x\n', 'x\n', { after: { ...FILE, mode: 0o755 } });
    assert.deepEqual(summary(moved, executable)!.files, [
      { path: '/named/b', oldPath: '/named/a', operation: 'move' },
      { path: '/named/c', operation: 'modify', added: 0, removed: 0 },
    ]);
  });

  it('lists the first 200 files, and counts all', () => {
    const files = Array.from({ length: 203 }, (_, index) => edited(`/${index}`, '', 'x\n', { before: NONE }));
    const all = summary(...files)!;
    assert.deepEqual([all.files.length, all.more, all.added], [200, 3, 203]);
  });

  it('counts a last line without a line feed', () => {
    assert.deepEqual(['', 'a', 'a\n', 'a\nb', '\n'].map(linesOf), [0, 1, 1, 2, 1]);
  });
});

describe('the lines of a deleted file', () => {
  it('are read once, and reported when they are known', async () => {
    const read: string[] = [];
    let changes = 0;
    const source = new PendingSource({
      review: { files: [deleted('/a')], onDidChange: () => ({ dispose: () => undefined }) },
      nameOf: (path) => path,
      textOf: async (path) => (read.push(path), 'one\ntwo\n'),
    });
    const listener = source.onDidChange(() => changes++);
    assert.equal(source.summary()!.files[0]!.removed, undefined);
    source.summary();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([read, changes, source.summary()!.removed], [['/a'], 1, 2]);
    listener.dispose();
  });

  it('are unknown for a binary file', async () => {
    const source = new PendingSource({
      review: { files: [deleted('/a')], onDidChange: () => ({ dispose: () => undefined }) },
      nameOf: (path) => path,
      textOf: async () => undefined,
    });
    source.summary();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(source.summary(), { files: [{ path: '/a', operation: 'delete' }], added: 0, removed: 0 });
  });
});
