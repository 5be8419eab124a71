import assert from 'node:assert/strict';
import type { Tokens } from 'marked';
import { markdownLexer } from '../../../../../src/text/markdown/parse/mathLexer';

function rows(text: string): string[][] {
  const [table] = markdownLexer(text).lex(text);
  assert.equal(table?.type, 'table');
  return (table as Tokens.Table).rows.map((row) => row.map((cell) => cell.tokens.map((token) => token.raw).join('')));
}

describe('tables', () => {
  it('keep the cells of a row beyond the columns of the header', () => {
    assert.deepEqual(rows('| a | b |\n|---|---|\n| 1 | 2 | 3 | **4** |\n| 5 |\nlazy\n'), [
      ['1', '2', '3', '**4**'],
      ['5', ''],
      ['lazy', ''],
    ]);
    assert.deepEqual(rows('| a |\n|---|\n| `x | y` | \\| z |\n'), [['`x', 'y`', '| z']]);
    assert.deepEqual(rows('a | b\n-|-\n1 | 2 | $x$'), [['1', '2', '$x$']]);
  });

  it('are unchanged when the rows fit', () => {
    assert.deepEqual(rows('|a|b|\n|-|:-:|\n|1|2|\n||3|\n|\\||4|\n'), [
      ['1', '2'],
      ['', '3'],
      ['|', '4'],
    ]);
  });
});
