/** A file of the user that was moved over the agent's copy of it is the only one, although its content is as the agent left it. */
import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { recordsOfRows } from '../../../src/changes/turns/ownFiles';
import type { UndoResult } from '../../../src/changes/undo/undo';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const USER = 'a line of the user\nand another one\n';

describe("a file moved over the agent's equal copy", function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let bench: Undoing;

  beforeEach(async () => {
    workspace = new Workspace(false);
    workspace.write('notes.txt', USER);
    workspace.write('a.txt', 'a\n');
    workspace.write('old.txt', 'old\n');
    await workspace.settle();
    session = workspace.session();
    bench = undoing(workspace, session);
  });
  afterEach(() => {
    bench.dispose();
    workspace.dispose();
  });

  const copy = (to: string): void => copyFileSync(workspace.at('notes.txt'), workspace.at(to));
  const move = (from: string, to: string): void => renameSync(workspace.at(from), workspace.at(to));
  const reasons = ({ left }: UndoResult): readonly string[] => left.map(({ path, reason }) => `${path.split('/').at(-1)} ${reason}`);
  const firstTurn = async (): Promise<string> => (await session.restore.checkpoints())[0]!.turnId;

  for (const [name, to] of [
    ['a created file', 'new.txt'],
    ['a file that the agent overwrote', 'a.txt'],
  ] as const) {
    it(`is left by an undo of ${name}`, async () => {
      await bench.turn(() => copy(to));
      move('notes.txt', to);
      assert.deepEqual(reasons(await bench.undoFiles()), [`${to} replaced`]);
      assert.equal(workspace.read(to), USER);
    });

    it(`is left by an undo of the hunks of ${name}`, async () => {
      await bench.turn(() => copy(to));
      move('notes.txt', to);
      const [file] = bench.review.files;
      const hunkIds = file!.hunks!.hunks.map(({ hunkId }) => hunkId);
      assert.deepEqual(reasons(await bench.undo.perform(await bench.undo.plan([{ file: file!, hunkIds }]))), [`${to} replaced`]);
      assert.equal(workspace.read(to), USER);
    });

    it(`is left by a restore of ${name} unless it is chosen, and the undo of that restore brings it back`, async () => {
      await bench.turn(() => copy(to));
      move('notes.txt', to);
      const plan = (await session.restore.toCheckpoint(await firstTurn()))!;
      assert.deepEqual(
        plan.files.map(({ changedSince }) => changedSince),
        [true],
      );
      await session.restore.perform(plan);
      assert.equal(workspace.read(to), USER);
      const { restoreId } = await session.restore.perform(plan, [workspace.at(to)]);
      assert.notEqual(existsSync(workspace.at(to)) && workspace.read(to), USER);
      await session.restore.perform((await session.restore.undoing(restoreId!))!);
      assert.equal(workspace.read(to), USER);
    });
  }

  it('is left when it was moved there while the question was open', async () => {
    await bench.turn(() => copy('new.txt'));
    const plans = await bench.undo.plan(bench.review.files.map((file) => ({ file })));
    const plan = (await session.restore.toCheckpoint(await firstTurn()))!;
    move('notes.txt', 'new.txt');
    assert.deepEqual(reasons(await bench.undo.perform(plans)), ['new.txt changed_since']);
    assert.deepEqual((await session.restore.perform(plan)).reasons, [{ path: workspace.at('new.txt'), reason: 'changed' }]);
    assert.equal(workspace.read('new.txt'), USER);
  });

  it('is left after a reload of the window', async () => {
    await bench.turn(() => copy('new.txt'));
    await bench.review.flush();
    bench.dispose();
    move('notes.txt', 'new.txt');
    session = workspace.session();
    bench = undoing(workspace, session);
    await bench.review.load();
    assert.deepEqual(reasons(await bench.undoFiles()), ['new.txt replaced']);
    assert.equal(workspace.read('new.txt'), USER);
  });

  it('is left after the checkpoints were deleted', async () => {
    await bench.turn(() => {
      copy('new.txt');
      writeFileSync(workspace.at('a.txt'), 'agent\n');
    });
    const deleted = async (): Promise<void> => {
      await session.log.keepOnly((records) => recordsOfRows(records, bench.review.files));
      await session.store.keepOnly(bench.review.objects);
    };
    await deleted();
    await deleted();
    assert.deepEqual(await session.restore.checkpoints(), []);
    move('notes.txt', 'new.txt');
    assert.deepEqual(reasons(await bench.undoFiles()), ['new.txt replaced']);
    assert.equal(workspace.read('new.txt'), USER);
    assert.equal(workspace.read('a.txt'), 'a\n');
  });

  it('is left when the agent has written it in a later turn', async () => {
    await bench.turn(() => copy('new.txt'));
    move('notes.txt', 'new.txt');
    await workspace.settle();
    await bench.turn(() => writeFileSync(workspace.at('new.txt'), 'agent\n', { flag: 'a' }));
    assert.deepEqual(reasons(await bench.undoFiles()), ['new.txt shared']);
    assert.equal(workspace.read('new.txt'), `${USER}agent\n`);
  });

  it('is left when the agent had created it and the user has written it since', async () => {
    await bench.turn(() => workspace.write('made.txt', 'agent\n'));
    appendFileSync(workspace.at('made.txt'), USER);
    await workspace.settle();
    await bench.turn(() => copyFileSync(workspace.at('made.txt'), workspace.at('new.txt')));
    move('made.txt', 'new.txt');
    assert.ok(reasons(await bench.undoFiles()).includes('new.txt replaced'));
    assert.equal(workspace.read('new.txt'), `agent\n${USER}`);
  });

  it('is left when a deletion is applied again', async () => {
    await bench.turn(() => rmSync(workspace.at('old.txt')));
    workspace.write('spare.txt', 'old\n');
    await workspace.settle();
    assert.deepEqual(reasons(await bench.undoFiles()), []);
    rmSync(workspace.at('old.txt'));
    move('spare.txt', 'old.txt');
    assert.equal(await bench.undo.applyAgain(bench.report.noteOf(workspace.at('old.txt'))!), 'replaced');
    assert.equal(workspace.read('old.txt'), 'old\n');
  });

  describe('goes with the undo', () => {
    beforeEach(() => bench.turn(() => copy('new.txt')));
    const isUndone = async (): Promise<void> => {
      assert.deepEqual(reasons(await bench.undoFiles()), []);
      assert.equal(existsSync(workspace.at('new.txt')), false);
      assert.equal(workspace.read('notes.txt'), USER);
    };

    it('when nothing has happened', isUndone);

    it('when the undone change was applied again', async () => {
      await isUndone();
      assert.equal(await bench.undo.applyAgain(bench.report.noteOf(workspace.at('new.txt'))!), undefined);
      await isUndone();
    });

    it('when a restore was undone', async () => {
      const { restoreId } = await session.restore.perform((await session.restore.toCheckpoint(await firstTurn()))!);
      assert.equal(existsSync(workspace.at('new.txt')), false);
      await session.restore.perform((await session.restore.undoing(restoreId!))!);
      await isUndone();
    });

    it('when a program wrote the same content again', async () => {
      await workspace.settle();
      writeFileSync(workspace.at('new.txt'), USER);
      await isUndone();
    });

    it('when a program made the file again', async () => {
      await workspace.settle();
      writeFileSync(workspace.at('other.txt'), USER);
      move('other.txt', 'new.txt');
      await isUndone();
    });

    it('when the agent replaced it in a later turn', async () => {
      await bench.turn(() => {
        workspace.write('other.txt', `${USER}agent\n`);
        move('other.txt', 'new.txt');
      });
      await isUndone();
    });

    it('when the agent moved another copy over it', async () => {
      await bench.turn(() => copy('second.txt'));
      await bench.turn(() => move('second.txt', 'new.txt'));
      await isUndone();
    });
  });

  it('goes when an undo brings the content back to its place', async () => {
    await bench.turn(() => copy('new.txt'));
    await bench.turn(() => move('notes.txt', 'new.txt'));
    assert.deepEqual(reasons(await bench.undoFiles()), []);
    assert.equal(existsSync(workspace.at('new.txt')), false);
    assert.equal(workspace.read('notes.txt'), USER);
  });

  it('is left when the agent moved the file over its copy in the first moments of a turn', async () => {
    await bench.turn(() => copy('new.txt'));
    const { turnId, files } = await playTurn(session, 'early', () => move('notes.txt', 'new.txt'), true);
    await bench.review.recorded(turnId, files);
    assert.ok(reasons(await bench.undoFiles()).includes('new.txt shared'));
    assert.equal(workspace.read('new.txt'), USER);
  });

  it('is left as the last copy of a file that the agent removed in the first moments of a turn', async () => {
    const repository = new Workspace(true);
    repository.write('notes.txt', USER);
    repository.commit();
    await repository.settle();
    const tracked = repository.session();
    const review = undoing(repository, tracked);
    await review.turn(() => copyFileSync(repository.at('notes.txt'), repository.at('new.txt')));
    const { turnId, files } = await playTurn(tracked, 'early', () => rmSync(repository.at('notes.txt')), true);
    await review.review.recorded(turnId, files);
    assert.deepEqual(reasons(await review.undoFiles()), ['notes.txt unknown', 'new.txt moved']);
    assert.equal(repository.read('new.txt'), USER);
    review.dispose();
    repository.dispose();
  });

  it('is left by the end of a restore that a crash interrupted', async () => {
    await playTurn(session, 'turn', () => copy('new.txt'));
    const plan = (await session.restore.toCheckpoint('turn'))!;
    const { append } = session.log;
    session.log.append = async (record) => {
      await append.call(session.log, record);
      throw new Error('The process has ended');
    };
    await assert.rejects(session.restore.perform(plan));
    move('notes.txt', 'new.txt');
    session = workspace.session();
    await session.restore.transaction.recover();
    assert.equal(workspace.read('new.txt'), USER);
  });
});
