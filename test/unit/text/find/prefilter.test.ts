import assert from 'node:assert/strict';
import { findPattern } from '../../../../src/text/find/pattern';
import { prefilterOf } from '../../../../src/text/find/prefilter';
import { markdownLexer } from '../../../../src/text/markdown/parse/mathLexer';
import { plainText } from '../../../../src/text/markdown/reader';
import { randomOf } from '../../../bench/markdownFuzz';
import { markdownTexts } from '../../../support/markdownTexts';

const queryOf = (text: string, caseSensitive = false) => ({ text, caseSensitive, wholeWord: false });

describe('the check whether Markdown may contain a text', () => {
  const mayBeIn = (markdown: string, text: string, caseSensitive = false) => prefilterOf(queryOf(text, caseSensitive))(markdown);

  it('is positive when syntax separates characters that are displayed together', () => {
    for (const [markdown, text] of [
      ['a nee**dle**', 'needle'],
      ['[nee](https://x.y)dle', 'needle'],
      ['nee[d][ref]le', 'needle'],
      ['&#110;eedle', 'needle'],
      ['a **needle** in\n> hay', 'needle in hay'],
      ['a\u202eb', '202E'],
      ['2 \\* 3', '2 * 3'],
      ['`a`  b', 'a b'],
      ['NEEDLE', 'needle'],
    ] as const) {
      assert.equal(mayBeIn(markdown, text), true, markdown);
    }
  });

  it('is negative when a word is missing', () => {
    assert.equal(mayBeIn('A text of words, with **some** signs.', 'needle'), false);
    assert.equal(mayBeIn('A text of words, with **some** signs.', 'words absent'), false);
    assert.equal(mayBeIn('words of a text', 'text words'), false);
    assert.equal(mayBeIn('NEEDLE', 'needle', true), false);
  });

  it('is never negative for a text that is there', function () {
    this.timeout(60_000);
    const random = randomOf(3);
    let denied = 0;
    const texts = markdownTexts(400, 11);
    const plain = texts.map((text) => plainText(markdownLexer(text).lex(text)));
    plain.forEach((shown, index) => {
      for (let round = 0; round < 12; round++) {
        const from = round < 9 ? shown : plain[(index + round) % plain.length]!;
        const at = Math.floor(random() * from.length);
        const query = queryOf(from.slice(at, at + 1 + Math.floor(random() * (round % 3 === 0 ? 40 : 8))).toWellFormed(), round % 2 === 0);
        const pattern = findPattern(query);
        if (!pattern) {
          continue;
        }
        if (prefilterOf(query)(texts[index]!)) {
          continue;
        }
        denied++;
        assert.equal(pattern.test(shown), false, `${JSON.stringify(query.text)} in ${JSON.stringify(texts[index])}`);
      }
    });
    assert.ok(denied > 100, `${denied} were denied`);
  });
});
