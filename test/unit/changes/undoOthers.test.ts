/** Undos that would write other files than the named one, and undos that cannot be saved. */
import assert from 'node:assert/strict';
import { chmodSync, appendFileSync, existsSync, linkSync, lstatSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { UndoResult } from '../../../src/changes/undo/undo';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace } from '../../support/changes/workspace';

describe('an undo', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let bench: Undoing;

  const at = (name: string): string => workspace.at(name);
  const reasons = ({ left }: UndoResult): Record<string, string> =>
    Object.fromEntries(left.map((each) => [path.relative(workspace.folder, each.path), each.reason]));
  const undoHunks = async (name: string): Promise<UndoResult> => {
    const file = bench.review.file(at(name))!;
    return bench.undo.perform(await bench.undo.plan([{ file, hunkIds: file.hunks!.hunks.map(({ hunkId }) => hunkId) }]));
  };
  const modeOf = (name: string): string => (lstatSync(at(name)).mode & 0o777).toString(8);

  beforeEach(async () => {
    workspace = new Workspace(false);
    workspace.write('a.txt', 'one\ntwo\nthree\n');
    workspace.write('b.txt', 'b\n');
    await workspace.settle();
    bench = undoing(workspace, workspace.session());
  });
  afterEach(() => {
    bench.dispose();
    workspace.dispose();
  });

  describe('when the path is a new name of the user’s file', () => {
    beforeEach(() =>
      bench.turn(() => {
        linkSync(at('a.txt'), at('new.txt'));
        appendFileSync(at('a.txt'), 'agent\n');
      }),
    );

    it('removes only the name', async () => {
      assert.deepEqual(reasons(await bench.undoFiles(['new.txt'])), {});
      assert.deepEqual([existsSync(at('new.txt')), workspace.read('a.txt')], [false, 'one\ntwo\nthree\nagent\n']);
    });

    for (const editor of ['closed', 'clean', 'unsaved'] as const) {
      it(`leaves the changes in it, with its document ${editor}`, async () => {
        void (editor !== 'closed' && (bench.editor.open(at('new.txt')).dirty = editor === 'unsaved'));
        assert.deepEqual(reasons(await undoHunks('new.txt')), { 'new.txt': 'linked' });
        assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\nagent\n');
      });
    }
  });

  it('writes a file that had two names before', async () => {
    linkSync(at('a.txt'), at('too.txt'));
    await workspace.settle();
    await bench.turn(() => appendFileSync(at('a.txt'), 'agent\n'));
    assert.deepEqual(reasons(await undoHunks('a.txt')), {});
    assert.deepEqual([workspace.read('a.txt'), workspace.read('too.txt')], ['one\ntwo\nthree\n', 'one\ntwo\nthree\n']);
  });

  describe('when a moved file replaced another', () => {
    beforeEach(() => bench.turn(() => renameSync(at('b.txt'), at('a.txt'))));

    it('leaves it when the moved file is left', async () => {
      bench.editor.open(at('b.txt'), 'unsaved\n').dirty = true;
      assert.deepEqual(reasons(await bench.undoFiles()), { 'a.txt': 'moved', 'b.txt': 'unsaved' });
      assert.equal(workspace.read('a.txt'), 'b\n');
    });

    it('leaves it and its changes when the moved file is not undone', async () => {
      assert.deepEqual(reasons(await bench.undoFiles(['a.txt'])), { 'a.txt': 'moved' });
      assert.deepEqual(reasons(await undoHunks('a.txt')), { 'a.txt': 'moved' });
      assert.equal(workspace.read('a.txt'), 'b\n');
      assert.deepEqual(reasons(await bench.undoFiles(['b.txt'])), {});
      assert.deepEqual(reasons(await bench.undoFiles(['a.txt'])), {});
      assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt')], ['one\ntwo\nthree\n', 'b\n']);
    });

    it('undoes both, the moved file first', async () => {
      bench.editor.open(at('a.txt'));
      assert.deepEqual(reasons(await bench.undoFiles()), {});
      assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt')], ['one\ntwo\nthree\n', 'b\n']);
    });
  });

  it('can be repeated after its changes were applied again, with the only copy of a deleted file last', async () => {
    await bench.turn(() => renameSync(at('b.txt'), at('a.txt')));
    assert.deepEqual(reasons(await bench.undoFiles()), {});
    assert.equal(await bench.undo.applyAgain(bench.report.noteOf(at('b.txt'))!), undefined);
    const live = bench.review.file(at('a.txt'))!.hunks!;
    const edits = live.setAside.flatMap(({ hunkId }) => live.reapplyEdit(hunkId) ?? []);
    assert.equal(await bench.undo.editText(at('a.txt'), () => [...edits].reverse()), undefined);
    assert.deepEqual([existsSync(at('b.txt')), workspace.read('a.txt')], [false, 'b\n']);
    assert.deepEqual(reasons(await undoHunks('a.txt')), { 'a.txt': 'moved' });
    assert.deepEqual(reasons(await bench.undoFiles()), {});
    assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt')], ['one\ntwo\nthree\n', 'b\n']);
  });

  it('leaves a path to which a file without a copy was moved', async () => {
    const content = 'a line of the user\n'.repeat(20_000);
    workspace.write('big.txt', content);
    await workspace.settle();
    await bench.turn(() => renameSync(at('big.txt'), at('a.txt')));
    assert.match(reasons(await bench.undoFiles())['a.txt']!, /^(moved|shared)$/);
    void (bench.review.file(at('a.txt'))!.hunks && assert.deepEqual(reasons(await undoHunks('a.txt')), { 'a.txt': 'moved' }));
    assert.equal(workspace.read('a.txt'), content);
  });

  it('restores files that the agent exchanged', async () => {
    await bench.turn(() => {
      renameSync(at('a.txt'), at('t'));
      renameSync(at('b.txt'), at('a.txt'));
      renameSync(at('t'), at('b.txt'));
    });
    assert.deepEqual(reasons(await bench.undoFiles()), {});
    assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt')], ['one\ntwo\nthree\n', 'b\n']);
  });

  it('makes a private file private again, unless the user has changed its permissions since', async () => {
    chmodSync(at('a.txt'), 0o640);
    chmodSync(at('b.txt'), 0o600);
    await workspace.settle();
    await bench.turn(() => {
      for (const name of ['a.txt', 'b.txt']) {
        workspace.remove(name);
        workspace.write(name, 'agent\n');
        chmodSync(at(name), 0o644);
      }
    });
    chmodSync(at('b.txt'), 0o664);
    assert.deepEqual(reasons(await bench.undoFiles()), {});
    assert.deepEqual([modeOf('a.txt'), modeOf('b.txt')], ['640', '664']);
  });

  it("restores the user's text that was written between two turns in place of a deleted or binary file", async () => {
    workspace.write('logo.bin', Buffer.from([0, 1]));
    await workspace.settle();
    await bench.turn(() => {
      workspace.remove('a.txt');
      workspace.write('logo.bin', Buffer.from([0, 2]));
    });
    workspace.write('a.txt', 'of the user\n');
    workspace.write('logo.bin', Buffer.from([0, 3]));
    await workspace.settle();
    await bench.turn(() => {
      appendFileSync(at('a.txt'), 'agent\n');
      workspace.write('logo.bin', Buffer.from([0, 4]));
    });
    assert.deepEqual(reasons(await bench.undoFiles()), {});
    assert.deepEqual([workspace.read('a.txt'), workspace.read('logo.bin')], ['of the user\n', '\0\x03']);
  });

  it('restores the text of a document that cannot be saved, and reports nothing to the agent', async () => {
    await bench.turn(() => workspace.write('a.txt', 'zero\none\n2\nthree\n'));
    const document = bench.editor.open(at('a.txt'));
    bench.editor.readOnly.add(at('a.txt'));
    const pending = bench.review.file(at('a.txt'))!.hunks!.hunks.map(({ hunkId }) => hunkId);
    for (const undo of [() => bench.undoFiles(), () => undoHunks('a.txt')]) {
      document.dirty = false;
      assert.deepEqual(reasons(await undo()), { 'a.txt': 'failed' });
      assert.deepEqual([document.text, workspace.read('a.txt')], ['zero\none\n2\nthree\n', 'zero\none\n2\nthree\n']);
      const { hunks, setAside } = bench.review.file(at('a.txt'))!.hunks!;
      assert.deepEqual([hunks.map(({ hunkId }) => hunkId), setAside], [pending, []]);
      assert.equal(bench.report.take(), undefined);
    }
  });
});
