/** Finds the change to which a line belongs. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import { hunkAtBaselineLine, hunkAtLine, hunkBeside, hunksAt, presentLineOf } from '../../../src/changes/review/hunksAtLines';

describe('the positions of changes', () => {
  // Lines 1 and 2 are changed and line 4 is new. One line was removed before line 6, and one at the end.
  const live = LiveHunks.of('a\nb\nc\nd\ne\ngone\nf\nlast\n');
  live.replace('a\nB\nC\nd\nnew\ne\nf\n', { type: 'agent', by: 'turn' });
  const texts = (hunks: readonly { readonly oldText: string }[]): string[] => hunks.map(({ oldText }) => oldText);

  it('are found by the lines that they contain', () => {
    assert.deepEqual(texts(live.hunks), ['b\nc\n', '', 'gone\n', 'last\n']);
    assert.deepEqual(texts(hunksAt(live, { first: 2, end: 3 })), ['b\nc\n']);
    assert.deepEqual(texts(hunksAt(live, { first: 0, end: 1 })), []);
    assert.deepEqual(texts(hunksAt(live, { first: 0, end: 20 })), texts(live.hunks));
  });

  it('are found where lines were removed', () => {
    assert.deepEqual(texts(hunksAt(live, { first: 6, end: 6 })), ['gone\n']);
    assert.equal(hunkAtLine(live, 6)?.oldText, 'gone\n');
    assert.equal(hunkAtLine(live, 7)?.oldText, 'last\n');
  });

  it('are found by the lines of the baseline', () => {
    assert.equal(hunkAtBaselineLine(live, 0), undefined);
    assert.deepEqual(
      [1, 2, 4, 5, 7].map((line) => hunkAtBaselineLine(live, line)?.oldText),
      ['b\nc\n', 'b\nc\n', '', 'gone\n', 'last\n'],
    );
  });

  it('map each line of the baseline to a line of the present text', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6].map((line) => presentLineOf(live, line)),
      [0, 1, 1, 3, 5, 6, 6],
    );
  });

  it('include the change under the cursor, and the next and previous ones', () => {
    assert.equal(hunkAtLine(live, 1)?.oldText, 'b\nc\n');
    assert.equal(hunkAtLine(live, 4)?.oldText, '');
    assert.equal(hunkBeside(live, 1, 1)?.oldText, '');
    assert.equal(hunkBeside(live, 4, -1)?.oldText, 'b\nc\n');
    assert.equal(hunkBeside(live, 0, -1), undefined);
    assert.equal(hunkBeside(live, 7, 1), undefined);
  });
});
