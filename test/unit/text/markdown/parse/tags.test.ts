import assert from 'node:assert/strict';
import type { Token } from 'marked';
import { BlockLexer } from '../../../../../src/text/markdown/parse/blocks';
import { markdownLexer } from '../../../../../src/text/markdown/parse/mathLexer';
import { plainText } from '../../../../../src/text/markdown/reader';

/** The tokens as a short text: elements in square brackets, text as it is. */
function shape(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => {
      const { type, raw } = token;
      const inside = (): string => shape((token as { tokens?: Token[] }).tokens);
      switch (type) {
        case 'tag':
          return `[${(token as unknown as { tag: string }).tag}:${inside()}]`;
        case 'details': {
          const { open, summary } = token as unknown as { open: boolean; summary?: Token[] };
          return `[details${open ? ' open' : ''}|${shape(summary)}|${inside()}]`;
        }
        case 'br':
          return '[br]';
        case 'note':
          return `[note ${(token as unknown as { text: string }).text}]`;
        case 'def':
          return 'note' in token ? `[definition ${String(token.note)}:${inside()}]` : '';
        case 'space':
          return '';
        case 'paragraph':
        case 'list':
          return `${inside() || raw.trim()};`;
        case 'strong':
        case 'link':
          return `[${type}:${inside()}]`;
        default:
          return raw;
      }
    })
    .join('');
}

const lexed = (text: string) => shape(markdownLexer(text).lex(text));
const depthOf = (tokens: readonly Token[]): number =>
  1 +
  tokens.reduce((most, token) => {
    const { tokens: inside } = token as { tokens?: Token[] };
    return Math.max(most, inside ? depthOf(inside) : 0);
  }, 0);

describe('inline tags', () => {
  it('are elements when both halves exist', () => {
    assert.equal(lexed('Press <kbd>Ctrl</kbd>+<kbd>**C**</kbd>'), 'Press [kbd:Ctrl]+[kbd:[strong:C]];'.replace('[strong:C]', '[strong:C]'));
    assert.equal(lexed('H<sub>2</sub>O, x<SUP>2</SUP>'), 'H[sub:2]O, x[sup:2];');
    assert.equal(lexed('<kbd>A</kbd> at the start'), '[kbd:A] at the start;');
    assert.equal(lexed('**x<sup>2</sup>**'), '[strong:x[sup:2]];');
    assert.equal(lexed('a<sup>b<sub>c</sub></sup>'), 'a[sup:b[sub:c]];');
  });

  it('are line breaks for br, also in cells and alone on a line', () => {
    assert.equal(lexed('a<br>b<br/>c<br />d<BR>'), 'a[br]b[br]c[br]d[br];');
    assert.equal(lexed('<br>\n\nb'), '[br];b;');
    const table = markdownLexer('').lex('| a |\n|---|\n| b<br>c |')[0] as unknown as { rows: { tokens: Token[] }[][] };
    assert.equal(shape(table.rows[0]![0]!.tokens), 'b[br]c');
  });

  it('are text without their other half, with attributes, and for other names', () => {
    for (const text of [
      'a <kbd>b',
      'a</kbd> b',
      '<kbd class="x">a</kbd>',
      'x <sup onclick="alert(1)">2</sup>',
      'a<br onload=x>b',
      '<b>bold</b> text',
      'x <img src=x onerror=alert(1)> y',
      'a <sup/> b',
      'x <details>y</details>',
    ]) {
      assert.equal(lexed(text), `${text};`);
    }
    assert.equal(lexed('a <kbd>b <sup>c</kbd> d</sup>'), 'a [kbd:b <sup>c] d</sup>;');
  });

  it('are nested up to a limit, in linear time', () => {
    const started = performance.now();
    const tokens = markdownLexer('').lex(`a${'<kbd>'.repeat(3000)}b${'</kbd>'.repeat(3000)}`);
    assert.ok(depthOf(tokens) < 20, String(depthOf(tokens)));
    assert.ok(performance.now() - started < 3000);
  });
});

