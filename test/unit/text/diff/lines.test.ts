import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { lineCounts } from '../../../../src/core/fileChanges/lineCounts';
import { diffLines, LINE_EDITS, linesOf } from '../../../../src/text/diff/lines';
import { diffOf } from '../../../../webview/transcript/diff/hunks';

const LINES = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd e'), { maxLength: 25 });

describe('the line diff', () => {
  it('turns the one into the other, with the fewest lines', () => {
    fc.assert(
      fc.property(LINES, LINES, (before, after) => {
        const result: string[] = [];
        let at = 0;
        const changes = diffLines(before, after, LINE_EDITS.merged);
        for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
          assert.ok(oldStart > at || at === 0, 'no two changes touch');
          result.push(...before.slice(at, oldStart), ...after.slice(newStart, newEnd));
          at = oldEnd;
        }
        assert.deepEqual([...result, ...before.slice(at)], after);
        const added = changes.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0);
        const [oldText, newText] = [before, after].map((lines) => lines.map((line) => `${line}\n`).join(''));
        // What a turn says that it changed, and what the difference says that is shown.
        assert.equal(lineCounts(oldText!, newText!, { units: 1e6, steps: 1e6 })?.added, added);
        assert.equal(diffOf(oldText!, newText!).added, added);
      }),
    );
  });

  it('is coarse beyond its limit, and still right', () => {
    const before = Array.from({ length: 4000 }, (_, index) => `line ${index % 50}`);
    const after = Array.from({ length: 4000 }, (_, index) => `line ${(index * 7) % 50}`);
    const started = performance.now();
    const [first, ...more] = diffLines(before, after, 100);
    assert.deepEqual([first?.oldEnd, first?.newEnd, more.length], [4000, 4000, 0]);
    assert.ok(performance.now() - started < 2000);
  });

  it('knows the lines of a text', () => {
    assert.deepEqual(['', 'a', 'a\n', 'a\r\nb', 'a\n\n'].map(linesOf), [[], ['a'], ['a'], ['a', 'b'], ['a', '']]);
  });

  it('is the only one over the library', () => {
    const root = path.resolve(__dirname, '../../../..');
    const users = ['src', 'webview'].flatMap((top) =>
      readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
        .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
        .filter((name) => /\.tsx?$/.test(name) && /from 'diff'|import\('diff'\)/.test(readFileSync(path.join(root, name), 'utf8'))),
    );
    assert.deepEqual(users, ['src/text/diff/sequences.ts']);
  });
});
