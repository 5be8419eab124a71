/** Files that the agent created, changed, deleted or moved before or while its window reloaded: which of them are the agent's alone afterwards. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { UNSEEN } from '../../../src/core/fileChanges/records';
import { begun, next, recordOf } from '../../support/changes/continuedTurns';
import { undoing } from '../../support/changes/undoing';
import { slowGit, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const TEXT = 'one\ntwo\nthree\n';
const EDITED = 'one\n2\nthree\n';
/** Longer than the other files, whose lines may have moved. */
const NEW = 'a line of a new file\n'.repeat(200);

for (const isRepository of [true, false]) {
  describe(`a file of a turn that continues in the next window, in ${isRepository ? 'a repository' : 'a plain folder'}`, () => {
    const ofRepositories = isRepository ? it : () => undefined;
    let workspace: Workspace;
    let first: WorkspaceSession;
    let since: number;

    beforeEach(async () => {
      workspace = new Workspace(isRepository);
      ['changed', 'other', 'old', 'below/one', 'below/two'].forEach((name) => workspace.write(`${name}.txt`, `${name}\n${TEXT}`));
      workspace.write('.gitignore', 'ignored/\n');
      mkdirSync(workspace.at('ignored'));
      void (isRepository && workspace.commit());
      await workspace.settle();
      ({ window: first, since } = await begun(workspace));
    });

    afterEach(() => workspace.dispose());

    /** Writes a file as the host does for the agent. */
    async function hostWrites(window: WorkspaceSession, name: string, content: string, onDisk = content): Promise<void> {
      await window.recorder.announce({ path: workspace.at(name), writes: content });
      workspace.write(name, onDisk);
      await workspace.settle();
    }

    /** Resolves when the baseline has so many lines with a word. */
    async function untilStored({ storeFolder }: WorkspaceSession, word: string, count: number): Promise<void> {
      const found = async (): Promise<number> =>
        Buffer.from((await storeFolder.readAll('running.jsonl')) ?? [])
          .toString()
          .split(word).length - 1;
      for (let wait = 0; (await found()) < count; wait++) {
        assert.ok(wait < 200, `${word} was not stored`);
        await delay(10);
      }
    }

    /** Resolves when the baseline has so many writes of the host. */
    const untilWritten = (window: WorkspaceSession, count: number): Promise<void> => untilStored(window, '"wrote"', count);

    const reports = ({ recorder }: WorkspaceSession, name: string, oldText: string | null, newText: string): void =>
      recorder.reportChange({ path: workspace.at(name), reported: [{ oldText, newText }] });

    /** Returns the authors of a file beside the agent, when the turn ends in a window; undefined where no record has the file. */
    async function othersOf({ recorder }: WorkspaceSession, name: string): Promise<readonly string[] | undefined> {
      const record = recordOf(workspace, await recorder.turnEnded('turn'), name);
      return record && (record.shared ? (record.sharedWith ?? ['?']) : []);
    }

    const reload = async (): Promise<WorkspaceSession> => next(workspace, since);

    it("is the agent's when the host created it before the reload", async () => {
      await hostWrites(first, 'new.txt', NEW);
      await untilWritten(first, 1);
      const later = await reload();
      const turn = await later.recorder.turnEnded('turn');
      const record = recordOf(workspace, turn, 'new.txt');
      assert.deepEqual([record?.before.kind, record?.shared], ['none', undefined]);
      assert.equal(
        (await later.restore.toCheckpoint('turn'))?.files.find(({ path }) => path === workspace.at('new.txt'))?.action,
        'delete',
      );
    });

    for (const isOther of [false, true]) {
      it(isOther ? 'is left by an undo when it has another content' : 'is deleted by an undo', async () => {
        await hostWrites(first, 'new.txt', NEW);
        await untilWritten(first, 1);
        void (isOther && workspace.write('new.txt', `${NEW}mine\n`));
        const later = await reload();
        const bench = undoing(workspace, later);
        try {
          const turn = await later.recorder.turnEnded('turn');
          await bench.review.recorded('turn', turn!.files);
          const { done, left } = await bench.undoFiles(['new.txt']);
          assert.deepEqual([done.length, left.map(({ reason }) => reason)], isOther ? [0, ['unseen']] : [1, []]);
          assert.equal(existsSync(workspace.at('new.txt')), isOther);
          const restored = (await later.restore.toCheckpoint('turn'))?.files.find(({ path }) => path === workspace.at('new.txt'));
          assert.deepEqual([restored?.shared, restored?.unseen], isOther ? [true, true] : [undefined, undefined]);
        } finally {
          bench.dispose();
        }
      });
    }

    it("is the agent's when its report has the whole new text", async () => {
      workspace.write('new.txt', NEW);
      reports(first, 'new.txt', null, NEW);
      await workspace.settle();
      const later = await reload();
      reports(later, 'new.txt', null, NEW);
      assert.deepEqual(await othersOf(later, 'new.txt'), []);
    });

    it("is the agent's when it was created while no window was there, as reported", async () => {
      workspace.write('new.txt', NEW);
      await workspace.settle();
      const later = await reload();
      reports(later, 'new.txt', null, NEW);
      assert.deepEqual(await othersOf(later, 'new.txt'), []);
    });

    it("is the agent's when the host wrote it in a new folder", async () => {
      await hostWrites(first, 'folder/below/new.txt', NEW);
      await hostWrites(first, 'folder/below/next.txt', `${NEW}${NEW}`);
      await untilWritten(first, 2);
      const later = await reload();
      const turn = await later.recorder.turnEnded('turn');
      for (const name of ['folder/below/new.txt', 'folder/below/next.txt']) {
        const record = recordOf(workspace, turn, name);
        assert.deepEqual([record?.before.kind, record?.shared], ['none', undefined], name);
      }
    });

    it("is the agent's when the host wrote it in an ignored folder", async () => {
      await hostWrites(first, 'ignored/new.txt', NEW);
      await untilWritten(first, 1);
      assert.deepEqual(await othersOf(await reload(), 'ignored/new.txt'), []);
    });

    it("is the agent's when the host changed it before the reload", async () => {
      await hostWrites(first, 'changed.txt', `changed\n${EDITED}`);
      await hostWrites(first, 'changed.txt', `changed\n${EDITED}four\n`);
      await untilWritten(first, 2);
      assert.deepEqual(await othersOf(await reload(), 'changed.txt'), []);
    });

    it("is the agent's when the host keeps the file's line ends", async () => {
      const before = TEXT.replaceAll('\n', '\r\n');
      workspace.write('windows.txt', before);
      await workspace.settle();
      await first.recorder.turnEnded('turn');
      const { window, since: begin } = await begun(workspace, 'second');
      await hostWrites(window, 'windows.txt', EDITED, EDITED.replaceAll('\n', '\r\n'));
      await untilWritten(window, 1);
      const later = await next(workspace, begin, 'second');
      const record = recordOf(workspace, await later.recorder.turnEnded('second'), 'windows.txt');
      assert.deepEqual([record?.before.kind, record?.shared], ['file', undefined]);
    });

    it("is the agent's when the host writes on after the reload", async () => {
      await hostWrites(first, 'new.txt', NEW);
      await untilWritten(first, 1);
      const later = await reload();
      await hostWrites(later, 'new.txt', `${NEW}more\n`);
      assert.deepEqual(await othersOf(later, 'new.txt'), []);
    });

    it("is the agent's when its reported edits follow on a write of the host", async () => {
      await hostWrites(first, 'new.txt', `${NEW}end\n`);
      await untilWritten(first, 1);
      workspace.write('new.txt', `${NEW}done\n`);
      await workspace.settle();
      const later = await reload();
      reports(later, 'new.txt', 'end\n', 'done\n');
      assert.deepEqual(await othersOf(later, 'new.txt'), []);
    });

    it("is the agent's after two reloads", async () => {
      await hostWrites(first, 'new.txt', NEW);
      await untilWritten(first, 1);
      const second = await reload();
      await hostWrites(second, 'changed.txt', `changed\n${EDITED}`);
      await untilWritten(second, 2);
      const third = await reload();
      const turn = await third.recorder.turnEnded('turn');
      for (const name of ['new.txt', 'changed.txt']) {
        assert.deepEqual([recordOf(workspace, turn, name)?.path, recordOf(workspace, turn, name)?.shared], [workspace.at(name), undefined]);
      }
    });

    ofRepositories("is the agent's when it was written before the copies were stored", async () => {
      await first.recorder.turnEnded('turn');
      let open!: () => void;
      const window = workspace.session({ outlives: true, run: slowGit(0, new Promise<void>((resolve) => (open = resolve))) });
      const begin = Date.now();
      window.recorder.turnStarted('second', begin);
      await workspace.settle();
      await hostWrites(window, 'new.txt', NEW);
      open();
      await untilWritten(window, 1);
      const later = await next(workspace, begin, 'second');
      const record = recordOf(workspace, await later.recorder.turnEnded('second'), 'new.txt');
      assert.deepEqual([record?.before.kind, record?.shared], ['none', undefined]);
    });

    it('has an unknown author when its content differs from what the host wrote', async () => {
      await hostWrites(first, 'new.txt', NEW);
      await untilWritten(first, 1);
      workspace.write('new.txt', `${NEW}mine\n`);
      await workspace.settle();
      assert.deepEqual(await othersOf(await reload(), 'new.txt'), [UNSEEN]);
    });

    it('is shared when the user saved it before the host wrote it', async () => {
      workspace.write('new.txt', 'mine\n');
      first.recorder.savedByUser(workspace.at('new.txt'), 'mine\n');
      await workspace.settle();
      await hostWrites(first, 'new.txt', `mine\n${NEW}`);
      workspace.write('changed.txt', `changed\n${TEXT}mine\n`);
      await workspace.settle();
      await hostWrites(first, 'changed.txt', `changed\n${EDITED}mine\n`);
      await untilWritten(first, 1);
      const turn = await (await reload()).recorder.turnEnded('turn');
      assert.deepEqual(recordOf(workspace, turn, 'new.txt')?.sharedWith, ['user']);
      // This save was not reported.
      assert.deepEqual(recordOf(workspace, turn, 'changed.txt')?.sharedWith, [UNSEEN]);
    });

    it("is shared when the host wrote it over the user's unsaved text", async () => {
      const path = workspace.at('changed.txt');
      first.recorder.documentOpened(path, `changed\n${TEXT}`, false);
      first.recorder.documentChanged(path, `changed\n${TEXT}mine\n`, 'user');
      // The agent has read the unsaved text.
      await hostWrites(first, 'changed.txt', `changed\n${EDITED}mine\n`);
      await untilStored(first, '"user"', 1);
      assert.deepEqual(await othersOf(await reload(), 'changed.txt'), ['user']);
    });

    /** The user's part in a new file that the agent then writes as a whole and reports as new. */
    const actions: readonly [string, (path: string) => Promise<void> | void][] = [
      ['typed in it', (path) => first.recorder.documentChanged(path, 'mine\n', 'user')],
      [
        'saved it',
        async (path) => {
          workspace.write('new.txt', 'mine\n');
          first.recorder.savedByUser(path, 'mine\n');
          await workspace.settle();
        },
      ],
      [
        'created it in the Explorer',
        async (path) => {
          workspace.write('new.txt', 'mine\n');
          first.recorder.userChanged(path, 'created');
          await workspace.settle();
        },
      ],
    ];
    for (const [what, act] of actions) {
      it(`names the user who ${what} before the reload`, async () => {
        const path = workspace.at('new.txt');
        await act(path);
        await untilStored(first, '"user"', 1);
        workspace.write('new.txt', `mine\n${NEW}`);
        reports(first, 'new.txt', null, `mine\n${NEW}`);
        await workspace.settle();
        const second = await reload();
        const later = await reload();
        reports(later, 'new.txt', null, `mine\n${NEW}`);
        assert.deepEqual(await othersOf(later, 'new.txt'), ['user']);
        void second;
      });
    }

    it("is the agent's when the user had saved it without a change", async () => {
      first.recorder.savedByUser(workspace.at('changed.txt'), `changed\n${TEXT}`);
      await untilStored(first, '"user"', 1);
      workspace.write('changed.txt', `changed\n${EDITED}`);
      await workspace.settle();
      const later = await reload();
      reports(later, 'changed.txt', 'two\n', '2\n');
      assert.deepEqual(await othersOf(later, 'changed.txt'), []);
    });

    it("names the user whose command ran while the agent's file was written", async () => {
      const from = Date.now();
      workspace.write('new.txt', NEW);
      reports(first, 'new.txt', null, NEW);
      await workspace.settle();
      first.recorder.userCommand(from, Date.now(), workspace.folder);
      await untilStored(first, '"user"', 1);
      const later = await reload();
      reports(later, 'new.txt', null, NEW);
      assert.deepEqual(await othersOf(later, 'new.txt'), ['user']);
    });

    it('gets no record when the user deleted or renamed it in the Explorer before the reload', async () => {
      workspace.remove('old.txt');
      first.recorder.userChanged(workspace.at('old.txt'), 'deleted');
      renameSync(workspace.at('other.txt'), workspace.at('renamed.txt'));
      first.recorder.userChanged(workspace.at('renamed.txt'), 'renamed', workspace.at('other.txt'));
      await untilStored(first, '"user"', 2);
      await workspace.settle();
      const turn = await (await reload()).recorder.turnEnded('turn');
      assert.deepEqual(turn?.files, []);
    });

    it('has an unknown author when nothing was reported', async () => {
      workspace.write('new.txt', NEW);
      first.recorder.reportChange({ path: workspace.at('new.txt') });
      await workspace.settle();
      assert.deepEqual(await othersOf(await reload(), 'new.txt'), [UNSEEN]);
    });

    it('has an unknown author when the report is about another text', async () => {
      workspace.write('new.txt', `${NEW}mine\n`);
      await workspace.settle();
      const later = await reload();
      reports(later, 'new.txt', null, NEW);
      assert.deepEqual(await othersOf(later, 'new.txt'), [UNSEEN]);
    });

    it("is the agent's when it reports the deletion", async () => {
      workspace.remove('old.txt');
      await workspace.settle();
      const later = await reload();
      later.recorder.reportChange({ path: workspace.at('old.txt'), isDeleted: true });
      assert.deepEqual(await othersOf(later, 'old.txt'), []);
    });

    it("is the agent's when it reports the deletion of its folder", async () => {
      rmSync(workspace.at('below'), { recursive: true });
      await workspace.settle();
      const later = await reload();
      later.recorder.reportChange({ path: workspace.at('below'), isDeleted: true });
      assert.deepEqual(await othersOf(later, 'below/one.txt'), []);
    });

    it('has an unknown author when it is gone and nothing was reported', async () => {
      workspace.remove('old.txt');
      first.recorder.reportChange({ path: workspace.at('old.txt') });
      await workspace.settle();
      assert.deepEqual(await othersOf(await reload(), 'old.txt'), [UNSEEN]);
    });

    it("is the agent's when it reports the move", async () => {
      renameSync(workspace.at('old.txt'), workspace.at('moved.txt'));
      await workspace.settle();
      const later = await reload();
      later.recorder.reportChange({ path: workspace.at('moved.txt'), movedFrom: workspace.at('old.txt') });
      const turn = await later.recorder.turnEnded('turn');
      const record = recordOf(workspace, turn, 'moved.txt');
      assert.deepEqual([record?.oldPath, record?.shared], [workspace.at('old.txt'), undefined]);
      assert.equal(recordOf(workspace, turn, 'old.txt'), undefined);
    });

    it('has an unknown author when its content has changed at the place that it was moved to', async () => {
      renameSync(workspace.at('old.txt'), workspace.at('moved.txt'));
      workspace.write('moved.txt', `old\n${TEXT}mine\n`);
      await workspace.settle();
      const later = await reload();
      later.recorder.reportChange({ path: workspace.at('moved.txt'), movedFrom: workspace.at('old.txt') });
      assert.deepEqual(await othersOf(later, 'moved.txt'), [UNSEEN]);
    });

    ofRepositories('has an unknown author when git brought it while no window was there', async () => {
      workspace.write('changed.txt', `changed\n${EDITED}`);
      workspace.commit();
      const commit = workspace.git('rev-parse', 'HEAD').trim();
      workspace.git('reset', '-q', '--hard', 'HEAD~1');
      workspace.git('merge', '-q', commit);
      await workspace.settle();
      assert.deepEqual(await othersOf(await reload(), 'changed.txt'), [UNSEEN]);
    });

    it('names the user who changes it after the reload', async () => {
      workspace.write('changed.txt', `changed\n${EDITED}`);
      await workspace.settle();
      const later = await reload();
      later.recorder.documentOpened(workspace.at('changed.txt'), `changed\n${EDITED}`, false);
      later.recorder.documentChanged(workspace.at('changed.txt'), `changed\n${EDITED}mine\n`, 'user');
      workspace.write('changed.txt', `changed\n${EDITED}mine\n`);
      later.recorder.savedByUser(workspace.at('changed.txt'), `changed\n${EDITED}mine\n`);
      assert.deepEqual(await othersOf(later, 'changed.txt'), ['user']);
    });
  });
}
