/** A unified diff describes how one text becomes the other: `patch` applies it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linesOf } from '../../../../src/text/diff/lines';
import { MAX_UNIFIED_DIFF, unifiedDiff } from '../../../../src/text/diff/unified';

/** Applies the diff like `patch`. Throws when the diff does not fit. */
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
  it('has three lines around a change, and one hunk for nearby changes', () => {
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

  it('transforms one text into the other, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '@@', '-x', '+y'), { maxLength: 40 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => assert.deepEqual(applied(linesOf(before), unifiedDiff(before, after)), linesOf(after))),
      {
        numRuns: 500,
      },
    );
  });
});

describe('a unified diff of large texts', () => {
  const text = (name: string): string => Array.from({ length: 200_000 }, (_, index) => `${name} ${index}\n`).join('');

  it('ends early when its reader stops', () => {
    const diff = unifiedDiff(text('old'), text('new'));
    assert.ok(diff.startsWith('@@ -1,200000 +1,200000 @@\n-old 0\n'));
    assert.ok(diff.length > MAX_UNIFIED_DIFF && diff.length < MAX_UNIFIED_DIFF + 100);
  });

  it('contains only the change when few lines changed', () => {
    const before = text('old');
    assert.equal(
      unifiedDiff(before, before.replace('old 5\n', 'new\n')),
      '@@ -3,7 +3,7 @@\n old 2\n old 3\n old 4\n-old 5\n+new\n old 6\n old 7\n old 8',
    );
  });
});
