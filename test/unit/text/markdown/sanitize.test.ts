import assert from 'node:assert/strict';
import fc from 'fast-check';
import { marked, type Token } from 'marked';
import { sanitizeMarkdown, linkTarget } from '../../../../src/text/markdown/sanitize';

/** The blocks after `text` in a document. */
function after(text: string): string[] {
  const tokens = marked.lexer(`## Ada\n\n${sanitizeMarkdown(text)}\n\n## You\n\nend\n`);
  return tokens
    .map((token) => token.raw.trim())
    .filter((raw) => raw !== '')
    .slice(-2);
}

function* tokensOf(tokens: readonly Token[]): Iterable<Token> {
  for (const token of tokens) {
    yield token;
    const { tokens: inner = [], items = [] } = token as { tokens?: Token[]; items?: { tokens: Token[] }[] };
    yield* tokensOf(inner);
    for (const item of items) {
      yield* tokensOf(item.tokens);
    }
  }
}

describe('markdown in a larger document', () => {
  it('is unchanged when it does not affect its surroundings', () => {
    for (const text of [
      'Fix *it*, see [a](src/a.ts#L3) and <https://x.test/?a=b>, 1 < 2, a<b> is `<b>` and ``x ` <y>``.'.replace('a<b> is', 'b is'),
      '1. Do:\n\n   ```sh\n   npm test <file>\n   ```\n2. Then\n\n> ```js\n> if (a <b) {}\n> ```\n\n~~~\n```\n~~~',
      '[a]: https://x.test\n\n[b]: <file:///a b>\n\n[c](<./d e.md>) [m](mailto:a@b.c)',
      '````md\n```js\n<details>\n```\n````',
      '- a\n  - b\n\n    code\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      '',
    ]) {
      assert.equal(sanitizeMarkdown(text), text);
    }
  });

  it('swallows no text after it', () => {
    for (const text of [
      '```',
      '```js\nlet a',
      '~~~~\n```',
      '- ```js\n  x',
      '- ```js\nx',
      '1. a\n   ```\n   b',
      '> ```\n> a',
      '> ```\na\n```',
      '```\n    ```',
      '```js\n\t```',
      '- ```\n      ```',
      '> ```\n>     ```',
      '<details>',
      '<!--',
      '<script>',
      '<![CDATA[',
      '<?x',
      '`a',
      '[a](',
      '[a]: ',
      '![',
      '***',
      '<pre>\n\n</',
    ]) {
      assert.deepEqual(after(text), ['## You', 'end'], text);
    }
  });

  it('swallows no text, whatever its line ends', () => {
    for (const end of ['\r\n', '\r']) {
      for (const text of ['a\n```\nx', '```js\nlet a\n\nb', '- ```js\n  x', '> ```\n> a', '~~~\n```\n']) {
        const ended = text.replaceAll('\n', end);
        assert.equal(sanitizeMarkdown(ended), sanitizeMarkdown(text));
        assert.deepEqual(after(ended), ['## You', 'end'], JSON.stringify(ended));
      }
    }
  });

  it('contains no HTML outside code', () => {
    const line = fc.constantFrom(
      '',
      'a `b` <i>c</i>',
      '<details open>',
      '<!-- x',
      '-->',
      '<img src=x onerror=y>',
      '`x <b>` y',
      '- <b>',
      '> <script>',
      '1. a',
      '    <b>',
      '| a | <b> |',
      '[a](<b c>)',
      '<https://x.test>',
      '```html\n<b>\n```',
      '- ```html\n  <b>\n  ```',
      '> ~~~\n> <b>\n> ~~~',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = sanitizeMarkdown(lines.join('\n\n'));
        for (const token of tokensOf(marked.lexer(text))) {
          assert.notEqual(token.type, 'html', `${JSON.stringify(lines)} → ${text}`);
        }
      }),
    );
  });

  it('contains no HTML, and swallows no text, even if readers differ about code', () => {
    for (const text of [
      '- [ ] ```js\n  let a\n  ```\n  <b>\n\n<i>',
      '1. [x] ~~~\n<b>',
      '- a\nlazy\n  ```\n<b>',
      'a\n    - ~~~x <i>b</i>',
      'a `b\nc` <i> `d',
      '```js`\n```js<b> ```',
      '\\``a` <b> `',
      '``````` \\` <b> `',
      '~~~\t\na\n~~~\t\n\n',
      '- \n\n  ```\n``- ',
      '\\\\<b>',
      `${'\\'.repeat(151)}<b>`,
      `${'\\'.repeat(152)}<b>`,
      '1. > ```x\n> <i>',
    ]) {
      assert.deepEqual(after(text), ['## You', 'end'], text);
      for (const token of tokensOf(marked.lexer(sanitizeMarkdown(text)))) {
        assert.notEqual(token.type, 'html', `${JSON.stringify(text)} → ${sanitizeMarkdown(text)}`);
      }
    }
    const piece = fc.constantFrom(
      '- ',
      '1. ',
      '[ ] ',
      '> ',
      '```',
      '```js',
      '~~~',
      '  ',
      '    ',
      '\t',
      'a',
      '<b>',
      '<!-- x',
      '# ',
      '---',
      '`',
      '\\',
      'x <i>',
      '\n',
      '\n',
      '\n\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 2, maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        assert.deepEqual(after(text), ['## You', 'end'], JSON.stringify(text));
        for (const token of tokensOf(marked.lexer(sanitizeMarkdown(text)))) {
          assert.notEqual(token.type, 'html', JSON.stringify(text));
        }
      }),
      { numRuns: 3000, seed: 5 },
    );
  });

  it('keeps the code of a task', () => {
    assert.equal(sanitizeMarkdown('- [x] ```js\n  a < b\n  ```\n- [ ] b'), '- [x]\n  ```js\n  a < b\n  ```\n- [ ] b');
    assert.equal(sanitizeMarkdown('- [ ] ```a <b>```'), '- [ ] ```a <b>```');
  });

  it('contains no link that runs anything, even in text that only looks like code', () => {
    const line = fc.constantFrom(
      '```',
      '```js',
      '~~~',
      '  ```',
      '- ```',
      '> ```',
      '> a',
      '- a',
      '',
      '`x',
      '``',
      '[a](command:x)',
      '[a](<command:x y>)',
      '[a](\ncommand:x)',
      '[a]: command:x',
      '> [a]: command:x',
      '[a]: <javascript:x>',
      '[a]',
      '![a](data:x)',
      '<command:x>',
      '<https://x.test>',
      '[a](vscode://x)',
      '[a](VSCODE-insiders:x)',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = sanitizeMarkdown(lines.join('\n'));
        for (const token of tokensOf(marked.lexer(text))) {
          if (token.type === 'link' || token.type === 'image') {
            assert.match((token as { href: string }).href, /^(?:https?:|mailto:|[^:]*$)/, text);
          }
        }
      }),
      { numRuns: 3000 },
    );
    assert.match(sanitizeMarkdown('[a](ssh://x) [b](x-any:y)'), /ssh%3A.*any%3A/);
    assert.equal(sanitizeMarkdown('```xml\n<xs:element/> [a](x-any:y)\n```'), '```xml\n<xs:element/> [a](x-any:y)\n```');
  });

  it('takes linear time for any text', () => {
    for (const unit of [
      '`',
      '``` ',
      '<',
      '<a',
      '](',
      '[a]: ',
      '- ',
      '> ',
      '`a``b',
      '~~~\n',
      '1. ',
      '\n\n`',
      '\\<',
      '\\',
      '- [ ] ',
      '`\n',
      ']:',
      ']: ',
      '](<',
      'href',
      'href=',
      'src = "',
      'href=a',
    ]) {
      assert.ok(sanitizeMarkdown(unit.repeat(200_000)));
    }
    for (const unit of ['](', ']:', 'href', 'href=', 'src="', 'href=a&']) {
      assert.ok(sanitizeMarkdown(unit + ' '.repeat(200_000)));
      assert.ok(sanitizeMarkdown(unit + 'a'.repeat(200_000)));
    }
    for (const unit of ['\n[', '[a\\]: ']) {
      assert.ok(sanitizeMarkdown(unit.repeat(200_000)));
    }
  });

  it('removes foreign links in attributes, in escaped HTML and in code', () => {
    assert.equal(sanitizeMarkdown('<a href="command:x">'), '\\<a href="command%3Ax">');
    assert.equal(sanitizeMarkdown("\\<img SRC = 'vscode://x'>"), "\\<img SRC = 'vscode%3A//x'>");
    assert.equal(sanitizeMarkdown('```html\n<a href=command:x>\n```'), '```html\n<a href=command%3Ax>\n```');
    assert.equal(sanitizeMarkdown('`<a href="slack://x">`'), '`<a href="slack%3A//x">`');
    assert.equal(sanitizeMarkdown('`<a href="https://x">`'), '`<a href="https://x">`');
  });

  it('removes foreign links whose schemes are written with entities in attributes', () => {
    for (const value of [
      'command&#58;x',
      'command&colon;x',
      'c&#111;mmand:x',
      'c&#111mmand:x',
      'c&#x00000000000000000000000006fmmand:x',
      '&#99ommand:x',
    ]) {
      for (const tag of [`<a href="${value}">`, `<IMG SRC=${value}>`, `[a](<a href='${value}'>)`, `\`<video placeholder = "${value}">\``]) {
        const decoded = sanitizeMarkdown(tag).replaceAll('&amp;', '\0');
        assert.doesNotMatch(decoded, /[=]\s*["']?[\w]*&/, tag);
      }
    }
    assert.equal(sanitizeMarkdown('`<a href="https://x?a=1&b=2">`'), '`<a href="https://x?a=1&b=2">`');
    assert.equal(sanitizeMarkdown('`<a href="/x?a=1&b=2">`'), '`<a href="/x?a=1&b=2">`');
  });

  it('removes foreign links that are hidden by blanks or a long label', () => {
    const blanks = ' '.repeat(9);
    const label = 'b'.repeat(300);
    for (const scheme of ['command', 'vscode', 'x-any']) {
      for (const before of [
        `[a](${blanks}`,
        `[a](\t\t\t\t\t`,
        `[a]:${blanks}`,
        `[${label}]: `,
        `[a\\]b]: `,
        `[a\nb]: `,
        `    x\n\t[a]:${blanks}`,
        `<a href${blanks}=${blanks}"`,
      ]) {
        assert.match(sanitizeMarkdown(`${before}${scheme}:x`), new RegExp(`${scheme}%3Ax`), before);
      }
    }
  });

  it('starts no link that the text after it would end', () => {
    for (const [first, second] of [
      ['[a](', 'x-any:y)'],
      ['[a](<', 'x-any:y>)'],
      ['[a]:', 'x-any:y'],
      ['[a]: \n', 'x-any:y'],
    ] as const) {
      assert.doesNotMatch(`${sanitizeMarkdown(first)}\n\n${sanitizeMarkdown(second)}`, /\](?:\(|:)\s*<?x-any:/, first);
    }
    assert.equal(sanitizeMarkdown('`](`'), '`](`');
    assert.equal(sanitizeMarkdown('see [1]'), 'see [1]');
  });

  it('contains only link targets that open the web, mail and files', () => {
    assert.deepEqual(['https://x/a b', 'file:///a<b>', 'command:x', 'JavaScript:x', 'src/a.ts:3', 'mailto:a@b.c'].map(linkTarget), [
      '<https://x/a%20b>',
      '<file:///a%3Cb%3E>',
      '<command%3Ax>',
      '<JavaScript%3Ax>',
      '<src/a.ts:3>',
      '<mailto:a@b.c>',
    ]);
  });
});
