import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Token } from 'marked';
import { BlockLexer } from '../../../../../src/text/markdown/parse/blocks';
import { type MathToken, markdownLexer } from '../../../../../src/text/markdown/parse/mathLexer';

/** The visible parts of blocks. The lexer may assign trailing line breaks to any block. */
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
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    lexer.update(text.slice(0, cut));
  }
  lexer.update(text, true);
  return [...lexer.closed, ...lexer.open];
}

const full = (text: string) => markdownLexer(text).lex(text);

const PIECES = [
  'A paragraph of words',
  '*em* and **strong** `code`',
  '# Heading',
  '## Two',
  'Setext',
  '===',
  '---',
  '- item',
  '  - nested',
  '1. one',
  '2) two',
  '- [ ] task',
  '- [x] done',
  '> quote',
  '> - in quote',
  '> [ref]: /quoted',
  '- [ref]: /listed',
  '```',
  '```ts',
  '````',
  '~~~',
  'let a = 1;',
  '    indented',
  '| a | b |',
  '|---|:-:|',
  '| 1 | 2 |',
  '<div>',
  '</div>',
  '<!-- c',
  '-->',
  '[ref]',
  '[ref]: https://example.com',
  '[ref]: https://other.example "t"',
  '[Other Ref][]',
  '[other ref]: /x',
  '![i](data:image/png;base64,AA==)',
  '***',
  'lazy',
  '  two spaces',
  '\\',
  '&amp; &lt;',
  '|',
  '<script>',
  '</script>',
  '\t tab',
  'http://auto.example',
  'www.auto.example',
  '<a b>',
  '</a>',
  '<pre>',
  '<details>',
  '<details open>',
  '<summary>S</summary>',
  '</details>',
  '<kbd>K</kbd> x<br>y',
  'a<sup>b',
  'c</sup>',
  'said[^1]',
  '[^1]: a note',
  '[^2]: other',
];

const MATH = [
  '$$',
  '$$',
  '\\[',
  '\\]',
  '$$x$$',
  '$$ a_b',
  '+ c $$',
  '$$ x',
  'then $$y$$ and',
  '\\[ x = 1',
  '\\]',
  '\\[\\begin{aligned}',
  'costs $5 and $10',
  'an $x_1$ and *a $b*c$*',
  '\\(a*b\\) *c*',
  '  $$',
  '> $$',
  '- $$',
  '=',
  '```math',
  '\\$',
  '$',
];

