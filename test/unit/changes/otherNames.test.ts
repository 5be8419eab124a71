/** Files that an agent replaced with another name of a file elsewhere. An undo or a restore must not write into that file. */
import assert from 'node:assert/strict';
import { linkSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe('a file that a turn replaced by a second name of another file', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let bench: Undoing;
  let outside: string;
  let notes: string;

  const at = (name: string): string => workspace.at(name);
  const replaceByLink = (from: string, name: string): void => {
    rmSync(at(name));
    linkSync(from, at(name));
  };

  beforeEach(async () => {
    outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
    notes = path.join(outside, 'notes.txt');
    writeFileSync(notes, 'outside of the session\n');
    workspace = new Workspace(true);
    workspace.write('a.txt', 'one\ntwo\nthree\n');
    workspace.write('b.txt', 'tracked\nas well\n');
    workspace.write('logo.bin', Buffer.from([0, 1, 2]));
    workspace.commit();
    workspace.write('untracked.txt', 'of the user\n');
    await workspace.settle();
    session = workspace.session();
    bench = undoing(workspace, session);
  });

  afterEach(() => {
    bench.dispose();
    workspace.dispose();
    rmSync(outside, { recursive: true, force: true });
  });

  for (const name of ['a.txt', 'logo.bin', 'untracked.txt']) {
    it(`is undone without a write into the other file: ${name}`, async () => {
      const before = workspace.tree();
      await bench.turn(() => replaceByLink(notes, name));
      assert.deepEqual((await bench.undoFiles()).left, []);
      assert.equal(readFileSync(notes, 'utf8'), 'outside of the session\n');
      assert.deepEqual(workspace.tree(), before);
    });
  }

  it('is undone in an open document without a write into the other file', async () => {
    await bench.turn(() => replaceByLink(notes, 'a.txt'));
    bench.editor.open(at('a.txt'));
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.deepEqual([readFileSync(notes, 'utf8'), workspace.read('a.txt')], ['outside of the session\n', 'one\ntwo\nthree\n']);
  });

  it('is undone in the session too, without a write into the other file', async () => {
    await bench.turn(() => replaceByLink(at('b.txt'), 'a.txt'));
    await bench.undoFiles();
    assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt')], ['one\ntwo\nthree\n', 'tracked\nas well\n']);
  });

  it('is undone without a write into the other file after a second turn wrote both', async () => {
    await bench.turn(() => replaceByLink(at('b.txt'), 'a.txt'));
    await bench.turn(() => writeFileSync(at('a.txt'), 'by the agent\n'));
    await bench.undoFiles();
    assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt')], ['one\ntwo\nthree\n', 'tracked\nas well\n']);
  });

  it('is restored without a write into the other file', async () => {
    await bench.turn(() => replaceByLink(notes, 'a.txt'));
    const plan = (await session.restore.toCheckpoint('turn-1'))!;
    assert.deepEqual((await session.restore.perform(plan)).reasons, []);
    assert.deepEqual([readFileSync(notes, 'utf8'), workspace.read('a.txt')], ['outside of the session\n', 'one\ntwo\nthree\n']);
  });

  it('is distinguished from a file that had both names before and was written in place', async () => {
    linkSync(at('untracked.txt'), path.join(outside, 'second'));
    await workspace.settle();
    await bench.turn(() => writeFileSync(at('untracked.txt'), 'by the agent\n'));
    await bench.undoFiles();
    assert.equal(readFileSync(path.join(outside, 'second'), 'utf8'), 'of the user\n');
    assert.equal(statSync(at('untracked.txt')).nlink, 2);
  });
});
