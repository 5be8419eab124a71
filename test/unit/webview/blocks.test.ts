import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lexer } from 'marked';
import type { Token } from 'marked';
import { BlockLexer } from '../../../webview/markdown/blocks';

/** What a reader sees of blocks: where one block's trailing line breaks go is the lexer's own affair. */
function essence(tokens: readonly Token[]): unknown {
  return JSON.parse(
    JSON.stringify(
      tokens.filter((token) => token.type !== 'space'),
      (key, value: unknown) => (key === 'raw' ? undefined : value),
    ),
  );
}

function incremental(text: string, cuts: readonly number[]): Token[] {
  const lexer = new BlockLexer();
  for (const cut of [...cuts].sort((a, b) => a - b)) lexer.update(text.slice(0, cut));
  lexer.update(text, true);
  return [...lexer.closed, ...lexer.open];
}

const full = (text: string) => new Lexer({ gfm: true }).lex(text);

const PIECES = [
  'A paragraph of words', '*em* and **strong** `code`', '# Heading', '## Two', 'Setext', '===', '---', '- item', '  - nested', '1. one', '2) two', '- [ ] task',
  '- [x] done', '> quote', '> - in quote', '```', '```ts', '````', '~~~', 'let a = 1;', '    indented', '| a | b |', '|---|:-:|', '| 1 | 2 |', '<div>', '</div>', '<!-- c', '-->',
  '[ref]', '[ref]: https://example.com', '[ref]: https://other.example "t"', '[Other Ref][]', '[other ref]: /x', '![i](data:image/png;base64,AA==)', '***', 'lazy', '  two spaces', '\\', '&amp; &lt;', '|', '<script>', '</script>', '\t tab', 'http://auto.example',
];

describe('blocks of a text that grows', function () {
  this.timeout(30_000); // Many runs, and other work may share the machine.

  it('equal one lex of the whole text, however it was cut', () => {
    const text = fc.array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('\n', '\n', '\n\n', '\n\n\n', '')), { minLength: 1, maxLength: 24 }).map((pairs) => pairs.map(([piece, end]) => piece + end).join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 400 }), { maxLength: 30 }), (whole, cuts) => {
        assert.deepEqual(essence(incremental(whole, cuts.map((cut) => Math.min(cut, whole.length)))), essence(full(whole)));
      }),
      { numRuns: 400 },
    );
  });

  it('equal it character by character', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES, '', ''), { maxLength: 10 }), (lines) => {
        const whole = lines.join('\n');
        assert.deepEqual(essence(incremental(whole, [...whole].map((_, index) => index))), essence(full(whole)));
      }),
      { numRuns: 150 },
    );
  });

  it('keep closed blocks by identity', () => {
    const lexer = new BlockLexer();
    lexer.update('One.\n\nTwo.\n\nThree.\n\nFour');
    const [first] = lexer.closed;
    lexer.update('One.\n\nTwo.\n\nThree.\n\nFour and five.\n\nSix\n\nSeven');
    assert.equal(lexer.closed[0], first);
    assert.ok(lexer.closed.length >= 3);
  });

  it('grow an open fence without reading it again', () => {
    const lexer = new BlockLexer();
    let text = 'Look:\n\n```js\n';
    lexer.update(text);
    for (let line = 0; line < 2000; line++) {
      text += `line ${line}\n`;
      lexer.update(text);
    }
    assert.equal((lexer.open.at(-1) as { text: string }).text.split('\n').length, 2000);
    lexer.update(text + '```\n\nafter');
    assert.equal((lexer.open.at(-1) as { text: string }).text, 'after');
  });

  it('start over when the text is another one', () => {
    const lexer = new BlockLexer();
    lexer.update('# A\n\nb\n\nc\n\nd');
    lexer.update('# Z');
    assert.deepEqual(essence([...lexer.closed, ...lexer.open]), essence(full('# Z')));
  });
});
