import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SpokenText } from '../../../../webview/announcer/spokenText';

describe('the spoken text of a growing message', function () {
  this.timeout(20_000); // A property test is many runs, and other work may share the machine.

  it('consists of finished sentences and lines', () => {
    for (const [text, finished] of [
      ['One. Two', 'One.'],
      ['Version 1.2 of a.ts is', ''],
      ['“Really?” she', '“Really?”'],
      ['完了。 次', '完了。'],
      ['完了。次の「文。」は', '完了。次の「文。」'],
      ['For e.g. this', ''],
      ['See Dr. Smith, vs. J. R. Jones', ''],
      ['1. One', ''],
      ['By Acme Inc. and others, etc. in Jan. 2026', ''],
      ['| a. | b |\n| c', ''],
      ['| a. | b |\n|---|---|\n| c. | d |\n| e', ''],
      ['$$\na. b\n', ''],
      ['$$a$$\n\nb', 'Formula.'],
      ['- x\n    ```\n    a. b\n', 'x'],
      ['````\n```\na. b\n```\n', ''],
      ['# Title\n\nText', 'Title.'],
      ['# Title\n\n', 'Title.'],
      ['```\na. b. c\n', ''],
      ['```js\r\na. b\r\n', ''],
      ['```\na. b\n```\nMore', 'Code block.'],
      ['The end. ', 'The end.'],
      ['The end.', ''],
      ['[ref]: https://x.y "a. b"\n\nText', ''],
    ] as const) {
      assert.equal(new SpokenText().hear(text, false), finished, text);
    }
  });

  it('contains the visible text without its syntax, and names code and formulas', () => {
    for (const [text, words] of [
      ['## A [link](https://x.y) and `code`\n- *item*', 'A link and code. item.'],
      ['Run:\r\n```sh\r\nls -la\r\n```\r\n- a\r\n- b\r\n', 'Run: Code block. a. b.'],
      [
        'Title\n=====\nSteps:\n\n- one\n- two!\n  1. *three*\n- [ ] four\n\nTwo\n---\n[a][b] &amp; c',
        'Title. Steps: one. two! three. four. Two. a & c',
      ],
      ['See [the docs][d] now.\n\n[d]: https://x.y', 'See the docs now.'],
      ['1. First.\n\n    More of it.\n\n2. Second', 'First. More of it. Second.'],
      ['> said *so*\n> and so\n\n![a chart](data:image/png;base64,AAAA) and $x$', 'said so and so a chart and $x$'],
      ['| File | Lines |\n|:--|--:|\n| a.ts |  |\n| | 3 |', 'File, Lines. a.ts. 3.'],
    ] as const) {
      assert.equal(new SpokenText().hear(text, true), words, text);
    }
  });

  it('repeats and omits nothing when syntax is completed later', () => {
    const spoken = new SpokenText();
    assert.equal(spoken.hear('The **first. Sec', false), 'The first.');
    assert.equal(spoken.hear('The **first. Second** one', false), '');
    assert.equal(spoken.hear('The **first. Second** one. See [A. ', false), 'Second one.');
    assert.equal(spoken.hear('The **first. Second** one. See [that. Then](https://x.y)', true), 'See that. Then');
  });

  it('starts after the skipped text', () => {
    const spoken = new SpokenText();
    spoken.skip('History. And some');
    assert.equal(spoken.hear('History. And something. ', false), 'thing.');
  });

  it('is the same as for the whole text, however it was cut', () => {
    const piece = fc.constantFrom(
      'One. ',
      'Two! ',
      '*three* ',
      '**four. five** ',
      '\n\n',
      '\n',
      '- item ',
      '# title',
      '| a | b |\n|---|---|\n| c. | d |\n\n',
      '```\nx. y.\n```\n',
      '`code` ',
      '完了。',
      '> ',
      '$$\nx\n$$\n\n',
      '[a](b. c) ',
      'word ',
    );
    const letters = (text: string) => (text.match(/[\p{L}\p{N}]/gu) ?? []).join('');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(200), { maxLength: 12 }), (pieces, cuts) => {
        const text = pieces.join('');
        const spoken = new SpokenText();
        const said = [...cuts].sort((a, b) => a - b).map((cut) => spoken.hear(text.slice(0, cut), false));
        said.push(spoken.hear(text, true));
        assert.equal(letters(said.join('')), letters(new SpokenText().hear(text, true)));
      }),
      { numRuns: 300 },
    );
  });
});
