/** The words of Markdown for the search. */
import assert from 'node:assert/strict';
import { PlainReader } from '../../../../src/text/markdown/plainReader';
import { quickPlain } from '../../../../src/text/markdown/quickPlain';

const read = (markdown: string): string => {
  const reading = new PlainReader().update(markdown);
  for (;;) {
    const { done, value } = reading.next();
    if (done) {
      return value;
    }
  }
};
const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('quickPlain', () => {
  const samples: Record<string, string> = {
    emphasis: 'The **discount** is *not* applied, ***really***, ~~never~~ and __so__ _on_.',
    nested: '**bold with *italics* in it** and "**quoted**", **both *at the end***',
    code: 'Call `total(items, 0.1)`, `**kwargs` and ``a ` b``.',
    'a heading': '## The `cart` module\n\nText',
    'a list': '- one\n- **two**\n  - three\n\n1. first\n2. second',
    'a quote': '> quoted **text**\n> goes on',
    'a fence': 'Before\n\n```ts\nconst a = b ** 2; // **not bold**\n# no heading\n```\n\nafter **it**',
    'a fence in a list': '- item\n\n  ```\n  x = `y`\n  ```\n- next',
    links: 'See [the docs](https://example.com/a_b_c "Title"), ![a picture](pic.png) and <https://example.com>.',
    names: 'Keep snake_case_names, a * b, *args and **kwargs as they are',
    escapes: 'Not \\*bold\\* and 1 \\> 0',
    'a rule': 'above\n\n---\n\nbelow',
    'no Markdown': 'Plain prose - with a dash, 10% (or so), and "quotes".',
  };
  for (const [name, markdown] of Object.entries(samples)) {
    it(`returns the words that the page shows for ${name}`, () => {
      assert.equal(words(quickPlain(markdown)).replace(/\b(\d)\. /g, ''), words(read(markdown)).replace(/\b(\d)\. /g, ''));
    });
  }

  it('keeps the punctuation of a product name', () => {
    assert.equal(quickPlain('2*3*4 = 24, 2**3 = 8, see __init__.py and **init**'), '2*3*4 = 24, 2**3 = 8, see init.py and init');
  });

  it('returns the cells of a table, and no tags', () => {
    assert.equal(words(quickPlain('| Name | Price |\n|------|:-----:|\n| **Tea** | 3 |')), 'Name Price Tea 3');
    assert.equal(words(quickPlain('<details><summary>More</summary>\nPress <kbd>Ctrl</kbd>\n</details>')), 'More Press Ctrl');
    assert.equal(quickPlain('if (a < b && c > d)'), 'if (a < b && c > d)');
  });

  it('takes linear time for any text', function () {
    this.timeout(20_000);
    for (const part of ['*', '_', '`', '[', '![', '**a ', '[a](', '~~', '<a ', '| ', '\\*', '> ', '- ', '(*a', '``` ']) {
      const text = part.repeat(40_000 / part.length);
      const start = performance.now();
      quickPlain(text);
      quickPlain(text.replaceAll(' ', '\n'));
      const ms = performance.now() - start;
      assert.ok(ms < 3000, `${ms} ms for ${JSON.stringify(part)}`);
    }
  });
});
