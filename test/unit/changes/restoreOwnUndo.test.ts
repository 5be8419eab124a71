/** Restores after an undo that the editor has saved: the records include the file. */
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RestorePlan } from '../../../src/changes/restore';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const BEFORE = `${LINES.join('\n')}\n`;
const CHANGED = BEFORE.replace('two', 'agent two').replace('seven', 'agent seven');

describe('a restore after an undo in an open document', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let bench: Undoing;

  const at = (name: string): string => workspace.at(name);
  const toBefore = async (turnId: string): Promise<RestorePlan> => (await session.restore.toCheckpoint(turnId))!;
  const changedSince = ({ files }: RestorePlan): string[] =>
    files.filter((file) => file.changedSince).map((file) => path.relative(workspace.folder, file.path));
  /** Undoes one change of a file, counted from the first pending one. */
  const undoHunk = async (name: string, nth = 0): Promise<void> => {
    const file = bench.review.file(at(name))!;
    const plans = await bench.undo.plan([{ file, hunkIds: [file.hunks!.hunks[nth]!.hunkId] }]);
    assert.deepEqual((await bench.undo.perform(plans)).left, []);
  };

  beforeEach(async () => {
    workspace = new Workspace(false);
    workspace.write('a.txt', BEFORE);
    workspace.write('b.txt', 'b\n');
    await workspace.settle();
    session = workspace.session();
    bench = undoing(workspace, session);
    bench.editor.open(at('a.txt'));
    await bench.turn(() => {
      writeFileSync(at('a.txt'), CHANGED);
      writeFileSync(at('b.txt'), 'agent b\n');
    });
    await bench.editor.look(at('a.txt'));
  });
  afterEach(() => {
    bench.dispose();
    workspace.dispose();
  });

  it('restores the file without a question', async () => {
    await undoHunk('a.txt');
    assert.equal(workspace.read('a.txt'), BEFORE.replace('seven', 'agent seven'));
    const plan = await toBefore('turn-1');
    assert.deepEqual(changedSince(plan), []);
    assert.deepEqual((await session.restore.perform(plan)).left, []);
    assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt')], [BEFORE, 'b\n']);
  });

  it('restores it after the undo of each change, one by one', async () => {
    writeFileSync(at('a.txt'), CHANGED);
    await undoHunk('a.txt', 1);
    await undoHunk('a.txt');
    assert.equal(workspace.read('a.txt'), BEFORE);
    assert.deepEqual(changedSince(await toBefore('turn-1')), []);
  });

  it('restores it after the change was applied again', async () => {
    await undoHunk('a.txt');
    const { hunks } = bench.review.file(at('a.txt'))!;
    const [undone] = hunks!.setAside;
    const edits = () => [hunks!.reapplyEdit(undone!.hunkId)!];
    assert.equal(await bench.undo.editText(at('a.txt'), edits), undefined);
    assert.equal(workspace.read('a.txt'), CHANGED);
    assert.deepEqual(changedSince(await toBefore('turn-1')), []);
  });

  it('restores it after the editor reverted the undo', async () => {
    await undoHunk('a.txt');
    writeFileSync(at('a.txt'), CHANGED);
    assert.deepEqual(changedSince(await toBefore('turn-1')), []);
  });

  it('restores it after another change was kept', async () => {
    bench.review.keep(at('a.txt'), [bench.review.file(at('a.txt'))!.hunks!.hunks[1]!.hunkId]);
    await undoHunk('a.txt');
    assert.deepEqual(changedSince(await toBefore('turn-1')), []);
  });

  it('restores it after a later turn changed the file', async () => {
    await undoHunk('a.txt');
    await workspace.settle();
    await bench.turn(() => appendFileSync(at('a.txt'), 'agent nine\n'));
    const plan = await toBefore('turn-1');
    assert.deepEqual(changedSince(plan), []);
    await session.restore.perform(plan);
    assert.equal(workspace.read('a.txt'), BEFORE);
  });

  /** Undoes the changes of the first turn while the agent changes the file once more. */
  const undoDuring = async (...texts: readonly string[]): Promise<void> => {
    await workspace.settle();
    await bench.turn(async () => {
      const [midTurn, end] = texts;
      writeFileSync(at('a.txt'), midTurn!);
      await bench.editor.look(at('a.txt'));
      bench.review.documentIs(at('a.txt'), midTurn!, [], { type: 'agent', by: 'turn-2' });
      await undoHunk('a.txt');
      void (end !== undefined && writeFileSync(at('a.txt'), end));
    });
  };

  it('restores the text of the message when the undo came in the middle of its turn', async () => {
    await undoDuring(`${CHANGED}agent nine\n`);
    const plan = await toBefore('turn-2');
    assert.deepEqual(changedSince(plan), []);
    await session.restore.perform(plan);
    assert.equal(workspace.read('a.txt'), CHANGED);
  });

  it('leaves the file when the undo came in the middle of a turn that has no record of it', async () => {
    await undoDuring(`${CHANGED}agent nine\n`, CHANGED);
    const { files } = await toBefore('turn-2');
    assert.deepEqual(
      files.map(({ action }) => action),
      ['unavailable'],
    );
  });

  it('undoes the restore to the text that the undo left', async () => {
    await undoHunk('a.txt');
    const left = workspace.read('a.txt');
    const { restoreId } = await session.restore.perform(await toBefore('turn-1'));
    await session.restore.perform((await session.restore.undoing(restoreId!))!);
    assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt')], [left, 'agent b\n']);
  });

  describe('asks about the file', () => {
    it('when the user wrote into it before the undo', async () => {
      appendFileSync(at('a.txt'), 'user\n');
      await bench.review.fileChanged(at('a.txt'));
      await undoHunk('a.txt');
      const plan = await toBefore('turn-1');
      assert.deepEqual(changedSince(plan), ['a.txt']);
      await session.restore.perform(plan);
      assert.match(workspace.read('a.txt'), /user\n$/);
    });

    it('when the user wrote into it after the undo', async () => {
      await undoHunk('a.txt');
      appendFileSync(at('a.txt'), 'user\n');
      assert.deepEqual(changedSince(await toBefore('turn-1')), ['a.txt']);
    });

    it('when another program wrote into it during the save', async () => {
      const { edit } = bench.editor;
      bench.editor.edit = async (...args) => {
        const result = await edit.apply(bench.editor, args);
        appendFileSync(at('a.txt'), 'formatter\n');
        return result;
      };
      await undoHunk('a.txt');
      assert.deepEqual(changedSince(await toBefore('turn-1')), ['a.txt']);
    });

    it('when the undo left the text unsaved, and the user saved it with other text', async () => {
      const document = bench.editor.open(at('a.txt'));
      document.dirty = true;
      await undoHunk('a.txt');
      assert.equal(workspace.read('a.txt'), CHANGED);
      writeFileSync(at('a.txt'), `${document.text}user\n`);
      assert.deepEqual(changedSince(await toBefore('turn-1')), ['a.txt']);
    });
  });
});