describe('blocks of a text that grows', function () {
  this.timeout(30_000); // A property test is many runs, and other work may share the machine.

  it('equal those of the whole text, however it was cut', () => {
    const text = fc
      .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('\n', '\n', '\n\n', '\n\n\n', '')), { minLength: 1, maxLength: 24 })
      .map((pairs) => pairs.map(([piece, end]) => piece + end).join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 400 }), { maxLength: 30 }), (whole, cuts) => {
        assert.deepEqual(
          essence(
            incremental(
              whole,
              cuts.map((cut) => Math.min(cut, whole.length)),
            ),
          ),
          essence(full(whole)),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('equal those of the whole text with formulas too', () => {
    const text = fc
      .array(fc.tuple(fc.constantFrom(...PIECES, ...MATH, ...MATH, ...MATH), fc.constantFrom('\n', '\n', '\n\n', '\n\n\n', '')), {
        minLength: 1,
        maxLength: 48,
      })
      .map((pairs) => pairs.map(([piece, end]) => piece + end).join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 600 }), { maxLength: 30 }), (whole, cuts) => {
        assert.deepEqual(
          essence(
            incremental(
              whole,
              cuts.map((cut) => Math.min(cut, whole.length)),
            ),
          ),
          essence(full(whole)),
        );
      }),
      { numRuns: 400 },
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES, ...MATH, ...MATH, ''), { maxLength: 12 }), (lines) => {
        const whole = lines.join('\n');
        assert.deepEqual(
          essence(
            incremental(
              whole,
              [...whole].map((_, index) => index),
            ),
          ),
          essence(full(whole)),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('equal those of the whole text character by character', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES, '', ''), { maxLength: 10 }), (lines) => {
        const whole = lines.join('\n');
        assert.deepEqual(
          essence(
            incremental(
              whole,
              [...whole].map((_, index) => index),
            ),
          ),
          essence(full(whole)),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('have links after an unfinished link in HTML', () => {
    for (const formula of ['', ' $x$']) {
      const text = `an <a b> tag${formula}\n\nwww.x.y\n\n- a <code>\n\n  https://x.y\n`;
      const whole = full(text);
      assert.match(JSON.stringify(whole), /"href":"http:\/\/www\.x\.y".*"href":"https:\/\/x\.y"/);
      assert.deepEqual(
        essence(
          incremental(
            text,
            [...text].map((_, index) => index),
          ),
        ),
        essence(whole),
      );
    }
  });

  it('equal those of the whole text when lists and tables are long', () => {
    const items = [
      '- item',
      '- item',
      '- item',
      '- a `b` **c**',
      '- item\n',
      '- [ ] task',
      '- [x] done',
      '  - nested',
      '    - deeper',
      '  more of it',
      '  more\n',
      'lazy',
      '',
      '- # head',
      '- > quote',
      '- ```',
      '  ```',
      '- | a | b |\n  |---|---|',
      ' - one in',
      '* other',
      '-',
      '---',
      '- [ref]',
      '[ref]: /x',
      '  [ref]: /y',
      '- $$',
      '- <b>',
      '<div>',
      'A paragraph.\n',
      '\n',
    ];
    const numbers = [
      '1. one',
      '2. two',
      '2. two',
      '7. seven',
      '3. three\n',
      '   more',
      '   - nested',
      '1) other',
      '   ```',
      '',
      '4. [ ] task',
      'lazy',
      '10. ten',
    ];
    const rows = [
      '| 1 | 2 |',
      '| 1 | 2 |',
      '| *1* | `2` |',
      '| 1 |',
      '1 | 2 | 3',
      '| | |',
      '| \\| | $x$ |',
      'a row too',
      '',
      '> quote',
      '| a | b |\n|---|:-:|',
      '[ref]: /x',
      '| [ref] | x |',
      '- item',
      '  ',
    ];
    const long = (start: string, pieces: readonly string[], usual: string) =>
      fc
        .array(fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...pieces) }), {
          minLength: 20,
          maxLength: 60,
        })
        .map((lines) => [start, ...lines].join('\n'));
    const text = fc.oneof(
      long('- item', items, '- item'),
      long('Before.\n\n- item\n', items, '- item\n'),
      long('1. one', numbers, '1. one'),
      long('| a | b |\n|---|---|', rows, '| 1 | 2 |'),
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 800 }), { minLength: 5, maxLength: 60 }), (whole, cuts) => {
        assert.deepEqual(
          essence(
            incremental(
              whole,
              cuts.map((cut) => Math.min(cut, whole.length)),
            ),
          ),
          essence(full(whole)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('keep the items of a long list, and the rows of a long table, by identity', () => {
    for (const [head, line] of [
      ['', '- item\n'],
      ['', '1. item\n\n'],
      ['| a |\n|---|\n', '| 1 |\n'],
    ] as const) {
      const lexer = new BlockLexer();
      const parts = () => {
        const block = lexer.open.at(-1) as { items?: Token[]; rows?: object[] };
        return block.items ?? block.rows!;
      };
      lexer.update(head + line.repeat(100));
      const before = parts();
      lexer.update(head + line.repeat(102));
      assert.equal(parts().length, 102);
      assert.ok(
        before.slice(0, 90).every((part, index) => part === parts()[index]),
        line,
      );
    }
  });

  it('keep closed blocks by identity', () => {
    const lexer = new BlockLexer();
    lexer.update('One.\n\nTwo.\n\nThree.\n\nFour');
    const [first] = lexer.closed;
    lexer.update('One.\n\nTwo.\n\nThree.\n\nFour and five.\n\nSix\n\nSeven');
    assert.equal(lexer.closed[0], first);
    assert.ok(lexer.closed.length >= 3);
  });

  it('extend an open fence without reading it again', () => {
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

  it('extend an open formula without reading it again', () => {
    const lexer = new BlockLexer();
    let text = 'Look:\n\n$$\n';
    lexer.update(text);
    for (let line = 0; line < 2000; line++) {
      text += `x_{${line}} +\n`;
      lexer.update(text);
    }
    const open = lexer.open.at(-1) as Token as MathToken;
    assert.deepEqual([open.type, open.open, open.text.split('\n').length], ['math', true, 2002]);
    assert.equal(lexer.open.length, 2);
    lexer.update(text + '1$');
    lexer.update(text + '1$$\n\nafter');
    assert.deepEqual(lexer.open.map(({ type }) => type).slice(-2), ['math', 'paragraph']);
    assert.equal((lexer.open.at(-2) as Token as MathToken).open, false);
  });

  it('start over when the text is replaced', () => {
    const lexer = new BlockLexer();
    lexer.update('# A\n\nb\n\nc\n\nd');
    lexer.update('# Z');
    assert.deepEqual(essence([...lexer.closed, ...lexer.open]), essence(full('# Z')));
  });
});
