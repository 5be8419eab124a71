/** A review on disk: what is written while the user types, and what a reload restores. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import { Review } from '../../../src/changes/review/review';
import { DiskStoreFolder } from '../../../src/changes/store/diskStoreFolder';
import type { FileRecord } from '../../../src/core/fileChanges/records';
import { systemClock } from '../../../src/util/clock';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const USER = { type: 'user' } as const;

describe('a stored review', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let stored: string;
  let folder: DiskStoreFolder;
  let failures: unknown[];
  const open: Review[] = [];

  function reviewOf(): Review {
    const review = new Review({
      store: session.store,
      folder,
      clock: systemClock,
      text: async (file) => workspace.read(path.relative(workspace.folder, file)),
      decode: async (_, bytes) => Buffer.from(bytes).toString(),
      onFailed: (error) => failures.push(error),
    });
    open.push(review);
    return review;
  }

  beforeEach(() => {
    workspace = new Workspace(false);
    session = workspace.session();
    stored = mkdtempSync(path.join(tmpdir(), 'review-'));
    folder = new DiskStoreFolder(stored);
    failures = [];
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((review) => review.flush().then(() => review.dispose())));
    workspace.dispose();
    rmSync(stored, { recursive: true });
  });

  /** A review of one file to which the agent added a last line. */
  async function reviewed(name: string, before: string): Promise<Review> {
    const review = reviewOf();
    workspace.write(name, `${before}agents\n`);
    const hash = (await session.store.put(Buffer.from(before)))!;
    const state = { kind: 'file', hash, size: before.length, mode: 0o644, kept: true } as const;
    const after = { ...state, hash: 'f'.repeat(64) };
    await review.recorded('turn-1', [{ path: workspace.at(name), before: state, after }]);
    return review;
  }

  async function reloaded(review: Review): Promise<Review> {
    await review.flush();
    const again = reviewOf();
    await again.load();
    return again;
  }

  function type(review: Review, file: string, text: string): void {
    const before = review.file(file)!.hunks!.text;
    review.documentChanged(file, [{ start: 0, end: 0, text }], USER);
    workspace.write(path.relative(workspace.folder, file), text + before);
  }

  const parts = (): string[] => readdirSync(stored).filter((name) => /^review-/.test(name));

  it('does not grow while the user types', async () => {
    const review = await reviewed('a.txt', 'line\n'.repeat(1000));
    await review.flush();
    const size = await folder.size();
    const objects = session.store.size;
    for (let count = 0; count < 100; count++) {
      type(review, workspace.at('a.txt'), 'x');
      await review.flush();
    }
    assert.ok((await folder.size()) < size + 1000);
    assert.equal(session.store.size, objects);
  });

  it('restores hunks, states and marks', async () => {
    const review = await reviewed('a.txt', 'one\n');
    const file = workspace.at('a.txt');
    type(review, file, '\ud800 mine\n');
    review.settle(file, { kind: 'none' });
    workspace.write('a.txt', 'one\nagents\n');
    review.documentIs(file, 'one\nagents\n', [], USER);
    const again = (await reloaded(review)).file(file)!;
    const { hunks, ...rest } = review.file(file)!;
    assert.deepEqual({ ...again, hunks: undefined }, { ...rest, hunks: undefined });
    assert.deepEqual([again.after, again.hunks!.stored, again.hunks!.text], [{ kind: 'none' }, hunks!.stored, hunks!.text]);
  });

  it('removes the text of a file that is no longer pending', async () => {
    const review = await reviewed('a.txt', 'one\n');
    await review.flush();
    assert.equal(parts().length, 1);
    review.drop(workspace.at('a.txt'));
    await review.flush();
    assert.deepEqual(parts(), []);
  });

  it('stores only earlier versions of files in the object store', async () => {
    const review = await reviewed('a.txt', 'one\n');
    type(review, workspace.at('a.txt'), 'x');
    const { before } = review.file(workspace.at('a.txt'))!;
    assert.deepEqual([...review.objects], [before.kind === 'file' && before.hash]);
    await review.flush();
    await session.store.keepOnly(review.objects);
    const again = await reloaded(review);
    assert.equal(again.file(workspace.at('a.txt'))!.hunks!.hunks.length, 1);
  });

  it('restores a large text from the file, and marks its hunks as stale when the file has changed', async () => {
    const before = 'line\n'.repeat(100_000);
    const file = workspace.at('large.txt');
    const again = await reloaded(await reviewed('large.txt', before));
    assert.deepEqual([again.file(file)!.hunks!.hunks.length, again.file(file)!.hunks!.baseline === before], [1, true]);
    assert.ok(readFileSync(path.join(stored, parts()[0]!)).length < 10_000);
    workspace.write('large.txt', 'another branch\n');
    const { hunks } = (await reloaded(again)).file(file)!;
    assert.deepEqual(
      [hunks!.hunks, hunks!.text, hunks!.setAside.map(({ status, newText }) => [status, newText])],
      [[], 'another branch\n', [['stale', 'agents\n']]],
    );
  });

  it('never undoes hunks that do not fit their text, and skips malformed entries', async () => {
    const text = 'one\ntwo\nagents\n';
    const hunk = { hunkId: 1, start: 8, end: 15, oldText: 'old\n', reviewed: false, edited: false, by: ['turn-1'] };
    const hash = 'a'.repeat(64);
    const before = { kind: 'file', hash, size: 8, mode: 0o644, kept: true };
    let last: Review | undefined;
    const load = async (hunks: unknown, entry: object = {}): Promise<Review> => {
      // A late write of the previous review would replace the files of the next one.
      await last?.flush();
      last?.dispose();
      const name = `review-${'0'.repeat(32)}.json`;
      const file = { path: workspace.at('a.txt'), before, after: before, isDeleted: false, turns: ['turn-1'], part: name, ...entry };
      await folder.replace(name, Buffer.from(JSON.stringify({ text, stored: { nextId: 2, setAside: [], hunks } })));
      await folder.replace('review.json', Buffer.from(JSON.stringify({ version: 2, files: [null, 7, [], {}, { path: 'a' }, file] })));
      const review = (last = reviewOf());
      await review.load();
      return review;
    };
    workspace.write('a.txt', text);
    const file = workspace.at('a.txt');
    assert.deepEqual((await load([hunk])).undoEdits(file), [{ start: 8, end: 15, text: 'old\n' }]);
    for (const [what, hunks] of Object.entries({
      'a negative offset': [{ ...hunk, start: -1 }],
      'an end before the start': [{ ...hunk, start: 16 }],
      'an end behind the text': [{ ...hunk, end: text.length + 1 }],
      'a fraction': [{ ...hunk, start: 8.5 }],
      'no number': [{ ...hunk, start: '8' }],
      'no text': [{ ...hunk, oldText: { length: 4 } }],
      'an overlap': [hunk, { ...hunk, hunkId: 2, start: 12 }],
      'another order': [
        { ...hunk, hunkId: 2 },
        { ...hunk, start: 0, end: 4 },
      ],
      'one id twice': [{ ...hunk, start: 0, end: 4 }, hunk],
      'no object': [null],
      'no array': { length: 1, 0: hunk },
    })) {
      const review = await load(hunks);
      assert.deepEqual([review.files.length, review.file(file)?.hunks, review.undoEdits(file)], [1, undefined, []], what);
      assert.deepEqual(review.file(file)!.before, before, what);
    }
    const manipulated = JSON.parse(
      `{"__proto__":{"isLarge":true},"constructor":1,"before":{"kind":"file","hash":"../x"},"turns":[{}]}`,
    ) as object;
    const [read] = (await load([hunk], manipulated)).files;
    assert.deepEqual(Object.keys(read!).sort(), ['after', 'before', 'hunks', 'isDeleted', 'path', 'turns']);
    assert.deepEqual([read!.before, read!.turns, read!.isLarge], [{ kind: 'unknown', reason: 'unreadable' }, [], undefined]);
    for (const name of ['relative.txt', `${workspace.folder}/sub/../../outside.txt`, `${file}\0`, '']) {
      assert.deepEqual((await load([hunk], { path: name })).files, [], name);
    }
  });

  it('reads the first version, whose texts are in the object store', async () => {
    const file = workspace.at('a.txt');
    workspace.write('a.txt', 'one\n2\n');
    const hunks = LiveHunks.of('one\ntwo\n');
    hunks.replace('one\n2\n', { type: 'agent', by: 'turn-1' });
    const text = await session.store.put(Buffer.from(hunks.text));
    const entry = { path: file, before: { kind: 'none' }, isDeleted: false, turns: ['turn-1'], stored: hunks.stored, text };
    await folder.replace('review.json', Buffer.from(JSON.stringify({ version: 1, files: [entry] })));
    const review = reviewOf();
    await review.load();
    const read = review.file(file)!;
    assert.deepEqual([read.hunks!.stored, read.hunks!.baseline], [hunks.stored, 'one\ntwo\n']);
    assert.deepEqual(read.after, { kind: 'unknown', reason: 'late' });
    assert.deepEqual((await reloaded(review)).file(file)!.hunks!.stored, hunks.stored);
  });

  it('is written with the next change after the disk was full, and reports that once', async () => {
    const review = await reviewed('a.txt', 'one\n');
    await review.flush();
    const { replace } = folder;
    folder.replace = () => Promise.reject(new Error('ENOSPC'));
    type(review, workspace.at('a.txt'), 'x');
    await review.flush();
    type(review, workspace.at('a.txt'), 'y');
    await review.flush();
    assert.equal(failures.length, 1);
    folder.replace = replace;
    type(review, workspace.at('a.txt'), 'z');
    assert.equal((await reloaded(review)).file(workspace.at('a.txt'))!.hunks!.text, 'zyxone\nagents\n');
  });

  it('marks a file as shared as long as it waits', async () => {
    const review = await reviewed('a.txt', 'one\n');
    const file = workspace.at('a.txt');
    const record: FileRecord = { path: file, before: { kind: 'none' }, after: { kind: 'none' } };
    assert.equal(review.file(file)!.shared, undefined);
    await review.recorded('turn-2', [{ ...record, shared: true, sharedWith: ['user', 'other'] }]);
    await review.recorded('turn-3', [record]);
    assert.equal(review.file(file)!.shared, true);
    assert.equal((await reloaded(review)).file(file)!.shared, true);
    assert.deepEqual((await reloaded(review)).file(file)!.sharedWith, ['user', 'other']);
  });
});
