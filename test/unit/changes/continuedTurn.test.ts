/** A turn whose agent outlives the window: the next window records it on, from the state before the turn. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { FileRecord } from '../../../src/core/fileChanges/records';
import { begun, next, recordOf as of } from '../../support/changes/continuedTurns';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

async function textBefore({ store }: WorkspaceSession, record: FileRecord | undefined): Promise<string | undefined> {
  const { before } = record ?? {};
  const bytes = before?.kind === 'file' ? await store.get(before.hash) : undefined;
  return bytes ? Buffer.from(bytes).toString() : before?.kind;
}

for (const isRepository of [true, false]) {
  describe(`a turn that continues in the next window, in ${isRepository ? 'a repository' : 'a plain folder'}`, () => {
    let workspace: Workspace;

    beforeEach(async () => {
      workspace = new Workspace(isRepository);
      for (const name of ['early', 'gap', 'late', 'user', 'same', 'gone']) {
        workspace.write(`${name}.txt`, `${name} 1\n${name} 2\n${name} 3\n`);
      }
      workspace.write('.gitignore', 'ignored.txt\n');
      void (isRepository && workspace.commit());
      workspace.write('dirty.txt', 'dirty 1\n');
      workspace.write('ignored.txt', 'ignored 1\n');
      await workspace.settle();
    });

    afterEach(() => workspace.dispose());

    const edit = (name: string): { path: string; reported: { oldText: string; newText: string }[] } => ({
      path: workspace.at(`${name}.txt`),
      reported: [{ oldText: `${name} 2\n`, newText: `${name} two\n` }],
    });
    const changed = (name: string): string => `${name} 1\n${name} two\n${name} 3\n`;

    it('records what changed before, during and after the gap, with the bytes from before the turn', async () => {
      const { window, since } = await begun(workspace);
      await window.recorder.announce({ path: workspace.at('early.txt') });
      workspace.write('early.txt', changed('early'));
      window.recorder.reportChange(edit('early'));
      await workspace.settle();
      // There is no window.
      workspace.write('gap.txt', changed('gap'));
      workspace.write('dirty.txt', 'dirty 2\n');
      workspace.remove('gone.txt');
      workspace.write('new.txt', 'new\n');
      await workspace.settle();
      const later = await next(workspace, since);
      later.recorder.reportChange(edit('early'));
      later.recorder.reportChange(edit('gap'));
      await later.recorder.announce({ path: workspace.at('late.txt') });
      workspace.write('late.txt', changed('late'));
      await workspace.settle();
      const turn = await later.recorder.turnEnded('turn');
      for (const name of ['early', 'gap', 'late']) {
        const record = of(workspace, turn, `${name}.txt`);
        assert.equal(await textBefore(later, record), `${name} 1\n${name} 2\n${name} 3\n`, name);
        assert.equal(record?.shared, undefined, name);
        assert.deepEqual([record?.added, record?.removed], [1, 1], name);
      }
      // Nothing says who did this.
      assert.equal(await textBefore(later, of(workspace, turn, 'dirty.txt')), 'dirty 1\n');
      assert.equal(of(workspace, turn, 'dirty.txt')?.shared, true);
      assert.equal(await textBefore(later, of(workspace, turn, 'gone.txt')), 'gone 1\ngone 2\ngone 3\n');
      assert.equal(of(workspace, turn, 'gone.txt')?.shared, true);
      assert.equal(of(workspace, turn, 'new.txt')?.shared, true);
      assert.equal(of(workspace, turn, 'same.txt'), undefined);
      const { files } = await later.restore.toCheckpoint('turn').then((plan) => plan!);
      const wanted = files.filter(({ shared }) => !shared).map(({ path: file }) => file);
      // To put back a file that is gone loses nothing.
      assert.deepEqual(wanted.sort(), ['early', 'gap', 'gone', 'late'].map((name) => workspace.at(`${name}.txt`)).sort());
      assert.equal((await later.log.records()).filter(({ type }) => type === 'checkpoint').length, 1);
    });

    it('shares a file that the user saved in the gap', async () => {
      const { since } = await begun(workspace);
      workspace.write('user.txt', 'user 1\nuser 2\nmine\n');
      workspace.write('gap.txt', 'gap 1\ngap two\nmine\n');
      await workspace.settle();
      const later = await next(workspace, since);
      later.recorder.reportChange(edit('gap'));
      later.recorder.reportChange({ path: workspace.at('user.txt'), reported: [{ oldText: 'user 1\n', newText: 'user one\n' }] });
      await delay(20);
      workspace.write('user.txt', 'user one\nuser 2\nmine\n');
      await workspace.settle();
      const turn = await later.recorder.turnEnded('turn');
      assert.equal(of(workspace, turn, 'user.txt')?.shared, true);
      assert.equal(of(workspace, turn, 'gap.txt')?.shared, true);
    });

    it("does not take a report that contains the user's lines as before for the whole change", async () => {
      const { since } = await begun(workspace);
      workspace.write('gap.txt', 'gap 1\nmine\n');
      await workspace.settle();
      const later = await next(workspace, since);
      const reported = [{ oldText: 'gap 1\nmine\n', newText: 'gap 1\nmine\nagent\n' }];
      workspace.write('gap.txt', 'gap 1\nmine\nagent\n');
      later.recorder.reportChange({ path: workspace.at('gap.txt'), reported });
      await workspace.settle();
      const record = of(workspace, await later.recorder.turnEnded('turn'), 'gap.txt');
      assert.equal(record?.shared, true);
      assert.equal(await textBefore(later, record), 'gap 1\ngap 2\ngap 3\n');
    });

    it('knows a named file that only its copy has', async () => {
      // Shorter lines may be those of the ignored file, which may have moved.
      const created = 'absent\n'.repeat(200);
      const { window, since } = await begun(workspace);
      await window.recorder.announce({ path: workspace.at('ignored.txt') });
      await window.recorder.announce({ path: workspace.at('absent.txt') });
      workspace.write('ignored.txt', 'ignored 2\n');
      workspace.write('absent.txt', created);
      await workspace.settle();
      const later = await next(workspace, since);
      later.recorder.reportChange({ path: workspace.at('ignored.txt'), reported: [{ oldText: 'ignored 1\n', newText: 'ignored 2\n' }] });
      later.recorder.reportChange({ path: workspace.at('absent.txt'), reported: [{ oldText: '', newText: created }] });
      const turn = await later.recorder.turnEnded('turn');
      assert.equal(await textBefore(later, of(workspace, turn, 'ignored.txt')), 'ignored 1\n');
      assert.equal(of(workspace, turn, 'ignored.txt')?.shared, undefined);
      assert.equal(of(workspace, turn, 'absent.txt')?.before.kind, 'none');
      assert.equal(of(workspace, turn, 'absent.txt')?.shared, undefined);
    });

    it('continues over several windows, and removes the stored state at the end', async () => {
      const { since } = await begun(workspace);
      workspace.write('early.txt', changed('early'));
      const second = await next(workspace, since);
      second.recorder.reportChange(edit('early'));
      await workspace.settle();
      const third = await next(workspace, since);
      third.recorder.reportChange(edit('early'));
      const turn = await third.recorder.turnEnded('turn');
      assert.equal(await textBefore(third, of(workspace, turn, 'early.txt')), 'early 1\nearly 2\nearly 3\n');
      assert.equal(of(workspace, turn, 'early.txt')?.shared, undefined);
      assert.deepEqual(
        (await third.storeFolder.names()).filter((name) => name.startsWith('running')),
        [],
      );
    });

    for (const [what, damage] of [
      ['is gone', (file: string) => rmSync(file)],
      ['is empty', (file: string) => writeFileSync(file, '')],
      ['is torn', (file: string) => truncateSync(file, statSync(file).size - 5)],
      ['is damaged', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('"copiedAt":1', '"copiedAt":2'))],
    ] as const) {
      it(`knows no earlier version where the stored state ${what}`, async () => {
        const { window, since } = await begun(workspace);
        workspace.write('early.txt', changed('early'));
        workspace.write('new.txt', 'new\n');
        damage(path.join(folderOf(workspace), 'running.jsonl'));
        await workspace.settle();
        const later = await next(workspace, since);
        await later.recorder.announce({ path: workspace.at('late.txt') });
        workspace.write('late.txt', changed('late'));
        await workspace.settle();
        const turn = await later.recorder.turnEnded('turn');
        assert.equal(of(workspace, turn, 'early.txt')?.before.kind, 'unknown');
        assert.notEqual(of(workspace, turn, 'new.txt')?.before.kind, 'none');
        // The file had not changed before.
        assert.equal(await textBefore(later, of(workspace, turn, 'late.txt')), 'late 1\nlate 2\nlate 3\n');
        const plan = await later.restore.toCheckpoint('turn');
        assert.equal(plan?.files.find((file) => file.path === workspace.at('early.txt'))?.action, 'unavailable');
        void window;
      });
    }

    it('knows no earlier version where the stored state belongs to another turn', async () => {
      const { since } = await begun(workspace, 'other');
      workspace.write('early.txt', changed('early'));
      const later = await next(workspace, since);
      assert.equal(of(workspace, await later.recorder.turnEnded('turn'), 'early.txt')?.before.kind, 'unknown');
    });

    it('ignores a torn line at the end', async () => {
      const { since } = await begun(workspace);
      workspace.write('early.txt', changed('early'));
      appendFileSync(path.join(folderOf(workspace), 'running.jsonl'), '\n{"announced":{"pa');
      const later = await next(workspace, since);
      later.recorder.reportChange(edit('early'));
      const record = of(workspace, await later.recorder.turnEnded('turn'), 'early.txt');
      assert.equal(await textBefore(later, record), 'early 1\nearly 2\nearly 3\n');
    });

    it('knows the file times of a program that sets them back', async () => {
      const { since } = await begun(workspace);
      workspace.write('gap.txt', 'mine\n');
      utimesSync(workspace.at('gap.txt'), new Date(0), new Date(0));
      const later = await next(workspace, since);
      assert.equal(of(workspace, await later.recorder.turnEnded('turn'), 'gap.txt')?.shared, true);
    });
  });
}

describe('a turn whose agent ends with the window', () => {
  it('stores no state for another window', async () => {
    const workspace = new Workspace(false);
    try {
      workspace.write('file.txt', 'text\n');
      await workspace.settle();
      const window = workspace.session();
      window.recorder.turnStarted('turn', Date.now());
      await window.recorder.copied();
      await delay(50);
      assert.equal(existsSync(path.join(folderOf(workspace), 'running.jsonl')), false);
      assert.deepEqual((await window.recorder.turnEnded('turn'))?.files, []);
    } finally {
      workspace.dispose();
    }
  });
});

function folderOf(workspace: Workspace): string {
  const storage = workspace.storageFolder;
  return path.join(storage, readdirSync(storage)[0]!);
}
