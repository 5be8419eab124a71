/** A unified diff says how one text becomes the other: `patch` makes it so. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linesOf } from '../../../../src/text/diff/lines';
import { unifiedDiff } from '../../../../src/text/diff/unified';

/** As `patch` does it; throws where the diff does not fit. */
function applied(before: readonly string[], diff: string): string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff === '' ? [] : diff.split('\n')) {
    const head = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line);
    if (head) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      result.push(...before.slice(at, start));
      at = start;
      assert.equal(result.length, Number(head[3]) - (head[4] === '0' ? 0 : 1));
    } else if (line.startsWith('+')) {
      result.push(line.slice(1));
    } else {
      assert.equal(before[at++], line.slice(1));
      result.push(...(line.startsWith(' ') ? [line.slice(1)] : []));
    }
  }
  return [...result, ...before.slice(at)];
}

describe('a unified diff', () => {
  it('has three lines around a change, and one hunk for changes that are near each other', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\n';
    assert.equal(
      unifiedDiff(before, before.replace('d\n', 'D\n').replace('h\n', '').replace('o\n', 'o\np\n')),
      [
        '@@ -1,11 +1,10 @@',
        ' a',
        ' b',
        ' c',
        '-d',
        '+D',
        ' e',
        ' f',
        ' g',
        '-h',
        ' i',
        ' j',
        ' k',
        '@@ -13,3 +12,4 @@',
        ' m',
        ' n',
        ' o',
        '+p',
      ].join('\n'),
    );
    assert.equal(unifiedDiff('', 'a\n'), '@@ -0,0 +1,1 @@\n+a');
    assert.equal(unifiedDiff('a\r\n', 'a\n'), '');
  });

  it('makes the one text of the other, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '@@', '-x', '+y'), { maxLength: 40 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => assert.deepEqual(applied(linesOf(before), unifiedDiff(before, after)), linesOf(after))),
      {
        numRuns: 500,
      },
    );
  });
});
