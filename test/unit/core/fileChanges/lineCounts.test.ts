import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineCounts } from '../../../../src/core/fileChanges/lineCounts';
import { diffOf } from '../../../../webview/transcript/diff/hunks';

const plenty = () => ({ units: 1e7, steps: 1e7 });

describe('line counts', () => {
  for (const [before, after, added, removed] of [
    ['', '', 0, 0],
    ['', 'a\n', 1, 0],
    ['a\n', '', 0, 1],
    ['a\nb\nc\n', 'a\nB\nc\n', 1, 1],
    ['a\nb\nc\n', 'a\nc\n', 0, 1],
    ['a', 'a\n', 0, 0],
    ['a\nb', 'a\nc\n', 1, 1],
    ['', '\n', 1, 0],
    ['a\r\nb\r\n', 'a\nb\n', 0, 0],
    ['a\nb\na\nb\n', 'b\na\n', 0, 2],
  ] as const) {
    it(`${JSON.stringify(before)} to ${JSON.stringify(after)} is +${added} −${removed}`, () =>
      assert.deepEqual(lineCounts(before, after, plenty()), { added, removed }));
  }

  it('equal those of the diff that is shown', () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 }), fc.boolean())
      .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { added, removed } = diffOf(before, after);
        assert.deepEqual(lineCounts(before, after, plenty()), { added, removed });
      }),
      { numRuns: 500 },
    );
  });

  it('are omitted beyond their budget, and reduce it', () => {
    const budget = { units: 10, steps: 1000 };
    assert.deepEqual(lineCounts('a\n', 'b\n', budget), { added: 1, removed: 1 });
    assert.equal(budget.units, 6);
    assert.equal(lineCounts('aaaa\n', 'bbbb\n', budget), undefined);
    const long = Array.from({ length: 4000 }, (_, index) => `${(index * 7919) % 4001}\n`);
    assert.equal(lineCounts(long.join(''), long.reverse().join(''), { units: 1e7, steps: 100_000 }), undefined);
  });

  it('are computed quickly after a rewrite of any length', () => {
    const text = (name: string): string => Array.from({ length: 100_000 }, (_, index) => `${name} ${index}\n`).join('');
    assert.deepEqual(lineCounts(text('old'), text('new'), { units: 1e7, steps: 10 }), { added: 100_000, removed: 100_000 });
  });
});