describe('details', () => {
  it('contain a summary and blocks', () => {
    assert.equal(
      lexed('<details>\n<summary>More **now**</summary>\n\nText\n\n- item\n\n</details>\n\nAfter'),
      '[details|More [strong:now]|Text;- item;]After;',
    );
    assert.equal(lexed('<details open>\n\nText\n\n</details>'), '[details open||Text;]');
    assert.equal(lexed('<details><summary>S</summary>one line</details>'), '[details|S|one line;]');
    assert.equal(lexed('<DETAILS OPEN=""><SUMMARY>S</SUMMARY>\nx\n</DETAILS>'), '[details open|S|x;]');
  });

  it('can be nested, and end at their own end tag', () => {
    assert.equal(
      lexed('<details>\n<summary>A</summary>\n\n<details>\n<summary>B</summary>\n\nin\n\n</details>\n\nout\n\n</details>\n\nAfter'),
      '[details|A|[details|B|in;]out;]After;',
    );
    assert.equal(lexed('<details>\n\n```html\n</details>\n```\n\nx `</details>` y\n\n</details>\n\nAfter').endsWith(']After;'), true);
  });

  it('stay open without an end tag, so that nothing is hidden', () => {
    assert.equal(lexed('<details>\n<summary>S</summary>\n\nText\n\nMore'), '[details open|S|Text;More;]');
  });

  it('are text with attributes', () => {
    for (const start of ['<details class="x">', '<details open onclick="alert(1)">', '<details ontoggle=alert(1)>', '<details open="x">']) {
      assert.ok(!lexed(`${start}\n\nText\n\n</details>`).includes('[details'), start);
    }
    assert.match(lexed('<details>\n<summary onclick="x">S</summary>\n\nT\n\n</details>'), /^\[details\|\|<summary onclick/);
  });

  it('take limited time and depth, however many are nested or unfinished', () => {
    for (const text of [
      '<details>\n'.repeat(5000),
      '<details>\n\n'.repeat(5000) + '</details>\n\n'.repeat(5000),
      '<details><summary>x</summary>\n\n'.repeat(3000),
      '<details>\n\nx\n\n</details>\n\n'.repeat(3000),
      `<details>${'<summary>'.repeat(5000)}`,
      `<details>\n${'`'.repeat(20_000)}\n</details>`,
    ]) {
      const started = performance.now();
      const tokens = markdownLexer(text).lex(text);
      assert.ok(depthOf(tokens) <= 60, `${depthOf(tokens)} levels`);
      assert.equal(tokens.map(({ raw }) => raw).join(''), text);
      assert.ok(plainText(tokens).length > 0);
      assert.ok(performance.now() - started < 4000, `${text.slice(0, 30)}: ${performance.now() - started} ms`);
    }
  });

  it('are not parsed again for each chunk that arrives', () => {
    const time = (length: number): number => {
      const text = `<details>\n<summary>S</summary>\n\n${'Some words of prose, and **more** of it.\n\n'.repeat(length)}`;
      const lexer = new BlockLexer();
      const started = performance.now();
      for (let end = 0; end < text.length; end += 40) {
        lexer.update(text.slice(0, end));
      }
      lexer.update(text, true);
      return performance.now() - started;
    };
    time(200);
    const [short, long] = [time(250), time(2000)];
    // The text is eight times as long. Quadratic time would be 64 times as long.
    assert.ok(long < 24 * short + 200, `${short} ms, then ${long} ms`);
  });
});

describe('footnotes', () => {
  it('are notes and references to them', () => {
    assert.equal(
      lexed('A claim[^1] and[^note].\n\n[^1]: See *docs*,\n  page 2.\n[^note]: https://x.y'),
      'A claim[note 1] and[note note].;[definition 1:See *docs*,\npage 2.][definition note:[link:https://x.y]]'.replace('*docs*', '*docs*'),
    );
  });

  it('leave references without a note unchanged', () => {
    assert.equal(lexed('Use [^a-z] and [^1] here.'), 'Use [^a-z] and [^1] here.;');
    assert.equal(lexed('`[^1]`\n\n[^1]: note').startsWith('`[^1]`;'), true);
  });

  it('lose nothing of a second note with the same label', () => {
    const text = 'x[^1]\n\n[^1]: one\n\n[^1]: two\n';
    assert.match(plainText(markdownLexer(text).lex(text)), /two/);
  });

  it('are recognized by a text that was closed before they arrived', () => {
    const lexer = new BlockLexer();
    const text = `A claim[^1].\n\n${'Words.\n\n'.repeat(50)}[^1]: The note.\n\nEnd.\n\nEnd.\n\n`;
    for (let end = 0; end < text.length; end += 25) {
      lexer.update(text.slice(0, end));
    }
    lexer.update(text, true);
    assert.equal(shape([...lexer.closed, ...lexer.open]), lexed(text));
    assert.match(plainText([...lexer.closed, ...lexer.open]), /^A claim1\./);
  });
});
