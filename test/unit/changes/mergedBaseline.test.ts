/** A file before the changes of several sessions. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import { mergedBaseline } from '../../../src/changes/review/mergedBaseline';

describe('the text before the changes of several sessions', () => {
  const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
  /** The hunks of two sessions after the first wrote `one`, and then the second `two`. */
  function sessions(one: string, two: string): readonly LiveHunks[] {
    const first = LiveHunks.of(BEFORE);
    first.replace(one, { type: 'agent', by: 'a' });
    first.replace(two, { type: 'external' });
    const second = LiveHunks.of(one);
    second.replace(two, { type: 'agent', by: 'b' });
    return [first, second];
  }

  it('contains the lines of neither session', () => {
    assert.equal(mergedBaseline(sessions('1\ntwo\nthree\nfour\nfive\n', '1\ntwo\nthree\n4\n4b\nfive\n')), BEFORE);
    assert.equal(mergedBaseline(sessions('one\nthree\nfour\nfive\n', 'one\nthree\nfour\n')), BEFORE);
  });

  it('is unknown where they overlap', () => {
    const both = ['a', 'b'].map((by) => {
      const hunks = LiveHunks.of(BEFORE);
      hunks.replace('one\n2\nthree\nfour\nfive\n', { type: 'agent', by });
      return hunks;
    });
    assert.equal(mergedBaseline(both), undefined);
  });

  it('is unknown where the sessions know different texts', () => {
    const [first, second] = sessions('1\ntwo\nthree\nfour\nfive\n', '1\ntwo\nthree\n4\nfive\n');
    second!.edit([{ start: 0, end: 0, text: 'zero\n' }], { type: 'user' });
    assert.equal(mergedBaseline([first!, second!]), undefined);
    assert.equal(mergedBaseline([]), undefined);
  });
});
