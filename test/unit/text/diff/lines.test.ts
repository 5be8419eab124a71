import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineCounts } from '../../../../src/core/fileChanges/lineCounts';
import type { LineEnds } from '../../../../src/core/fileChanges/textLines';
import { diffLines, diffTexts, LINE_EDITS, type LineChange, linesOf } from '../../../../src/text/diff/lines';
import { diffOf } from '../../../../webview/transcript/diff/hunks';

const LINES = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd e'), { maxLength: 25 });

describe('the line diff', () => {
  it('transforms one text into the other, with the fewest lines', () => {
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
        // The count of a turn's changes, and the count of the displayed diff.
        assert.equal(lineCounts(oldText!, newText!, { units: 1e6, steps: 1e6 })?.added, added);
        assert.equal(diffOf(oldText!, newText!).added, added);
      }),
    );
  });

  it('is coarse beyond its limit, but still correct', () => {
    const before = Array.from({ length: 4000 }, (_, index) => `line ${index % 50}`);
    const after = Array.from({ length: 4000 }, (_, index) => `line ${(index * 7) % 50}`);
    const started = performance.now();
    const [first, ...more] = diffLines(before, after, 100);
    assert.deepEqual([first?.oldEnd, first?.newEnd, more.length], [4000, 4000, 0]);
    assert.ok(performance.now() - started < 2000);
  });

  it('splits a text into lines', () => {
    assert.deepEqual(['', 'a', 'a\n', 'a\r\nb', 'a\n\n'].map(linesOf), [[], ['a'], ['a'], ['a', 'b'], ['a', '']]);
  });

  it('gives the same line numbers for whole texts as for lists of lines', () => {
    const TEXT = fc
      .array(fc.constantFrom('a\n', 'b\n', 'a\r\n', '\n', '\r\n', 'a', '\r'), { maxLength: 20 })
      .map((parts) => parts.join(''));
    const split = (text: string, ends: LineEnds): string[] => {
      const lines = text.split(/(?<=\n)/).filter((line) => line !== '');
      return lines.map((line) => (ends === 'exact' ? line : line.replace(/\r?\n$/, ends === 'unified' ? '\n' : '')));
    };
    for (const ends of ['exact', 'unified', 'ignored'] as const) {
      fc.assert(
        fc.property(TEXT, TEXT, (before, after) => {
          const [old, now] = [split(before, ends), split(after, ends)];
          const changed = (changes: readonly LineChange[]): number[] => [
            changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
            changes.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
          ];
          const { changes } = diffTexts(before, after, ends)!;
          assert.deepEqual(changed(changes), changed(diffLines(old, now, LINE_EDITS.merged)));
          const result = [...old];
          changes.toReversed().forEach(({ oldStart, oldEnd, newStart, newEnd }) => {
            result.splice(oldStart, oldEnd - oldStart, ...now.slice(newStart, newEnd));
          });
          assert.deepEqual(result, now);
        }),
      );
    }
  });

  it('refuses texts with too many lines, not counting their common beginning and end', () => {
    const same = 'same\n'.repeat(1000);
    assert.equal(diffTexts(`${same}old\n${same}`, `${same}new\n${same}`, 'exact', 2)?.changes.length, 1);
    assert.equal(diffTexts(`${same}old\n\n${same}`, `${same}new\n${same}`, 'exact', 2), undefined);
  });

  for (const [what, before, after] of [
    ['no common line', (index: number) => `old ${index}\n`, (index: number) => `new ${index}\n`],
    ['the same lines in reverse', (index: number) => `${index}\n`, (index: number) => `${19_000 - index}\n`],
    ['two lines repeated', (index: number) => `${(index * 7919) % 2}\n`, (index: number) => `${(index >> 3) % 2}\n`],
    ['one line repeated', (index: number) => (index % 100 === 0 ? 'x\n' : '\n'), (index: number) => (index % 100 === 50 ? 'x\n' : '\n')],
  ] as const) {
    it(`takes a few steps per line for texts of ${what}`, () => {
      const text = (line: (index: number) => string): string => Array.from({ length: 19_000 }, (_, index) => line(index)).join('');
      const [old, now] = [text(before), text(after)];
      const started = performance.now();
      assert.ok(diffTexts(old, now, 'exact')!.changes.length > 0);
      assert.ok(performance.now() - started < 1000);
    });
  }
});
