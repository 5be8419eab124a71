/** Files that are gone after a turn during which no window was there. The author of the deletion is not known, and putting the file back loses nothing. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { FileRecord } from '../../../src/core/fileChanges/records';
import type { LeftReason } from '../../../src/changes/undo/undoPlan';
import { begun, next, recordOf } from '../../support/changes/continuedTurns';
import { undoing, type Undoing } from '../../support/changes/undoing';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const TEXT = 'one\ntwo\nthree\n';
const BINARY = '\0binary\0';

for (const isRepository of [true, false]) {
  describe(`a file that is gone after a reload, in ${isRepository ? 'a repository' : 'a plain folder'}`, () => {
    let workspace: Workspace;
    let first: WorkspaceSession;
    let later: WorkspaceSession;
    let bench: Undoing | undefined;
    let since: number;

    beforeEach(async () => {
      workspace = new Workspace(isRepository);
      workspace.write('gone.txt', TEXT);
      workspace.write('gone.bin', BINARY);
      void (isRepository && workspace.commit());
      await workspace.settle();
      ({ window: first, since } = await begun(workspace));
    });

    afterEach(() => {
      bench?.dispose();
      bench = undefined;
      workspace.dispose();
    });

    /** The window reloads, and the turn ends in the next one. Returns the record of a file. */
    async function reload(name = 'gone.txt'): Promise<FileRecord | undefined> {
      await workspace.settle();
      later = await next(workspace, since);
      const turn = await later.recorder.turnEnded('turn');
      bench = undoing(workspace, later);
      await bench.review.recorded('turn', turn!.files);
      return recordOf(workspace, turn, name);
    }

    /** Undoes a file. Returns the reason for which it was left; undefined where it was undone. */
    async function undo(name = 'gone.txt'): Promise<LeftReason | undefined> {
      const { done, left } = await bench!.undoFiles([name]);
      assert.equal(done.length + left.length, 1);
      return left[0]?.reason;
    }

    /** Returns how a restore to before the turn treats a file. */
    async function restored(name = 'gone.txt'): Promise<unknown> {
      const file = (await later.restore.toCheckpoint('turn'))?.files.find(({ path }) => path === workspace.at(name));
      return file && { action: file.action, changedSince: file.changedSince, shared: file.shared, unseen: file.unseen };
    }

    const TICKED = { action: 'create', changedSince: false, shared: undefined, unseen: undefined };

    for (const [name, content] of [
      ['gone.txt', TEXT],
      ['gone.bin', BINARY],
    ] as const) {
      it(`puts ${name} back by an undo`, async () => {
        workspace.remove(name);
        assert.deepEqual((await reload(name))?.sharedWith, ['unseen']);
        const file = bench!.review.file(workspace.at(name))!;
        const [plan] = await bench!.undo.plan([{ file }]);
        // The question before the undo of several files says that it will be created again.
        assert.equal(plan?.action.type === 'write' && plan.action.effect, 'create');
        assert.equal(await undo(name), undefined);
        assert.equal(readFileSync(workspace.at(name), 'utf8'), content);
        assert.equal(bench!.review.file(workspace.at(name)), undefined);
      });
    }

    it('puts it back by a restore without a question', async () => {
      workspace.remove('gone.txt');
      await reload();
      assert.deepEqual(await restored(), TICKED);
      const { left } = await later.restore.perform((await later.restore.toCheckpoint('turn'))!);
      assert.deepEqual(left, []);
      assert.equal(readFileSync(workspace.at('gone.txt'), 'utf8'), TEXT);
    });

    it('leaves what is at its path now', async () => {
      workspace.remove('gone.txt');
      await reload();
      workspace.write('gone.txt', 'mine\n');
      assert.equal(await undo(), 'unseen');
      assert.equal(readFileSync(workspace.at('gone.txt'), 'utf8'), 'mine\n');
      assert.deepEqual(await restored(), { action: 'write', changedSince: true, shared: true, unseen: true });
    });

    it('leaves a folder with files that is at its path now', async () => {
      workspace.remove('gone.txt');
      await reload();
      workspace.write('gone.txt/mine.txt', 'mine\n');
      assert.equal(await undo(), 'changed_since');
      const { restored: written } = await later.restore.perform((await later.restore.toCheckpoint('turn'))!);
      assert.deepEqual(written, []);
      assert.equal(readFileSync(workspace.at('gone.txt/mine.txt'), 'utf8'), 'mine\n');
    });

    it('leaves unsaved text that is open for its path', async () => {
      workspace.remove('gone.txt');
      await reload();
      bench!.editor.open(workspace.at('gone.txt'), 'mine\n').dirty = true;
      assert.equal(await undo(), 'unsaved');
      assert.equal(existsSync(workspace.at('gone.txt')), false);
    });

    it('leaves it where the user is known to have changed it, too', async () => {
      first.recorder.documentChanged(workspace.at('gone.txt'), `${TEXT}mine\n`, 'user');
      for (let wait = 0; !Buffer.from((await first.storeFolder.readAll('running.jsonl')) ?? []).includes('"user"'); wait++) {
        assert.ok(wait < 200, 'the typing was not stored');
        await delay(10);
      }
      workspace.remove('gone.txt');
      assert.deepEqual((await reload())?.sharedWith, ['user']);
      assert.equal(await undo(), 'shared');
      assert.deepEqual(await restored(), { ...TICKED, shared: true });
    });

    it('leaves a file that was moved', async () => {
      renameSync(workspace.at('gone.txt'), workspace.at('moved.txt'));
      workspace.write('moved.txt', `${TEXT}mine\n`);
      await workspace.settle();
      later = await next(workspace, since);
      later.recorder.reportChange({ path: workspace.at('moved.txt'), movedFrom: workspace.at('gone.txt') });
      const turn = await later.recorder.turnEnded('turn');
      assert.deepEqual(recordOf(workspace, turn, 'moved.txt')?.sharedWith, ['unseen']);
      bench = undoing(workspace, later);
      await bench.review.recorded('turn', turn!.files);
      assert.equal(await undo('moved.txt'), 'unseen');
      assert.equal(readFileSync(workspace.at('moved.txt'), 'utf8'), `${TEXT}mine\n`);
    });
  });
}
