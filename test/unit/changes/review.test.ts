/** What waits for the user after a turn, and what becomes of it. */
import assert from 'node:assert/strict';
import { Review } from '../../../src/changes/review/review';
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

  it('has the changes of a turn, and those that can be taken only as a whole', async () => {
    assert.deepEqual(shown(await changed()), [
      ['a.txt', ['two\n>2\n', '>four\n']],
      ['b.txt', 'deleted'],
      ['c.bin', 'whole'],
      ['new.txt', ['>new\n']],
    ]);
  });

  it('is as it was after a reload, reviewed marks too; what somebody wrote meanwhile is stale', async () => {
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

  it('goes on with the next turn: what was kept is no change any more', async () => {
    const review = await changed();
    const path = workspace.at('a.txt');
    review.keep(path, [review.file(path)!.hunks!.hunks[0]!.hunkId]);
    await workspace.settle();
    const { turnId, files } = await playTurn(session, 'turn-2', () => workspace.write('a.txt', 'ONE\n2\nthree\nfour\n'));
    await review.recorded(turnId, files);
    assert.deepEqual((shown(review) as unknown[])[0], ['a.txt', ['one\n>ONE\n', '>four\n']]);
    assert.deepEqual(review.file(path)!.turns, ['turn-1', 'turn-2']);
  });

  it('gives edits that undo, and takes a commit for a keep', async () => {
    const review = await changed();
    const path = workspace.at('a.txt');
    const { hunks } = review.file(path)!;
    const edits = review.undoEdits(path, [hunks!.hunks[1]!.hunkId]);
    review.documentChanged(path, edits, { type: 'user' });
    assert.equal(hunks!.text, 'one\n2\nthree\n');
    review.committed(path, 'one\n2\nthree\n');
    assert.deepEqual(hunks!.hunks, []);
  });
});
