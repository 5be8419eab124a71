/** Undo of files that several turns changed, with edits of the user in between. The undo restores the user's version. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { earlierVersion, isUnclearReturn, mayMissWrites } from '../../../src/changes/review/earlierVersion';
import type { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import type { FileState } from '../../../src/core/fileChanges/records';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe('an undo after several turns', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let bench: Undoing;

  const at = (name: string): string => workspace.at(name);
  /** The user writes with another program between two turns. */
  const userWrites = async (name: string, content: string | Uint8Array): Promise<void> => {
    workspace.write(name, content);
    await bench.review.fileChanged(at(name));
    await workspace.settle();
  };

  beforeEach(async () => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'one\ntwo\nthree\n');
    workspace.write('logo.bin', Buffer.from([0, 1, 2]));
    workspace.commit();
    await workspace.settle();
    session = workspace.session();
    bench = undoing(workspace, session);
  });

  afterEach(() => {
    bench.dispose();
    workspace.dispose();
  });

  it('restores the binary file that the user made of the first change', async () => {
    await bench.turn(() => workspace.write('logo.bin', Buffer.from([0, 9, 9])));
    await userWrites('logo.bin', Buffer.from([0, 7, 7, 7]));
    await bench.turn(() => workspace.write('logo.bin', Buffer.from([0, 8])));
    await bench.undoFiles();
    assert.deepEqual([...readFileSync(at('logo.bin'))], [0, 7, 7, 7]);
  });

  it('never deletes a created binary file that the user replaced before the second change', async () => {
    await bench.turn(() => workspace.write('new.bin', Buffer.from([0, 9, 9])));
    await userWrites('new.bin', Buffer.from([0, 7, 7, 7]));
    await bench.turn(() => workspace.write('new.bin', Buffer.from([0, 8])));
    await bench.undoFiles();
    assert.deepEqual([...readFileSync(at('new.bin'))], [0, 7, 7, 7]);
  });

  it('restores the state before the first change of a binary file that only turns wrote', async () => {
    await bench.turn(() => workspace.write('logo.bin', Buffer.from([0, 9, 9])));
    await bench.turn(() => workspace.write('logo.bin', Buffer.from([0, 8])));
    await bench.undoFiles();
    assert.deepEqual([...readFileSync(at('logo.bin'))], [0, 1, 2]);
  });

  it('restores a deleted file with the lines that the user wrote after the first change', async () => {
    await bench.turn(() => workspace.write('a.txt', 'one\n2\nthree\n'));
    await userWrites('a.txt', 'one\n2\nthree\nfrom the user\n');
    await bench.turn(() => workspace.remove('a.txt'));
    await bench.undoFiles();
    assert.match(workspace.read('a.txt'), /from the user/);
  });

  it('restores a file that was created, kept and then deleted', async () => {
    await bench.turn(() => workspace.write('new.txt', 'created\nlines\n'));
    const [hunk] = bench.review.file(at('new.txt'))!.hunks!.hunks;
    bench.review.keep(at('new.txt'), [hunk!.hunkId]);
    await bench.turn(() => workspace.remove('new.txt'));
    await bench.undoFiles();
    assert.equal(existsSync(at('new.txt')) && workspace.read('new.txt'), 'created\nlines\n');
  });

  it('restores the committed version of a changed file after its deletion', async () => {
    await bench.turn(() => workspace.write('a.txt', 'one\n2\nthree\n'));
    workspace.commit();
    bench.review.committed(at('a.txt'), 'one\n2\nthree\n');
    await workspace.settle();
    await bench.turn(() => workspace.remove('a.txt'));
    await bench.undoFiles();
    assert.equal(workspace.read('a.txt'), 'one\n2\nthree\n');
  });

  it('restores the state before the first change of a text that later turns only deleted', async () => {
    await bench.turn(() => workspace.write('a.txt', 'one\n2\nthree\n'));
    await bench.turn(() => workspace.remove('a.txt'));
    await bench.undoFiles();
    assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\n');
  });

  it('keeps the text that the user wrote in place of a deleted file', async () => {
    await bench.turn(() => workspace.remove('a.txt'));
    await userWrites('a.txt', "the user's own\ntext\n");
    await bench.turn(() => workspace.write('a.txt', "the user's own\nchanged text\n"));
    await bench.undoFiles();
    assert.equal(workspace.read('a.txt'), "the user's own\ntext\n");
  });

  it('keeps lines that the user wrote between two turns without a notice of the editor', async () => {
    await bench.turn(() => workspace.write('a.txt', 'one\n2\nthree\n'));
    workspace.write('a.txt', 'one\n2\nthree\nfrom the user\n');
    await workspace.settle();
    await bench.turn(() => workspace.write('a.txt', 'zero\none\n2\nthree\nfrom the user\n'));
    await bench.undoFiles();
    assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\nfrom the user\n');
  });

  describe('when the agent wrote before its copy was taken', () => {
    /** A turn in which the agent writes at once. */
    const early = async (act: () => void): Promise<void> => {
      const { turnId, files } = await playTurn(session, 'early', act, true);
      await bench.review.recorded(turnId, files);
    };
    const write = (text: string): void => workspace.write('a.txt', text);

    for (const [name, user, agent] of [
      ['replaced a line of the agent', 'one\nuser\nthree\n', 'one\nuser\nagent\n'],
      ['wrote above the agent’s line', 'user\n2\nthree\n', 'user\n2\nagent\n'],
      ['wrote at the end', 'one\n2\nuser\n', 'agent\n2\nuser\n'],
    ] as const) {
      it(`leaves the file when the user ${name} without a notice of the editor`, async () => {
        await bench.turn(() => write('one\n2\nthree\n'));
        write(user);
        await early(() => write(agent));
        assert.deepEqual(
          (await bench.undoFiles()).left.map(({ reason }) => reason),
          ['shared'],
        );
        assert.match(workspace.read('a.txt'), /user/);
      });
    }

    it('undoes the file when its document has followed the agent', async () => {
      await bench.turn(() => write('one\n2\nthree\n'));
      await early(() => {
        write('one\n2\n3\n');
        bench.review.documentIs(at('a.txt'), 'one\n2\n3\n', [], { type: 'agent', by: 'early' });
      });
      assert.deepEqual((await bench.undoFiles()).left, []);
      assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\n');
    });
  });

  it('keeps both of two files that were moved from one name', async () => {
    await bench.turn(() => renameSync(at('a.txt'), at('b.txt')));
    workspace.write('a.txt', "another file\nof the user's\n");
    await workspace.settle();
    await bench.turn(() => renameSync(at('a.txt'), at('c.txt')));
    const { left } = await bench.undoFiles();
    const contents = ['a.txt', 'b.txt', 'c.txt'].filter((name) => existsSync(at(name))).map((name) => workspace.read(name));
    assert.deepEqual(contents.sort(), ["another file\nof the user's\n", 'one\ntwo\nthree\n']);
    assert.deepEqual(
      left.map(({ reason }) => reason),
      ['old_name_taken'],
    );
  });

  it('keeps a moved file whose old name a second file gets back in the same undo', async () => {
    await bench.turn(() => renameSync(at('a.txt'), at('b.txt')));
    workspace.write('a.txt', "another file\nof the user's\n");
    await workspace.settle();
    await bench.turn(() => workspace.remove('a.txt'));
    await bench.undoFiles();
    const contents = ['a.txt', 'b.txt'].filter((name) => existsSync(at(name))).map((name) => workspace.read(name));
    assert.deepEqual(contents.sort(), ["another file\nof the user's\n", 'one\ntwo\nthree\n']);
  });

  it('undoes changes of one file that are selected in two turns', async () => {
    await bench.turn(() => workspace.write('a.txt', 'ONE\ntwo\nthree\n'));
    await bench.turn(() => workspace.write('a.txt', 'ONE\ntwo\nTHREE\n'));
    const file = bench.review.file(at('a.txt'))!;
    const targets = file.hunks!.hunks.map(({ hunkId }) => ({ file, hunkIds: [hunkId] }));
    assert.equal(targets.length, 2);
    const { done, left } = await bench.undo.perform(await bench.undo.plan(targets));
    assert.deepEqual([done, left, workspace.read('a.txt')], [[at('a.txt')], [], 'one\ntwo\nthree\n']);
  });

  it('adds a hint to the plan of a restore for a file that the user wrote between two turns', async () => {
    workspace.write('b.txt', 'one\n');
    await workspace.settle();
    await bench.turn(() => ['a.txt', 'b.txt'].forEach((name) => workspace.write(name, 'by the agent\n')));
    await userWrites('a.txt', "by the agent\nthe user's line\n");
    await bench.turn(() => ['a.txt', 'b.txt'].forEach((name) => workspace.write(name, 'by the agent again\n')));
    const plan = (await session.restore.toCheckpoint('turn-1'))!;
    assert.deepEqual(
      plan.files.map((file) => [file.path, file.changedSince]),
      [
        [at('a.txt'), true],
        [at('b.txt'), false],
      ],
    );
  });

  it('does not empty a created file that does not fit into the full store', async () => {
    bench.dispose();
    session = workspace.session({ storeBytes: 200, key: 'full' });
    bench = undoing(workspace, session);
    const text = Array.from({ length: 100 }, (_, line) => `line ${line} ${line ** 5}\n`).join('');
    await bench.turn(() => workspace.write('new.txt', text));
    const { done, left } = await bench.undoFiles(['new.txt']);
    assert.deepEqual([done, left.map(({ reason }) => reason)], [[], ['failed']]);
    assert.equal(workspace.read('new.txt'), text);
  });

  it('finishes a started move when it is cancelled', async () => {
    await bench.turn(() => renameSync(at('logo.bin'), at('moved.bin')));
    const cancel = new AbortController();
    const { done, left } = await bench.undoFiles(undefined, { signal: cancel.signal, onFile: () => cancel.abort() });
    assert.deepEqual([done, left], [[at('moved.bin')], []]);
    assert.deepEqual([existsSync(at('logo.bin')), existsSync(at('moved.bin'))], [true, false]);
  });

  for (const [one, two] of [
    ['a.txt', 'b.txt'],
    ['logo.bin', 'b.bin'],
  ] as const) {
    it(`restores both files when one was moved to the name of a deleted one: ${one}`, async () => {
      workspace.write(two, Buffer.concat([Buffer.from("the second file's\n"), readFileSync(at(one))]));
      await workspace.settle();
      const before = workspace.tree();
      await bench.turn(() => {
        workspace.remove(two);
        workspace.write(one, Buffer.concat([readFileSync(at(one)), Buffer.from('by the agent\n')]));
      });
      await bench.turn(() => renameSync(at(one), at(two)));
      assert.deepEqual((await bench.undoFiles()).left, []);
      assert.deepEqual(workspace.tree(), before);
    });
  }

  it('undoes the content of a file that a later turn moved back', async () => {
    await bench.turn(() => ['a.txt', 'logo.bin'].forEach((name) => renameSync(at(name), at(`moved-${name}`))));
    await bench.turn(() => {
      ['a.txt', 'logo.bin'].forEach((name) => renameSync(at(`moved-${name}`), at(name)));
      workspace.write('a.txt', 'one\n2\nthree\n');
      workspace.write('logo.bin', Buffer.from([0, 9]));
    });
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\n');
    assert.deepEqual([...readFileSync(at('logo.bin'))], [0, 1, 2]);
  });

  it('remembers the size of a file without a copy that a later turn wrote again before its state was read', async () => {
    const first: FileState = { kind: 'unknown', reason: 'too_large', size: 380_000 };
    const known = { before: first, after: { kind: 'none' }, path: '/w/big.txt', isDeleted: true, turns: ['one'] } as const;
    const late: FileState = { kind: 'unknown', reason: 'late', size: 28 };
    assert.equal(await earlierVersion(known, late, async () => undefined), first);
    assert.equal(isUnclearReturn(known, late), true, 'it counts as shared');
  });

  it('is not certain of a file without a copy that has another size than the last turn left', () => {
    const known = { hunks: { text: 'agent\n' } as LiveHunks, after: { kind: 'file', hash: '', size: 6, mode: 0o644, kept: true } } as const;
    const before = (size: number): FileState => ({ kind: 'unknown', reason: 'too_large', size });
    assert.equal(mayMissWrites(known, before(6), 'other\n'), false);
    assert.equal(mayMissWrites(known, before(9), 'agent\n'), false, 'the hunks have followed');
    assert.equal(mayMissWrites(known, before(9), 'other\n'), true);
  });

  it('keeps the text of a file that moved over an empty one, when a later turn has written it again', async () => {
    const content = 'a line of the user\n'.repeat(20_000);
    workspace.write('big.txt', content);
    workspace.write('empty.txt', '');
    await workspace.settle();
    await bench.turn(() => renameSync(at('big.txt'), at('empty.txt')));
    await bench.turn(() => workspace.write('big.txt', 'agent\n'));
    // The text was stored when it was moved, so each file can be undone alone.
    for (const [name, text] of [
      ['empty.txt', ''],
      ['big.txt', content],
    ] as const) {
      const file = bench.review.files.find((each) => each.path === at(name))!;
      const { left } = await bench.undo.perform(await bench.undo.plan([{ file }]));
      assert.deepEqual([left, workspace.read(name)], [[], text]);
    }
  });

  for (const [name, content] of [
    ['a.txt', 'one\ntwo\nthree\n'],
    // A new file of this size is not copied, so that its earlier version is unknown.
    ['big.txt', 'a line of the user\n'.repeat(20_000)],
  ] as const) {
    for (const replaced of ['a link', 'a folder'] as const) {
      it(`leaves the only copy of ${name}, which the agent replaced by ${replaced} in a later turn`, async () => {
        workspace.write(name, content);
        await workspace.settle();
        await bench.turn(() => copyFileSync(at(name), at('copy.txt')));
        await bench.turn(() => {
          rmSync(at(name));
          if (replaced === 'a link') {
            symlinkSync(at('logo.bin'), at(name));
          } else {
            workspace.write(`${name}/made.txt`, 'agent\n');
          }
        });
        const copy = bench.review.files.find((file) => file.path === at('copy.txt'))!;
        const hunkIds = copy.hunks?.hunks.map(({ hunkId }) => hunkId);
        for (const target of [{ file: copy, ...(hunkIds && { hunkIds }) }, { file: copy }]) {
          const { left } = await bench.undo.perform(await bench.undo.plan([target]));
          assert.deepEqual(left, [{ path: at('copy.txt'), reason: 'moved' }]);
          assert.equal(workspace.read('copy.txt'), content);
        }
      });
    }
  }
});
