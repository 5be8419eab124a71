/** Restores to states in which the agent's changes were that the user has undone since, or that a later turn has replaced. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { bringsBackUndone } from '../../../src/changes/hunks/recordedChanges';
import type { RestorePlan } from '../../../src/changes/restore';
import { RestoredFiles } from '../../../src/changes/review/restoredFiles';
import { isPending } from '../../../src/changes/review/review';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const BEFORE = `${LINES.join('\n')}\n`;
const CHANGED = BEFORE.replace('two', 'agent two').replace('five', 'agent five').replace('nine', 'agent nine');
const AGENT_BYTES = Buffer.from([0, 1, 2, 255]);
const LATER_BYTES = Buffer.from([0, 1, 2, 3]);
const USER_BYTES = Buffer.from([0, 9, 9]);

describe('the review after a restore of undone changes', function () {
  this.timeout(30_000);
  for (const isRepository of [false, true]) {
    for (const isOpen of [false, true]) {
      describe(`${isRepository ? 'in a repository' : 'in a folder'}${isOpen ? ', with the file in an editor' : ''}`, () => {
        let workspace: Workspace;
        let session: WorkspaceSession;
        let bench: Undoing;

        const at = (name: string): string => workspace.at(name);
        /** The new texts of the pending changes of a file. */
        const pendingIn = (name: string): readonly string[] => {
          const hunks = bench.review.file(at(name))?.hunks;
          return hunks?.hunks.map(({ start, end }) => hunks.text.slice(start, end).trim()) ?? [];
        };
        const undoHunk = async (name: string, text: string): Promise<void> => {
          const file = bench.review.file(at(name))!;
          const hunk = file.hunks!.hunks.find(({ start, end }) => file.hunks!.text.slice(start, end).trim() === text)!;
          const plans = await bench.undo.plan([{ file, hunkIds: [hunk.hunkId] }]);
          assert.deepEqual((await bench.undo.perform(plans)).left, []);
        };
        const turn = async (files: Readonly<Record<string, string | Uint8Array | null>>): Promise<void> => {
          await workspace.settle();
          await bench.turn(() => {
            for (const [name, content] of Object.entries(files)) {
              void (content === null ? workspace.remove(name) : writeFileSync(at(name), content));
            }
          });
          await bench.editor.look(at('a.txt'));
        };
        /** Restores all files, as the window does. @returns the id of the restore */
        const perform = async (plan: RestorePlan): Promise<string> => {
          const restored = new RestoredFiles(bench.review, plan.point, plan.files);
          const { files } = plan;
          // The editor writes an open file before the record is made, as the user's edit.
          const result = await session.restore.perform(
            plan,
            files.map((file) => file.path),
          );
          const document = bench.editor.documents.get(at('a.txt'));
          if (document && result.restored.includes(at('a.txt'))) {
            document.text = readFileSync(at('a.txt'), 'utf8');
            bench.review.documentIs(at('a.txt'), document.text, [], { type: 'user' });
          }
          for (const file of files.filter((each) => result.restored.includes(each.path))) {
            await restored.restored(file);
          }
          return result.restoreId!;
        };
        const reload = async (): Promise<void> => {
          await bench.review.flush();
          bench.dispose();
          bench = undoing(workspace, session);
          await bench.review.load();
        };
        const planTo = async (turnId: string): Promise<RestorePlan> => (await session.restore.toCheckpoint(turnId))!;
        const undoRestore = async (restoreId: string): Promise<string> => perform((await session.restore.undoing(restoreId))!);
        const namedIn = async ({ files, point }: RestorePlan): Promise<readonly string[]> => {
          const named: string[] = [];
          for (const file of files) {
            const isNamed = await bringsBackUndone(point, file, (real, state) => bench.review.textOf(real, state));
            named.push(...(isNamed ? [file.path.slice(workspace.folder.length + 1)] : []));
          }
          return named;
        };

        beforeEach(async () => {
          workspace = new Workspace(isRepository);
          workspace.write('a.txt', BEFORE);
          workspace.write('a.bin', Buffer.from([0, 7]));
          workspace.write('gone.txt', 'gone\n');
          void (isRepository && workspace.commit());
          await workspace.settle();
          session = workspace.session();
          bench = undoing(workspace, session);
          void (isOpen && bench.editor.open(at('a.txt')));
          await turn({ 'a.txt': CHANGED });
        });
        afterEach(() => {
          bench.dispose();
          workspace.dispose();
        });

        it('keeps an undo that was made before the message', async () => {
          await undoHunk('a.txt', 'agent five');
          const left = workspace.read('a.txt');
          await turn({ 'a.txt': left.replace('one', 'agent one') });
          const plan = await planTo('turn-2');
          assert.deepEqual(await namedIn(plan), []);
          await perform(plan);
          assert.equal(workspace.read('a.txt'), left);
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent nine']);
        });

        for (const isReloaded of [false, true]) {
          it(`keeps an undo when the restore is undone${isReloaded ? ' after a reload of the window' : ''}`, async () => {
            await undoHunk('a.txt', 'agent five');
            await turn({ 'a.txt': workspace.read('a.txt').replace('one', 'agent one') });
            const [text, pending] = [workspace.read('a.txt'), pendingIn('a.txt')];
            for (const turnId of ['turn-2', 'turn-1']) {
              const restoreId = await perform(await planTo(turnId));
              await (isReloaded && reload());
              await undoRestore(restoreId);
              assert.equal(workspace.read('a.txt'), text, turnId);
              assert.deepEqual(pendingIn('a.txt'), pending, turnId);
            }
          });
        }

        it('leaves a change kept that the user keeps after a restore, also after a reload of the window', async () => {
          await turn({ 'a.txt': CHANGED.replace('one', 'agent one') });
          const restoreId = await perform(await planTo('turn-2'));
          const { hunks } = bench.review.file(at('a.txt'))!;
          bench.review.keep(at('a.txt'), [hunks!.hunks[1]!.hunkId]);
          await reload();
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent nine']);
          await undoRestore(restoreId);
          assert.deepEqual(pendingIn('a.txt'), ['agent one\nagent two', 'agent five', 'agent nine']);
        });

        it('shows a change again that was undone after the message', async () => {
          await turn({ 'a.txt': CHANGED.replace('one', 'agent one') });
          await undoHunk('a.txt', 'agent five');
          const plan = await planTo('turn-2');
          assert.deepEqual(await namedIn(plan), ['a.txt']);
          await perform(plan);
          assert.equal(workspace.read('a.txt'), CHANGED);
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent five', 'agent nine']);
          assert.deepEqual(bench.review.file(at('a.txt'))!.turns.includes('turn-1'), true);
          await bench.undoFiles(['a.txt']);
          assert.equal(workspace.read('a.txt'), BEFORE);
        });

        it('shows a change again that a later turn replaced', async () => {
          await turn({ 'a.txt': CHANGED.replace('agent five', 'agent later') });
          const plan = await planTo('turn-2');
          assert.deepEqual(await namedIn(plan), []);
          const restoreId = await perform(plan);
          assert.equal(workspace.read('a.txt'), CHANGED);
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent five', 'agent nine']);
          await undoRestore(restoreId);
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent later', 'agent nine']);
        });

        it('shows a change again that a later turn replaced, and the user undid', async () => {
          await turn({ 'a.txt': CHANGED.replace('agent five', 'agent later') });
          await undoHunk('a.txt', 'agent later');
          await perform(await planTo('turn-2'));
          assert.equal(workspace.read('a.txt'), CHANGED);
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent five', 'agent nine']);
        });

        it('shows all changes again of a file that was undone as a whole', async () => {
          await turn({ 'a.txt': CHANGED.replace('agent five', 'agent later') });
          await bench.undoFiles(['a.txt']);
          assert.equal(workspace.read('a.txt'), BEFORE);
          const plan = await planTo('turn-2');
          assert.deepEqual(await namedIn(plan), ['a.txt']);
          await perform(plan);
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent five', 'agent nine']);
        });

        it('shows them again after a reload of the window', async () => {
          await turn({ 'a.txt': CHANGED.replace('agent five', 'agent later') });
          await bench.undoFiles(['a.txt']);
          await reload();
          await perform(await planTo('turn-2'));
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent five', 'agent nine']);
        });

        it('leaves out changes that the user had kept', async () => {
          const { hunks } = bench.review.file(at('a.txt'))!;
          bench.review.keep(at('a.txt'), [hunks!.hunks[0]!.hunkId]);
          await turn({ 'a.txt': CHANGED.replace('one', 'agent one').replace('agent five', 'agent later') });
          await perform(await planTo('turn-2'));
          assert.deepEqual(pendingIn('a.txt'), ['agent five', 'agent nine']);
          await perform(await planTo('turn-1'));
          assert.deepEqual(pendingIn('a.txt'), []);
        });

        it('leaves out a file whose changes were all kept', async () => {
          await turn({ 'a.txt': CHANGED.replace('agent five', 'agent later') });
          bench.review.keep(at('a.txt'));
          await undoRestore(await perform(await planTo('turn-2')));
          assert.deepEqual(bench.review.files.filter(isPending), []);
        });

        it('leaves lines of the user out', async () => {
          await turn({ 'a.txt': CHANGED.replace('agent five', 'agent later') });
          const text = `${workspace.read('a.txt')}user\n`;
          writeFileSync(at('a.txt'), text);
          bench.review.documentIs(at('a.txt'), text, [], { type: 'user' });
          await perform(await planTo('turn-2'));
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent five', 'agent nine']);
        });

        it('shows a created file again', async () => {
          await turn({ 'new.txt': 'agent\n' });
          await turn({ 'new.txt': 'agent\nlater\n' });
          await bench.undoFiles(['new.txt']);
          assert.throws(() => workspace.read('new.txt'));
          const plan = await planTo('turn-3');
          assert.deepEqual(await namedIn(plan), ['new.txt']);
          await perform(plan);
          assert.deepEqual(pendingIn('new.txt'), ['agent']);
          assert.deepEqual(bench.review.file(at('new.txt'))!.before, { kind: 'none' });
          assert.deepEqual((await bench.undoFiles(['new.txt'])).left, []);
          assert.throws(() => workspace.read('new.txt'));
        });

        it('shows a binary file again', async () => {
          await turn({ 'a.bin': AGENT_BYTES });
          await turn({ 'a.bin': LATER_BYTES });
          await bench.undoFiles(['a.bin']);
          await perform(await planTo('turn-3'));
          assert.deepEqual(readFileSync(at('a.bin')), AGENT_BYTES);
          assert.equal(isPending(bench.review.file(at('a.bin'))!), true);
          assert.deepEqual((await bench.undoFiles(['a.bin'])).left, []);
          assert.deepEqual(readFileSync(at('a.bin')), Buffer.from([0, 7]));
        });

        it("goes back to the user's version of a binary file when its change is shown again", async () => {
          await turn({ 'a.bin': AGENT_BYTES });
          writeFileSync(at('a.bin'), USER_BYTES);
          await turn({ 'a.bin': LATER_BYTES });
          await turn({ 'a.txt': BEFORE });
          await bench.undoFiles(['a.bin']);
          await turn({ 'a.bin': AGENT_BYTES });
          bench.review.keep(at('a.bin'));
          await perform(await planTo('turn-4'));
          assert.deepEqual(readFileSync(at('a.bin')), LATER_BYTES);
          assert.deepEqual((await bench.undoFiles(['a.bin'])).left, []);
          assert.deepEqual(readFileSync(at('a.bin')), USER_BYTES);
        });

        it("leaves the user's version of a binary file that a restore brings back out", async () => {
          await turn({ 'a.bin': AGENT_BYTES });
          bench.review.keep(at('a.bin'));
          writeFileSync(at('a.bin'), USER_BYTES);
          await turn({ 'a.bin': LATER_BYTES });
          await bench.undoFiles(['a.bin']);
          await turn({ 'a.bin': AGENT_BYTES });
          bench.review.keep(at('a.bin'));
          await perform(await planTo('turn-3'));
          assert.equal(bench.review.file(at('a.bin')), undefined);
          assert.deepEqual(readFileSync(at('a.bin')), USER_BYTES);
        });

        it('shows a deletion again', async () => {
          await turn({ 'gone.txt': null });
          await turn({ 'a.txt': BEFORE });
          await bench.undoFiles(['gone.txt']);
          const plan = await planTo('turn-3');
          assert.deepEqual(await namedIn(plan), ['gone.txt']);
          await perform(plan);
          assert.equal(bench.review.file(at('gone.txt'))?.isDeleted, true);
          assert.deepEqual((await bench.undoFiles(['gone.txt'])).left, []);
          assert.equal(workspace.read('gone.txt'), 'gone\n');
        });

        it('shows a change again when the restore is undone after its undo', async () => {
          await turn({ 'a.txt': CHANGED.replace('agent five', 'agent later') });
          const restoreId = await perform(await planTo('turn-2'));
          await undoHunk('a.txt', 'agent five');
          const plan = (await session.restore.undoing(restoreId))!;
          await perform(plan);
          assert.deepEqual(pendingIn('a.txt'), ['agent two', 'agent later', 'agent nine']);
        });
      });
    }
  }
});
