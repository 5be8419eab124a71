/** Restores of files that the user wrote between two records, and of moved files. */
import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { FileState } from '../../../src/core/fileChanges/records';
import type { RestorePlan } from '../../../src/changes/restore';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe('a restore', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let bench: Undoing;

  const at = (name: string): string => workspace.at(name);
  const namesOf = (files: readonly { readonly path: string }[]): string[] =>
    files.map((file) => path.relative(workspace.folder, file.path).replaceAll('\\', '/'));
  const changedSince = ({ files }: RestorePlan): string[] => namesOf(files.filter((file) => file.changedSince));
  const toBefore = async (turnId: string): Promise<RestorePlan> => (await session.restore.toCheckpoint(turnId))!;

  beforeEach(async () => {
    workspace = new Workspace(false);
    workspace.write('a.txt', 'one\ntwo\nthree\n');
    workspace.write('b.txt', 'b\n');
    workspace.write('c.txt', 'c\n');
    await workspace.settle();
    session = workspace.session();
    bench = undoing(workspace, session);
  });
  afterEach(() => {
    bench.dispose();
    workspace.dispose();
  });

  describe('names a file that the user wrote', () => {
    it('before an undo that left the user’s line', async () => {
      await bench.turn(() => appendFileSync(at('a.txt'), 'agent\n'));
      appendFileSync(at('b.txt'), 'nothing of the agent\n');
      appendFileSync(at('a.txt'), 'user\n');
      await bench.review.fileChanged(at('a.txt'));
      assert.deepEqual((await bench.undoFiles()).left, []);
      assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\nuser\n');
      const plan = await toBefore('turn-1');
      assert.deepEqual(changedSince(plan), ['a.txt']);
      await session.restore.perform(plan);
      assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\nuser\n');
    });

    for (const [name, turns] of [
      ['that moved the file back', [['b.txt', 'new.txt']]],
      ['that moved the file back from a new folder', [['b.txt', 'made/deep/new.txt']]],
      [
        'that moved the file back after two turns had moved it',
        [
          ['b.txt', 'new.txt'],
          ['new.txt', 'newer.txt'],
        ],
      ],
    ] as const) {
      it(`before an undo ${name}`, async () => {
        for (const [from, to] of turns) {
          await bench.turn(() => {
            mkdirSync(path.dirname(at(to)), { recursive: true });
            renameSync(at(from), at(to));
          });
        }
        const last = turns.at(-1)![1];
        appendFileSync(at(last), 'user\n');
        await bench.review.fileChanged(at(last));
        assert.deepEqual((await bench.undoFiles()).left, []);
        assert.equal(workspace.read('b.txt'), 'b\nuser\n');
        const plan = await toBefore('turn-1');
        assert.ok(changedSince(plan).includes('b.txt'));
        await session.restore.perform(plan);
        assert.equal(workspace.read('b.txt'), 'b\nuser\n');
      });
    }

    it('between two turns', async () => {
      await playTurn(session, 'one', () => appendFileSync(at('a.txt'), 'agent\n'));
      appendFileSync(at('a.txt'), 'user\n');
      await workspace.settle();
      await playTurn(session, 'two', () => {
        appendFileSync(at('a.txt'), 'agent again\n');
        appendFileSync(at('b.txt'), 'agent\n');
      });
      assert.deepEqual(changedSince(await toBefore('one')), ['a.txt']);
      assert.deepEqual(changedSince(await toBefore('two')), []);
    });

    for (const names of [['new.txt'], ['made/new.txt', 'made/newer.txt'], ['b.bak', 'a.bak', 'a.old']]) {
      it(`between two turns, at its new path as well: ${names.join(', ')}`, async () => {
        await playTurn(session, 'one', () => appendFileSync(at('a.txt'), 'agent\n'));
        appendFileSync(at('a.txt'), 'user\n');
        await workspace.settle();
        let from = 'a.txt';
        for (const to of names) {
          await playTurn(session, `to ${to}`, () => {
            mkdirSync(path.dirname(at(to)), { recursive: true });
            renameSync(at(from), at(to));
          });
          await workspace.settle();
          from = to;
        }
        const last = names.at(-1)!;
        const plan = await toBefore('one');
        assert.ok(changedSince(plan).includes('a.txt') && changedSince(plan).includes(last));
        await session.restore.perform(plan, [at('a.txt')]);
        assert.equal(workspace.read(last), 'one\ntwo\nthree\nagent\nuser\n');
      });
    }

    it('between a restore and its undo', async () => {
      await playTurn(session, 'one', () => appendFileSync(at('a.txt'), 'agent\n'));
      const { restoreId } = await session.restore.perform(await toBefore('one'));
      appendFileSync(at('a.txt'), 'user\n');
      await workspace.settle();
      await playTurn(session, 'two', () => appendFileSync(at('a.txt'), 'agent again\n'));
      assert.deepEqual(changedSince((await session.restore.undoing(restoreId!))!), ['a.txt']);
    });
  });

  it('names no file that only turns, undos and restores wrote', async () => {
    const append = async (): Promise<void> => {
      await workspace.settle();
      await bench.turn(() => appendFileSync(at('a.txt'), 'agent\n'));
    };
    await append();
    assert.deepEqual((await bench.undoFiles()).left, []);
    await append();
    const { restoreId } = await session.restore.perform(await toBefore('turn-2'));
    await session.restore.perform((await session.restore.undoing(restoreId!))!);
    await append();
    assert.deepEqual(changedSince(await toBefore('turn-1')), []);
  });

  describe('leaves the new name of a moved file', () => {
    it('when another file has the old name', async () => {
      await playTurn(session, 'one', () => renameSync(at('a.txt'), at('new.txt')));
      workspace.write('a.txt', 'of the user\n');
      const plan = await toBefore('one');
      assert.deepEqual(changedSince(plan), ['a.txt']);
      const { left, reasons } = await session.restore.perform(plan);
      assert.deepEqual([namesOf(left.map((file) => ({ path: file }))), reasons.map(({ reason }) => reason)], [['new.txt'], ['moved']]);
      assert.deepEqual([workspace.read('a.txt'), workspace.read('new.txt')], ['of the user\n', 'one\ntwo\nthree\n']);
      await session.restore.perform(plan, [at('a.txt')]);
      assert.deepEqual([workspace.read('a.txt'), existsSync(at('new.txt'))], ['one\ntwo\nthree\n', false]);
    });

    it('when the agent changed it too, and the old name cannot be written', async () => {
      await playTurn(session, 'one', () => chmodSync(at('a.txt'), 0o755));
      await workspace.settle();
      await playTurn(session, 'two', () => renameSync(at('a.txt'), at('new.txt')));
      const plan = await toBefore('one');
      mkdirSync(at('a.txt'));
      workspace.write('a.txt/of the user', 'user\n');
      const { restored, reasons } = await session.restore.perform(plan, [at('a.txt')]);
      assert.deepEqual([restored, reasons.map(({ path: file }) => path.basename(file)).sort()], [[], ['a.txt', 'new.txt']]);
      assert.equal(workspace.read('new.txt'), 'one\ntwo\nthree\n');
    });

    it('when it replaced a file, and the old version has no copy', async () => {
      const content = 'a line of the user\n'.repeat(20_000);
      workspace.write('big.txt', content);
      await workspace.settle();
      await playTurn(session, 'one', () => renameSync(at('big.txt'), at('b.txt')));
      const { reasons } = await session.restore.perform(await toBefore('one'));
      assert.deepEqual(
        reasons.map(({ path: file, reason }) => [path.basename(file), reason]),
        [['b.txt', 'moved']],
      );
      assert.equal(workspace.read('b.txt'), content);
    });

    it('when a link is at the old name, and the old version has no copy', async () => {
      const content = 'a line of the user\n'.repeat(20_000);
      workspace.write('big.txt', content);
      await workspace.settle();
      await playTurn(session, 'one', () => copyFileSync(at('big.txt'), at('copy.txt')));
      await workspace.settle();
      await playTurn(session, 'two', () => {
        rmSync(at('big.txt'));
        symlinkSync(at('b.txt'), at('big.txt'));
      });
      const { reasons } = await session.restore.perform(await toBefore('one'));
      assert.ok(reasons.some(({ path: file, reason }) => path.basename(file) === 'copy.txt' && reason === 'moved'));
      assert.equal(workspace.read('copy.txt'), content);
    });

    it('when it replaced a file', async () => {
      await playTurn(session, 'one', () => renameSync(at('a.txt'), at('b.txt')));
      workspace.write('a.txt', 'of the user\n');
      const { reasons } = await session.restore.perform(await toBefore('one'));
      assert.deepEqual(
        reasons.map(({ path: file, reason }) => [path.basename(file), reason]),
        [['b.txt', 'moved']],
      );
      assert.equal(workspace.read('b.txt'), 'one\ntwo\nthree\n');
    });
  });

  it('moves chains, swaps and files in folders with their own name back', async () => {
    const before = workspace.tree();
    await playTurn(session, 'one', () => {
      renameSync(at('a.txt'), at('t'));
      renameSync(at('b.txt'), at('a.txt'));
      renameSync(at('t'), at('b.txt'));
      renameSync(at('c.txt'), at('t'));
      mkdirSync(at('c.txt'));
      renameSync(at('t'), at('c.txt/c.txt'));
    });
    const after = workspace.tree();
    const { restoreId, reasons } = await session.restore.perform(await toBefore('one'));
    assert.deepEqual(reasons, []);
    assert.deepEqual(workspace.tree(), before);
    assert.deepEqual((await session.restore.perform((await session.restore.undoing(restoreId!))!)).reasons, []);
    assert.deepEqual(workspace.tree(), after);
  });

  it('makes a private file private again that the agent replaced, and widens no permissions', async () => {
    chmodSync(at('a.txt'), 0o640);
    chmodSync(at('b.txt'), 0o664);
    await workspace.settle();
    await playTurn(session, 'one', () => {
      for (const name of ['a.txt', 'b.txt']) {
        workspace.remove(name);
        workspace.write(name, 'agent\n');
        chmodSync(at(name), 0o644);
      }
    });
    await session.restore.perform(await toBefore('one'));
    assert.deepEqual(
      ['a.txt', 'b.txt'].map((name) => (lstatSync(at(name)).mode & 0o777).toString(8)),
      ['640', '644'],
    );
  });

  it('leaves the permissions that the user has set since', async () => {
    chmodSync(at('a.txt'), 0o640);
    await workspace.settle();
    await playTurn(session, 'one', () => appendFileSync(at('a.txt'), 'agent\n'));
    chmodSync(at('a.txt'), 0o644);
    const plan = await toBefore('one');
    assert.equal((plan.files[0]!.to as FileState & { readonly kind: 'file' }).mode, 0o644);
    await session.restore.perform(plan);
    assert.equal(lstatSync(at('a.txt')).mode & 0o777, 0o644);
  });
});
