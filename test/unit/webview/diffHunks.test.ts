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
});
