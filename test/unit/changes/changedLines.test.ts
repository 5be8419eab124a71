/** The lines of a document that show pending changes. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import { changedLines } from '../../../src/changes/review/changedLines';

describe('the lines with pending changes', () => {
  const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
  const changed = (text: string): LiveHunks => {
    const hunks = LiveHunks.of(BEFORE);
    hunks.replace(text, { type: 'agent', by: 'turn' });
    return hunks;
  };

  it('do not exist without a change', () => {
    assert.deepEqual(changedLines([]), { written: [], removedBefore: [] });
    assert.deepEqual(changedLines([LiveHunks.of(BEFORE)]), { written: [], removedBefore: [] });
  });

  it('are the added and replaced ones', () => {
    const { written, removedBefore } = changedLines([changed('one\n2\nthree\nnew\nnewer\nfour\nfive\n')]);
    assert.deepEqual(written, [
      { first: 1, end: 2 },
      { first: 3, end: 5 },
    ]);
    assert.deepEqual(removedBefore, []);
  });

  it('are marked where lines were only removed', () => {
    assert.deepEqual(changedLines([changed('one\nfour\nfive\n')]), { written: [], removedBefore: [1] });
    assert.deepEqual(changedLines([changed('one\ntwo\nthree\nfour\n')]), { written: [], removedBefore: [4] });
  });

  it('follow what the user types above them', () => {
    const hunks = changed('one\n2\nthree\nfour\nfive\n');
    hunks.edit([{ start: 0, end: 0, text: 'zero\n' }], { type: 'user' });
    assert.deepEqual(changedLines([hunks]).written, [{ first: 2, end: 3 }]);
  });

  it('disappear after a keep', () => {
    const hunks = changed('one\n2\nthree\nfour\nfive\n');
    hunks.keep(hunks.hunks.map(({ hunkId }) => hunkId));
    assert.deepEqual(changedLines([hunks]), { written: [], removedBefore: [] });
  });

  it('appear once where several sessions changed them', () => {
    const two = [changed('one\n2\n3\nfour\nfive\n'), changed('one\ntwo\n3\n4\nfive\n')];
    assert.deepEqual(changedLines(two).written, [{ first: 1, end: 4 }]);
    const same = [changed('one\nthree\nfour\nfive\n'), changed('one\nthree\nfour\nfive\n')];
    assert.deepEqual(changedLines(same).removedBefore, [1]);
  });
});
