import assert from 'node:assert/strict';
import { diffOf } from '../../../webview/transcript/diffHunks';

const linesOf = (oldText: string, newText: string) =>
  diffOf(oldText, newText)!.hunks.flatMap(({ lines }) => lines.map(({ sign, oldLine, newLine }) => [sign, oldLine, newLine]));

describe('hunks', () => {
  it('number the lines of a whole file', () => {
    assert.deepEqual(linesOf('a\nb\n', 'a\nc\n'), [
      [' ', 1, 1],
      ['-', 2, undefined],
      ['+', undefined, 2],
    ]);
    assert.deepEqual(linesOf('', 'a\n'), [['+', undefined, 1]]);
  });

  it('number nothing when the text is a passage of a file', () => {
    assert.deepEqual(linesOf('return a - b;', 'return a + b;'), [
      ['-', undefined, undefined],
      ['+', undefined, undefined],
    ]);
  });

  it('know where each line stands in the text it comes from', () => {
    const oldText = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    const newText = oldText.replace('line 4\n', '').replace('line 20', 'line 20\nnew').replace('line 25', 'line TWENTY-FIVE');
    for (const [before, after] of [
      [oldText, newText],
      [`${oldText}\r\n`, newText],
      ['', newText],
      [oldText, ''],
    ] as const) {
      const lines = diffOf(before, after)!.hunks.flatMap((hunk) => hunk.lines);
      assert.ok(lines.length > 5);
      const [old, now] = [before.split(/\r?\n/), after.split('\n')];
      for (const { sign, index, parts } of lines) assert.equal(parts.map(({ text }) => text).join(''), (sign === '-' ? old : now)[index]);
    }
  });
});
