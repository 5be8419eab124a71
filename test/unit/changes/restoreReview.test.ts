/** The review after a restore and its undo: the rows from before the restore. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isPending, type ReviewFile } from '../../../src/changes/review/review';
import type { RestorePlan } from '../../../src/changes/restore';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const AGENT_TEXT = 'agent one\nagent two\n';
const AGENT_BYTES = Buffer.from([0, 1, 2, 255]);
const CREATED = { 'new.txt': AGENT_TEXT, 'new.bin': AGENT_BYTES } as const;

describe('the review after the undo of a restore', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let bench: Undoing;

  const at = (name: string): string => workspace.at(name);
  const row = (name: string): ReviewFile | undefined => bench.review.file(at(name));
  const shown = (): unknown =>
    bench.review.files.filter(isPending).map(({ path: file, before, after, turns, shared, hunks }) => ({
      name: path.basename(file),
      before,
      after,
      turns,
      shared,
      hunks: hunks?.hunks.map(({ start, end, oldText }) => [oldText, hunks.text.slice(start, end)]),
    }));
  const perform = async (plan: RestorePlan, between: () => void | Promise<void> = () => undefined): Promise<string> => {
    const { restoreId, restored } = await session.restore.perform(
      plan,
      plan.files.map((file) => file.path),
    );
    await between();
    for (const file of plan.files.filter((each) => restored.includes(each.path))) {
      await bench.review.restored(file.path, file.now, file.to);
    }
    return restoreId!;
  };
  const toBefore = async (turnId = 'turn-1'): Promise<string> => perform((await session.restore.toCheckpoint(turnId))!);
  const undo = async (restoreId: string, between?: () => void | Promise<void>): Promise<string> =>
    perform((await session.restore.undoing(restoreId))!, between);
  const reload = async (): Promise<void> => {
    await bench.review.flush();
    bench.dispose();
    bench = undoing(workspace, session);
    await bench.review.load();
  };

  beforeEach(async () => {
    workspace = new Workspace(false);
    workspace.write('a.txt', 'one\ntwo\n');
    workspace.write('a.bin', Buffer.from([0, 7]));
    workspace.write('b.txt', 'deleted\n');
    await workspace.settle();
    session = workspace.session();
    bench = undoing(workspace, session);
  });
  afterEach(() => {
    bench.dispose();
    workspace.dispose();
  });

  const changeOthers = (): void => {
    writeFileSync(at('a.txt'), 'one\nagent\n');
    writeFileSync(at('a.bin'), Buffer.from([0, 8]));
    workspace.remove('b.txt');
  };

  for (const [name, content] of Object.entries(CREATED)) {
    describe(`for a created file, ${name}`, () => {
      for (const [others, act] of [
        ['alone', () => undefined],
        ['with other pending files', changeOthers],
      ] as const) {
        for (const isReloaded of [false, true]) {
          it(`has the rows from before the restore: ${others}${isReloaded ? ', and the window was reloaded' : ''}`, async () => {
            await bench.turn(() => {
              writeFileSync(at(name), content);
              act();
            });
            const before = shown();
            const restoreId = await toBefore();
            assert.deepEqual(shown(), []);
            await (isReloaded && reload());
            await undo(restoreId);
            assert.deepEqual(shown(), before);
            assert.deepEqual((await bench.undoFiles()).left, []);
            assert.throws(() => readFileSync(at(name)), { code: 'ENOENT' });
          });
        }
      }

      it('has its row after the restore was done and undone several times', async () => {
        await bench.turn(() => writeFileSync(at(name), content));
        const before = shown();
        let restoreId = await toBefore();
        for (let round = 0; round < 2; round++) {
          restoreId = await undo(restoreId);
          assert.deepEqual(shown(), before);
          restoreId = await undo(restoreId);
          assert.deepEqual(shown(), []);
        }
      });

      it('has its row with what the user added before the restore', async () => {
        await bench.turn(() => writeFileSync(at(name), content));
        appendFileSync(at(name), 'user\n');
        await bench.review.fileChanged(at(name));
        const before = shown();
        await undo(await toBefore());
        assert.deepEqual(shown(), before);
        await bench.undoFiles();
        assert.match(readFileSync(at(name)).toString(), /user\n$/);
      });

      it('omits the row when the user created the file again and it was left', async () => {
        await bench.turn(() => {
          writeFileSync(at(name), content);
          writeFileSync(at('a.txt'), 'agent\n');
        });
        const restoreId = await toBefore();
        writeFileSync(at(name), 'user\n');
        const plan = (await session.restore.undoing(restoreId))!;
        await perform({ ...plan, files: plan.files.filter((file) => file.path !== at(name)) });
        assert.equal(row(name), undefined);
        await bench.undoFiles();
        assert.equal(workspace.read(name), 'user\n');
      });

      it('keeps the lines that the user writes during the undo of the restore', async () => {
        await bench.turn(() => writeFileSync(at(name), content));
        await undo(await toBefore(), () => appendFileSync(at(name), 'user\n'));
        await bench.undoFiles();
        assert.match(readFileSync(at(name)).toString(), /user\n$/);
        await bench.undoFiles(undefined, { force: true });
        assert.match(readFileSync(at(name)).toString(), /user\n$/);
      });

      it('omits the row of a turn before the one that created the file again', async () => {
        await bench.turn(() => writeFileSync(at(name), content));
        await toBefore();
        await workspace.settle();
        await bench.turn(() => writeFileSync(at(name), content));
        bench.review.keep(at(name));
        await undo(await toBefore('turn-2'));
        assert.equal(row(name), undefined);
      });

      it('omits the row when the user created the same file again before another restore', async () => {
        await bench.turn(() => writeFileSync(at(name), content));
        await toBefore();
        writeFileSync(at(name), content);
        await undo(await toBefore());
        assert.equal(row(name), undefined);
      });

      it('omits the row after the earlier versions were deleted', async () => {
        await bench.turn(() => writeFileSync(at(name), content));
        const restoreId = await toBefore();
        bench.review.forgetDropped();
        await undo(restoreId);
        assert.equal(row(name), undefined);
      });
    });
  }

  it('counts a created file as shared when another text is there', async () => {
    await bench.turn(() => writeFileSync(at('new.txt'), AGENT_TEXT));
    await undo(await toBefore(), () => appendFileSync(at('new.txt'), 'user\n'));
    assert.equal(row('new.txt')?.shared, true);
  });

  it('skips malformed rows, and never brings back the row of an unknown state', async () => {
    await bench.turn(() => writeFileSync(at('new.txt'), AGENT_TEXT));
    const restoreId = await toBefore();
    await bench.review.flush();
    const stored = JSON.parse(Buffer.from((await session.storeFolder.readAll('review.json'))!).toString()) as { dropped: object[] };
    const dropped = [null, 7, {}, { path: 'a' }, { ...stored.dropped[0], from: { kind: 'file', hash: '..' } }];
    bench.dispose();
    await session.storeFolder.replace('review.json', Buffer.from(JSON.stringify({ ...stored, dropped })));
    bench = undoing(workspace, session);
    await bench.review.load();
    await undo(restoreId);
    assert.deepEqual(shown(), []);
  });

  it('has the row of a changed binary file again', async () => {
    await bench.turn(() => writeFileSync(at('a.bin'), Buffer.from([0, 8])));
    const before = shown();
    await undo(await toBefore());
    assert.deepEqual(shown(), before);
  });
});
