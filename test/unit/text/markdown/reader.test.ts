import assert from 'node:assert/strict';
import { PlainReader } from '../../../../src/text/markdown/plainReader';
import { markdownLexer } from '../../../../src/text/markdown/parse/mathLexer';
import { plainText } from '../../../../src/text/markdown/reader';
import { randomOf } from '../../../bench/markdownFuzz';
import { markdownText } from '../../../bench/markdownText';
import { markdownTexts } from '../../../support/markdownTexts';

function plain(markdown: string, reader = new PlainReader()): string {
  const run = reader.update(markdown);
  let step = run.next();
  while (!step.done) {
    step = run.next();
  }
  return step.value;
}

describe('markdown as plain text', () => {
  const read = (markdown: string) => plain(markdown).replace(/\n+/g, '\n').trim();

  it('omits the syntax of markdown, but nothing in code', () => {
    assert.equal(
      read('# Title\n\n- **bold** and *thin* and __this__ and ~~that~~\n- [x] a [link](https://x.y/(z) "t") `a*b*c`'),
      'Title\nbold and thin and this and that\na link a*b*c',
    );
    assert.equal(read('```ts\nconst **a** = `b`;\n```\n> said \\*so\\*'), 'const **a** = `b`;\nsaid *so*');
    assert.equal(read('It is \\$5 or \\$6, \\\\(not math\\\\), \\`no *code*\\`.'), 'It is $5 or $6, \\(not math\\), `no code`.');
    assert.equal(read('~~~\n```\n*x*\n~~~\n*y*'), '```\n*x*\ny');
    assert.equal(
      read('Let $a_1 * b_2 * c$ and \\(x_*^*y\\) be *so*.\n\n$$\na_1\n- b_2\n$$\n- \\[ x_i \\]'),
      'Let $a_1 * b_2 * c$ and \\(x_*^*y\\) be so.\n$$\na_1\n- b_2\n$$\n\\[ x_i \\]',
    );
    assert.equal(
      read('A [text][Ref One] and [ref one], not [other] or a[1].\n\n[ref  one]: https://x.y "t"\nEnd.'),
      'A text and ref one, not [other] or a[1].\nEnd.',
    );
    assert.equal(read('Title\n===\n\nTwo\n---\n\n* * *\n\na &amp; b &lt;c&gt; &#8212; &times; &nope;'), 'Title\nTwo\na & b <c> — × &nope;');
    assert.equal(read('[x](<a b>) ~gone~ and ~5 to ~6 a\\\nb\n\n| a | b |\n|:--|--:|\n| 1 | 2 |'), 'x gone and ~5 to ~6 a\nb\na\nb\n1\n2');
    assert.equal(read('snake_case_name and *.ts and 2 * 3 * 4'), 'snake_case_name and *.ts and 2 * 3 * 4');
  });

  it('shows characters that reorder or control text, and omits link targets', () => {
    assert.equal(read('a\u202eb ![named](https://x.y/z.png) ![](z.png) ![shown](data:image/png;base64,AAAA)'), 'a⟨U+202E⟩b named');
    assert.equal(read('[//]: # (a comment)\n\n[ref]: https://x.y\n\n<b>bold</b>'), '[//]: # (a comment)\n<b>bold</b>');
  });

  const whole = (markdown: string) => plainText(markdownLexer(markdown).lex(markdown.replace(/\r\n?/g, '\n')));
  const texts = markdownTexts(300, 7);

  it('equals that of the whole text, however it grew', function () {
    this.timeout(60_000);
    const random = randomOf(1);
    for (const text of texts) {
      const reader = new PlainReader();
      for (let end = 0; end < text.length; end += Math.ceil(random() * 400)) {
        plain(text.slice(0, end), reader);
      }
      assert.equal(plain(text, reader), whole(text), JSON.stringify(text));
    }
  });

  it('equals that of the whole text in portions, wherever its links are defined', function () {
    this.timeout(60_000);
    const definitions = '\n\n[ref]: https://x.y\n\n[ref]: https://other\n\n[//]: # (a comment)\n\n';
    const long = `${markdownText(50_000)}\n\n[one][ref] and [two] and [ref]\n\n`;
    for (const text of [
      long + long + definitions,
      definitions + long + long,
      `${long}${definitions}[two]: https://two\n\n${long}[two]: javascript:x\n`,
      `${long}\`\`\`\n${'code [ref]\n'.repeat(20_000)}\`\`\`\n${definitions}`,
      `- item [ref]\n`.repeat(10_000) + definitions,
    ]) {
      assert.ok(plain(text) === whole(text), `a text of ${text.length}`);
      const spent = [...new PlainReader().update(text)];
      assert.ok(Math.max(...spent) <= 64 * 1024, `at once ${Math.max(...spent)}`);
    }
  });

  it('takes time only for the added text', () => {
    const text = markdownText(200_000);
    const reader = new PlainReader();
    plain(text, reader);
    assert.ok([...reader.update(`${text} And more.`)].reduce((sum, spent) => sum + spent, 0) < 100);
  });
});
