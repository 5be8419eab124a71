/** The changes that wait for the user after a turn, and their later states. */
import assert from 'node:assert/strict';
import { existsSync, symlinkSync } from 'node:fs';
import { isPending, Review } from '../../../src/changes/review/review';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';
import { systemClock } from '../../../src/util/clock';

describe('a review', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  const open: Review[] = [];

  function reviewOf(): Review {
    const review = new Review({
      store: session.store,
      folder: session.storeFolder,
      clock: systemClock,
      text: async (path) => {
        try {
          return workspace.read(path.slice(workspace.folder.length + 1));
        } catch {
          return undefined;
        }
      },
      exists: async (path) => existsSync(path),
      isMissing: async (path) => !existsSync(path),
      decode: async (_, bytes) => Buffer.from(bytes).toString(),
    });
    open.push(review);
    return review;
  }

  beforeEach(async () => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'one\ntwo\nthree\n');
    workspace.write('b.txt', 'stays\n');
    workspace.commit();
    await workspace.settle();
    session = workspace.session();
  });

  afterEach(() => {
    open.splice(0).forEach((review) => review.dispose());
    workspace.dispose();
  });

  async function changed(): Promise<Review> {
    const review = reviewOf();
    const { turnId, files } = await playTurn(session, 'turn-1', () => {
      workspace.write('a.txt', 'one\n2\nthree\nfour\n');
      workspace.write('new.txt', 'new\n');
      workspace.remove('b.txt');
      workspace.write('c.bin', Buffer.from([0, 1]));
    });
    await review.recorded(turnId, files);
    return review;
  }

  const shown = (review: Review): unknown =>
    review.files.map(({ path, isDeleted, hunks }) => [
      path.slice(workspace.folder.length + 1),
      isDeleted ? 'deleted' : (hunks?.hunks.map(({ start, end, oldText }) => `${oldText}>${hunks.text.slice(start, end)}`) ?? 'whole'),
    ]);

  describe('after a restore', () => {
    const before = 'one\ntwo\nthree\n';
    /** Restores the text of a.txt by one edit of characters, which begins and ends within lines. */
    async function restoredBy(start: number, end: number, text: string): Promise<Review> {
      const review = await changed();
      const file = review.file(workspace.at('a.txt'))!;
      review.documentChanged(file.path, [{ start, end, text }], { type: 'user' });
      assert.equal(file.hunks!.text, before);
      workspace.write('a.txt', before);
      await review.restored(file.path, file.after, file.before);
      return review;
    }

    for (const [name, start, end, text] of [
      ['in its middle', 4, 17, 'two\nthree\n'],
      ['over its end', 3, 16, '\ntwo\nthree'],
      ['from the beginning', 1, 17, 'ne\ntwo\nthree\n'],
    ] as const) {
      it(`drops a file that is as before, whichever edit put it back: ${name}`, async () => {
        const file = (await restoredBy(start, end, text)).file(workspace.at('a.txt'));
        assert.ok(!file || !isPending(file), JSON.stringify(file?.hunks?.hunks));
      });
    }

    for (const [name, earlier, moved] of [
      ['another text', 'one\ntwo\nthree\n', 'only here\n'],
      ['a text with common lines', 'one\ntwo\nthree\n', 'one\nonly here\nthree\n'],
      ['a longer text', 'one\ntwo\nthree\n', 'one\ntwo\nthree\nonly here\n'],
    ] as const) {
      for (const author of ['another program', 'the editor'] as const) {
        it(`has the row of a moved file again after the undo of the restore by ${author}: ${name}`, async () => {
          const [a, b] = [workspace.at('a.txt'), workspace.at('b.txt')];
          workspace.write('b.txt', moved);
          await workspace.settle();
          const review = reviewOf();
          const { turnId, files } = await playTurn(session, 'turn-1', () => {
            workspace.remove('b.txt');
            workspace.write('a.txt', moved);
          });
          await review.recorded(turnId, files);
          const record = files.find(({ path }) => path === a)!;
          const write = async (from: string, to: string): Promise<void> => {
            workspace.write('a.txt', to);
            if (author === 'the editor') {
              review.documentChanged(a, [{ start: 0, end: from.length, text: to }], { type: 'user' });
            }
            const { before, after } = record;
            await (to === moved ? review.restored(a, before, after) : review.restored(a, after, before));
          };
          const deleted = review.file(b)!;
          await write(moved, earlier);
          workspace.write('b.txt', moved);
          await review.restored(b, deleted.after, deleted.before);
          workspace.remove('b.txt');
          await write(earlier, moved);
          await review.restored(b, deleted.before, deleted.after);
          assert.equal(review.file(b)?.isDeleted, true);
        });
      }
    }

    it('has the row of a deleted file again after the undo of a restore of that file only', async () => {
      const review = await changed();
      const deleted = review.file(workspace.at('b.txt'))!;
      workspace.write('b.txt', 'stays\n');
      await review.restored(deleted.path, deleted.after, deleted.before);
      assert.equal(review.file(deleted.path), undefined);
      workspace.remove('b.txt');
      await review.restored(deleted.path, deleted.before, deleted.after);
      assert.deepEqual(review.file(deleted.path)?.before, deleted.before);
    });

    it('still has the changes of a file that is not as before', async () => {
      const review = await changed();
      const file = review.file(workspace.at('a.txt'))!;
      workspace.write('a.txt', 'one\n2\nthree\n');
      await review.restored(file.path, file.after, { ...file.after });
      assert.ok(isPending(review.file(file.path)!));
    });
  });

  it('has the changes of a turn, and those that can only be kept or undone as a whole', async () => {
    assert.deepEqual(shown(await changed()), [
      ['a.txt', ['two\n>2\n', '>four\n']],
      ['b.txt', 'deleted'],
      ['c.bin', 'whole'],
      ['new.txt', ['>new\n']],
    ]);
  });

  it('shows that a deleted file exists again, until it is gone again, and after a reload', async () => {
    let review = await changed();
    const path = workspace.at('b.txt');
    const states: unknown[] = [];
    const note = async (): Promise<void> => {
      await review.fileChanged(path);
      states.push(review.file(path)?.isBack);
    };
    await note();
    workspace.write('b.txt', 'by the user\n');
    await note();
    workspace.remove('b.txt');
    await note();
    symlinkSync('a.txt', path);
    await review.flush();
    review = reviewOf();
    await review.load();
    states.push(review.file(path)?.isBack);
    assert.deepEqual(states, [undefined, true, undefined, true]);
    assert.deepEqual([review.file(path)?.isDeleted, review.file(path)?.after], [true, { kind: 'none' }]);
  });

  it('leaves out a created file that was deleted, until it exists again, and after a reload', async () => {
    let review = await changed();
    const [text, binary] = [workspace.at('new.txt'), workspace.at('c.bin')];
    const waiting = (): boolean[] => [text, binary].map((path) => review.files.some((file) => file.path === path && isPending(file)));
    const note = async (): Promise<boolean[]> => {
      await Promise.all([text, binary].map((path) => review.fileChanged(path)));
      return waiting();
    };
    assert.deepEqual(await note(), [true, true]);
    workspace.remove('new.txt');
    workspace.remove('c.bin');
    assert.deepEqual(await note(), [false, false]);
    await review.flush();
    review = reviewOf();
    await review.load();
    assert.deepEqual(waiting(), [false, false]);
    workspace.write('new.txt', 'user\nnew\n');
    workspace.write('c.bin', Buffer.from([0, 1]));
    assert.deepEqual(await note(), [true, true]);
    assert.equal(review.file(text)?.hunks?.text, 'user\nnew\n');
    assert.equal(waiting().length, 2);
  });

  it('still waits for a changed file that was deleted', async () => {
    const review = await changed();
    workspace.remove('a.txt');
    await review.fileChanged(workspace.at('a.txt'));
    assert.equal(isPending(review.file(workspace.at('a.txt'))!), true);
  });

  it('forgets that a deleted file exists again when a turn writes or deletes it', async () => {
    const review = await changed();
    const path = workspace.at('b.txt');
    for (const [turnId, act, isDeleted] of [
      ['turn-2', () => workspace.remove('b.txt'), true],
      ['turn-3', () => workspace.write('b.txt', 'agent\n'), false],
    ] as const) {
      workspace.write('b.txt', `by the user before ${turnId}\n`);
      await review.fileChanged(path);
      assert.equal(review.file(path)?.isBack, true);
      await workspace.settle();
      const { files } = await playTurn(session, turnId, act);
      await review.recorded(turnId, files);
      assert.deepEqual([review.file(path)?.isBack, review.file(path)?.isDeleted], [undefined, isDeleted]);
    }
  });

  it('has only later writes after a write that the user accepted with edits', async () => {
    const review = reviewOf();
    const { turnId, files } = await playTurn(session, 'turn-1', () => workspace.write('a.txt', 'one\nzwei\nthree\nfour\n'));
    const path = workspace.at('a.txt');
    await review.recorded(turnId, files, [{ path, proposed: 'one\n2\nthree\n', text: 'one\nzwei\nthree\n' }]);
    assert.deepEqual(shown(review), [['a.txt', ['>four\n']]]);
  });

  it("is restored after a reload, including reviewed marks; other programs' writes meanwhile make changes stale", async () => {
    const review = await changed();
    const path = workspace.at('a.txt');
    const [first, second] = review.file(path)!.hunks!.hunks;
    review.setReviewed(path, [second!.hunkId], true);
    review.keep(path, [first!.hunkId]);
    await review.flush();
    session = workspace.session();
    const again = reviewOf();
    await again.load();
    assert.deepEqual(shown(again), [
      ['a.txt', ['>four\n']],
      ['b.txt', 'deleted'],
      ['c.bin', 'whole'],
      ['new.txt', ['>new\n']],
    ]);
    assert.equal(again.file(path)!.hunks!.hunks[0]!.reviewed, true);
    await again.flush();
    workspace.write('a.txt', 'another\nbranch\n');
    const later = reviewOf();
    await later.load();
    const { hunks } = later.file(path)!;
    assert.deepEqual([hunks!.hunks, hunks!.setAside.map(({ status }) => status)], [[], ['stale']]);
  });

  it('continues with the next turn, without the changes that were kept', async () => {
    const review = await changed();
    const path = workspace.at('a.txt');
    review.keep(path, [review.file(path)!.hunks!.hunks[0]!.hunkId]);
    await workspace.settle();
    const { turnId, files } = await playTurn(session, 'turn-2', () => workspace.write('a.txt', 'ONE\n2\nthree\nfour\n'));
    await review.recorded(turnId, files);
    assert.deepEqual((shown(review) as unknown[])[0], ['a.txt', ['one\n>ONE\n', '>four\n']]);
    assert.deepEqual(review.file(path)!.turns, ['turn-1', 'turn-2']);
  });

  it('gives edits that undo changes, and treats a commit as a keep', async () => {
    const review = await changed();
    const path = workspace.at('a.txt');
    const { hunks } = review.file(path)!;
    const edits = review.undoEdits(path, [hunks!.hunks[1]!.hunkId]);
    review.documentChanged(path, edits, { type: 'user' });
    assert.equal(hunks!.text, 'one\n2\nthree\n');
    review.committed(path, 'one\n2\nthree\n');
    assert.deepEqual(hunks!.hunks, []);
  });

  it('follows a document that is reloaded before or after the review learns of the file', async () => {
    const review = await changed();
    const path = workspace.at('a.txt');
    const { hunks } = review.file(path)!;
    // The reload of the file that the turn wrote, reported late.
    review.documentIs(path, hunks!.text, [{ start: 4, end: 8, text: '2\n' }], { type: 'external' });
    assert.deepEqual(hunks!.hunks.length, 2);
    const typed = { start: 0, end: 0, text: 'mine\n' };
    review.documentIs(path, 'mine\none\n2\nthree\nfour\n', [typed], { type: 'user' });
    assert.equal(hunks!.baseline, 'mine\none\ntwo\nthree\n');
    // Edits that refer to another text than the known one.
    review.documentIs(path, 'mine\none\n2\nthree\nfour\nend\n', [{ start: 900, end: 900, text: 'end\n' }], { type: 'user' });
    assert.equal(hunks!.baseline, 'mine\none\ntwo\nthree\nend\n');
  });

  it('has the state before the first turn when a later one creates a deleted file again', async () => {
    const review = await changed();
    const path = workspace.at('b.txt');
    assert.equal(isPending(review.file(path)!), true);
    await workspace.settle();
    const { turnId, files } = await playTurn(session, 'turn-2', () => workspace.write('b.txt', 'stays\nnot\n'));
    await review.recorded(turnId, files);
    assert.deepEqual((shown(review) as unknown[])[1], ['b.txt', ['>not\n']]);
  });

  it('drops a file that was kept or undone as a whole', async () => {
    const review = await changed();
    review.keep(workspace.at('c.bin'));
    review.drop(workspace.at('b.txt'));
    review.keep(workspace.at('a.txt'));
    assert.deepEqual(
      review.files.filter(isPending).map(({ path }) => path),
      [workspace.at('new.txt')],
    );
  });

  it('separates lines that the user saved in the turn from those of the agent', async () => {
    const review = reviewOf();
    const path = workspace.at('a.txt');
    const { turnId, files } = await playTurn(session, 'turn-1', () => workspace.write('a.txt', 'one\n2\nthree\nmine\nfour\n'));
    const steps = [
      { author: 'agent', text: 'one\n2\nthree\n' },
      { author: 'user', text: 'one\n2\nthree\nmine\n' },
    ] as const;
    await review.recorded(turnId, files, [], new Map([[path, steps]]));
    assert.deepEqual(shown(review), [['a.txt', ['two\n>2\n', '>four\n']]]);
    assert.equal(review.file(path)!.hunks!.baseline, 'one\ntwo\nthree\nmine\n');
    assert.equal(review.file(path)!.shared, undefined);
  });

  it('marks a file as shared when it has too many steps to replay', async () => {
    const review = reviewOf();
    const path = workspace.at('a.txt');
    const { turnId, files } = await playTurn(session, 'turn-1', () => workspace.write('a.txt', 'one\n2\nthree\n'));
    const steps = Array.from({ length: 201 }, (_, index) => ({ author: 'user' as const, text: `${index}` }));
    await review.recorded(turnId, files, [], new Map([[path, steps]]));
    assert.deepEqual(shown(review), [['a.txt', ['two\n>2\n']]]);
    assert.equal(review.file(path)!.shared, true);
    assert.deepEqual(review.file(path)!.sharedWith, ['user']);
  });

  it('keeps what the user keeps while a turn is replayed', async () => {
    const review = await changed();
    const path = workspace.at('a.txt');
    await workspace.settle();
    const { turnId, files } = await playTurn(session, 'turn-2', () => workspace.write('a.txt', 'ONE\n2\nthree\nfour\nmine\n'));
    const steps = [{ author: 'user', text: 'one\n2\nthree\nfour\nmine\n' }] as const;
    const recorded = review.recorded(turnId, files, [], new Map([[path, steps]]));
    await new Promise((resolve) => setImmediate(resolve));
    review.keep(path, [review.file(path)!.hunks!.hunks[0]!.hunkId]);
    await recorded;
    assert.deepEqual((shown(review) as unknown[])[0], ['a.txt', ['one\n>ONE\n', '>four\n']]);
    assert.equal(review.file(path)!.hunks!.baseline, 'one\n2\nthree\nmine\n');
  });

  it('has a file only as a whole once its changes are too many', async () => {
    const lines = (line: (index: number) => string): string => Array.from({ length: 6000 }, (_, index) => `${line(index)}\n`).join('');
    workspace.write('many.txt', lines(String));
    workspace.commit();
    await workspace.settle();
    const review = reviewOf();
    const path = workspace.at('many.txt');
    const play = async (turn: string, text: string): Promise<void> => {
      const { turnId, files } = await playTurn(session, turn, () => workspace.write('many.txt', text));
      await review.recorded(turnId, files);
    };
    await play(
      'turn-1',
      lines((index) => (index === 5 ? 'agents' : `${index}`)),
    );
    assert.equal(review.file(path)!.hunks!.hunks.length, 1);
    await workspace.settle();
    await play(
      'turn-2',
      lines((index) => (index % 2 === 0 ? 'agents' : `${index}`)),
    );
    assert.deepEqual([review.file(path)!.hunks, review.file(path)!.isLarge, isPending(review.file(path)!)], [undefined, true, true]);
    await workspace.settle();
    await play(
      'turn-3',
      lines((index) => (index === 7 ? 'agents' : `${index}`)),
    );
    assert.equal(review.file(path)!.hunks, undefined);
  });

  it('has the state that the newest turn, or an undo, left', async () => {
    const review = await changed();
    const path = workspace.at('b.txt');
    assert.deepEqual(review.file(path)!.after, { kind: 'none' });
    const { before } = review.file(path)!;
    review.settle(path, before);
    assert.deepEqual(review.file(path)!.after, before);
  });
});
