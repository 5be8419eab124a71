/** The author of a file that changed in a turn: the agent, the user, or both. */
import assert from 'node:assert/strict';
import { linkSync, renameSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Attribution } from '../../../src/changes/turns/attribution';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe('the author of a change', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  beforeEach(() => {
    workspace = new Workspace(false);
    workspace.write('a.txt', '1\n2\n3\n');
    workspace.write('folder/b.txt', 'b\n');
  });
  afterEach(() => workspace.dispose());

  async function records(act: (recorder: WorkspaceSession['recorder'], file: string) => void | Promise<void>): Promise<string[]> {
    await workspace.settle();
    const session = workspace.session();
    const { files, steps } = await playTurn(session, 'turn', () => act(session.recorder, workspace.at('a.txt')));
    const lines = await shownRecords(workspace, session, files);
    return [...lines, ...[...steps.values()].flatMap((each) => each.map(({ author, text }) => `${author}: ${JSON.stringify(text)}`))];
  }
  const SAVED = '1\nagent\n3\nuser\n';

  describe('for a file that the user saved', () => {
    it('is both when only the content of the save is known, and the agent named the file', async () => {
      const found = await records(async (recorder, file) => {
        await recorder.announce({ path: file });
        workspace.write('a.txt', '1\nagent\n3\n');
        workspace.write('a.txt', SAVED);
        recorder.savedByUser(file);
        await workspace.settle();
      });
      assert.deepEqual(found, [`a.txt: "1\\n2\\n3\\n" > ${JSON.stringify(SAVED)} shared`]);
    });

    it('is the user for its other names, too, because a save writes all of them', async () => {
      linkSync(workspace.at('a.txt'), workspace.at('other.txt'));
      await workspace.settle();
      const found = await records(async (recorder, file) => {
        workspace.write('a.txt', SAVED);
        recorder.savedByUser(file, SAVED);
        await workspace.settle();
      });
      assert.deepEqual(found, []);
    });

    it('is each for a part when the document reported both authors', async () => {
      const found = await records(async (recorder, file) => {
        recorder.documentOpened(file, '1\n2\n3\n', false);
        workspace.write('a.txt', '1\nagent\n3\n');
        recorder.documentChanged(file, '1\nagent\n3\n', 'agent');
        recorder.documentChanged(file, SAVED, 'user');
        workspace.write('a.txt', SAVED);
        recorder.savedByUser(file, SAVED);
        await workspace.settle();
      });
      assert.deepEqual(found, [
        `a.txt: "1\\n2\\n3\\n" > ${JSON.stringify(SAVED)}`,
        'agent: "1\\nagent\\n3\\n"',
        `user: ${JSON.stringify(SAVED)}`,
      ]);
    });

    it('counts only the lines of the agent', async () => {
      await workspace.settle();
      const session = workspace.session();
      const { files } = await playTurn(session, 'turn', async () => {
        const { recorder } = session;
        const file = workspace.at('a.txt');
        recorder.documentOpened(file, '1\n2\n3\n', false);
        workspace.write('a.txt', '1\nagent\n3\n');
        recorder.documentChanged(file, '1\nagent\n3\n', 'agent');
        recorder.documentChanged(file, SAVED, 'user');
        workspace.write('a.txt', SAVED);
        recorder.savedByUser(file, SAVED);
        await workspace.settle();
      });
      assert.deepEqual(
        files.map(({ added, removed }) => [added, removed]),
        [[1, 1]],
      );
    });

    it('is both for a restore, which restores each part', async () => {
      const session = workspace.session();
      await workspace.settle();
      await playTurn(session, 'turn', async () => {
        const { recorder } = session;
        const file = workspace.at('a.txt');
        recorder.documentOpened(file, '1\n2\n3\n', false);
        workspace.write('a.txt', '1\nagent\n3\n');
        workspace.write('folder/b.txt', 'agent\n');
        recorder.documentChanged(file, '1\nagent\n3\n', 'agent');
        recorder.documentChanged(file, SAVED, 'user');
        workspace.write('a.txt', SAVED);
        recorder.savedByUser(file, SAVED);
        await workspace.settle();
      });
      const plan = await session.restore.toCheckpoint('turn');
      assert.deepEqual(
        plan?.files.map(({ path: file, shared }) => [file, shared === true]),
        [
          [workspace.at('a.txt'), true],
          [workspace.at('folder/b.txt'), false],
        ],
      );
    });

    it('is the user when the agent named the file and did not write it', async () => {
      const found = await records(async (recorder, file) => {
        recorder.documentOpened(file, '1\n2\n3\n', false);
        await recorder.announce({ path: file });
        recorder.documentChanged(file, 'user\n', 'user');
        workspace.write('a.txt', 'user\n');
        recorder.savedByUser(file, 'user\n');
        await workspace.settle();
      });
      assert.deepEqual(found, []);
    });

    it('is the user when the file has none of the texts that the agent reported', async () => {
      const found = await records(async (recorder, file) => {
        await recorder.announce({ path: file, reported: [{ oldText: '2', newText: 'never written' }] });
        workspace.write('a.txt', 'user\n');
        recorder.savedByUser(file);
        await workspace.settle();
      });
      assert.deepEqual(found, []);
    });

    it('is both when the file changed after the save', async () => {
      const found = await records(async (recorder, file) => {
        workspace.write('a.txt', 'user\n');
        recorder.savedByUser(file);
        await workspace.settle();
        // The recorder reads the saved file meanwhile, which takes longer on a busy machine.
        await delay(300);
        workspace.write('a.txt', 'user\nagent\n');
      });
      assert.deepEqual(found, ['a.txt: "1\\n2\\n3\\n" > "user\\nagent\\n" shared']);
    });

    it('is both for a binary file that the agent changed after the save', async () => {
      const found = await records(async (recorder, file) => {
        workspace.write('a.txt', Buffer.from([0, 1]));
        recorder.savedByUser(file);
        await workspace.settle();
        await delay(300);
        workspace.write('a.txt', Buffer.from([0, 2]));
      });
      assert.deepEqual(found, ['a.txt: "1\\n2\\n3\\n" > "\\u0000\\u0002" shared']);
    });
  });

  it('is the agent when the user typed without a save', async () => {
    const found = await records(async (recorder, file) => {
      recorder.documentOpened(file, '1\n2\n3\n', false);
      recorder.documentChanged(file, '1\n2\n3\ntyped\n', 'user');
      workspace.write('a.txt', 'agent\n');
    });
    assert.deepEqual(found, ['a.txt: "1\\n2\\n3\\n" > "agent\\n"']);
  });

  describe('for a shared file includes the other author', () => {
    it('for a save of the user', async () => {
      await workspace.settle();
      const session = workspace.session();
      const { files } = await playTurn(session, 'turn', async () => {
        await session.recorder.announce({ path: workspace.at('a.txt') });
        workspace.write('a.txt', SAVED);
        session.recorder.savedByUser(workspace.at('a.txt'));
        await workspace.settle();
      });
      assert.deepEqual(
        files.map(({ shared, sharedWith }) => [shared, sharedWith]),
        [[true, ['user']]],
      );
    });

    it('for another session that named the file', async () => {
      const attribution = new Attribution();
      const [one, two] = [workspace.session({ key: 'one', attribution }), workspace.session({ key: 'two', attribution })];
      await workspace.settle();
      let found: unknown[] = [];
      await playTurn(one, 'turn', async () => {
        const { files } = await playTurn(two, 'turn', async () => {
          await two.recorder.announce({ path: workspace.at('a.txt') });
          workspace.write('a.txt', 'two\n');
          await one.recorder.announce({ path: workspace.at('a.txt') });
          workspace.write('a.txt', 'one two\n');
          workspace.write('folder/b.txt', 'of either\n');
        });
        found = files.map(({ shared, sharedWith }) => [shared, sharedWith]);
      });
      assert.deepEqual(found, [
        [true, ['one']],
        [true, undefined],
      ]);
    });
  });

  describe('for a file that the user changed in the Explorer', () => {
    it('is the user for a created, a deleted and a renamed one', async () => {
      workspace.write('old.txt', 'old\n');
      const found = await records(async (recorder, file) => {
        workspace.remove('a.txt');
        recorder.userChanged(file, 'deleted');
        workspace.write('made.txt', 'made\n');
        recorder.userChanged(workspace.at('made.txt'), 'created');
        renameSync(workspace.at('old.txt'), workspace.at('new.txt'));
        recorder.userChanged(workspace.at('new.txt'), 'renamed', workspace.at('old.txt'));
        await workspace.settle();
      });
      assert.deepEqual(found, []);
    });

    it('is the user for the files of a renamed folder', async () => {
      const found = await records((recorder) => {
        renameSync(workspace.at('folder'), workspace.at('renamed'));
        recorder.userChanged(workspace.at('renamed'), 'renamed', workspace.at('folder'));
      });
      assert.deepEqual(found, []);
    });

    it('is both when the agent wrote a created file afterwards', async () => {
      const found = await records(async (recorder) => {
        workspace.write('made.txt', 'made\n');
        recorder.userChanged(workspace.at('made.txt'), 'created');
        // The recorder reads the user's file meanwhile, which takes long on a busy machine.
        await delay(500);
        workspace.write('made.txt', 'agent\n');
      });
      assert.deepEqual(found, ['made.txt: none > "agent\\n" shared']);
    });

    it('is both when the agent wrote a renamed file', async () => {
      const found = await records((recorder, file) => {
        renameSync(file, workspace.at('new.txt'));
        recorder.userChanged(workspace.at('new.txt'), 'renamed', file);
        workspace.write('new.txt', 'agent\n');
      });
      assert.deepEqual(found, ['new.txt from a.txt: "1\\n2\\n3\\n" > "agent\\n" shared']);
    });
  });

  it('is the user for a restore in another session', async () => {
    const attribution = new Attribution();
    const [one, two] = [workspace.session({ key: 'one', attribution }), workspace.session({ key: 'two', attribution })];
    await workspace.settle();
    const { files } = await playTurn(two, 'turn', async () => {
      workspace.write('a.txt', 'restored\n');
      await one.recorder.userRestored([workspace.at('a.txt')]);
      workspace.write('folder/b.txt', 'agent\n');
    });
    assert.deepEqual(await shownRecords(workspace, two, files), ['folder/b.txt: "b\\n" > "agent\\n"']);
  });

  it('is both when the agent wrote a file after its restore', async () => {
    const attribution = new Attribution();
    const [one, two] = [workspace.session({ key: 'one', attribution }), workspace.session({ key: 'two', attribution })];
    await workspace.settle();
    const { files } = await playTurn(two, 'turn', async () => {
      workspace.write('a.txt', 'restored\n');
      await one.recorder.userRestored([workspace.at('a.txt')]);
      await workspace.settle();
      workspace.write('a.txt', 'agent\n');
    });
    assert.deepEqual(await shownRecords(workspace, two, files), ['a.txt: "1\\n2\\n3\\n" > "agent\\n" shared']);
  });

  it('is both when another session wrote the file before this one named it', async () => {
    const attribution = new Attribution();
    const [one, two] = [workspace.session({ key: 'one', attribution }), workspace.session({ key: 'two', attribution })];
    await workspace.settle();
    let named: readonly string[] = [];
    await playTurn(one, 'turn', async () => {
      const { files } = await playTurn(two, 'turn', async () => {
        workspace.write('a.txt', 'one\n');
        await two.recorder.announce({ path: workspace.at('a.txt') });
        workspace.write('a.txt', 'one two\n');
        await two.recorder.announce({ path: workspace.at('folder/b.txt') });
        workspace.write('folder/b.txt', 'two\n');
      });
      named = await shownRecords(workspace, two, files);
    });
    assert.deepEqual(named, ['a.txt: "1\\n2\\n3\\n" > "one two\\n" shared', 'folder/b.txt: "b\\n" > "two\\n"']);
  });

  it('is found in constant time among 10,000 named files', () => {
    const attribution = new Attribution();
    const started = performance.now();
    for (let index = 0; index < 10_000; index++) {
      attribution.touched('one', `/w/${index}`, index);
    }
    for (let index = 0; index < 10_000; index++) {
      assert.equal(attribution.of('two', `/w/${index}`, 0, 20_000), 'other');
    }
    assert.ok(performance.now() - started < 2000);
  });
});
