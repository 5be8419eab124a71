import assert from 'node:assert/strict';
import { Lexer, type Token } from 'marked';
import { BlockLexer } from '../../../../../src/text/markdown/parse/blocks';

const inside = (token: Token): Token[] => {
  const { tokens = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
  return [...tokens, ...items];
};
const depthOf = (token: Token): number => 1 + Math.max(0, ...inside(token).map(depthOf));

const firstOf = (text: string): Token => {
  const lexer = new BlockLexer();
  lexer.update(text, true);
  return [...lexer.closed, ...lexer.open][0]!;
};

/** The text of all tokens without children, as written. */
const words = (token: Token): string =>
  inside(token).length > 0 ? inside(token).map(words).join('') : ((token as { text?: string }).text ?? token.raw);

describe('markdown with excessive nesting', function () {
  this.timeout(20_000);

  const DEEP: Readonly<Record<string, string>> = {
    quotes: `${'> '.repeat(3000)}at the end`,
    'quotes of lists': `${'> - '.repeat(1000)}at the end`,
    'lists in a line': `${'- '.repeat(3000)}at the end`,
    'lists in lines': `${Array.from({ length: 600 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')} at the end`,
  };
  for (const [name, text] of Object.entries(DEEP)) {
    it(`is shown as written: ${name}`, () => {
      const lexer = new BlockLexer();
      lexer.update(text, true);
      const blocks = [...lexer.closed, ...lexer.open];
      const depth = Math.max(...blocks.map(depthOf));
      assert.ok(depth < 160, String(depth));
      assert.ok(blocks.map(words).join('').includes('at the end'));
    });
  }

  it('is parsed up to a realistic depth', () => {
    const lines = Array.from({ length: 16 }, (_, depth) => `${'  '.repeat(depth)}- ${'some words of it '.repeat(10)}`);
    const lexer = new BlockLexer();
    lexer.update(`${lines.join('\n')} **at the end**`, true);
    // A list and an item for each level, and the text and the strong text in it.
    assert.equal(Math.max(...lexer.open.map(depthOf)), 16 * 2 + 3);
    assert.equal(depthOf(firstOf(`${'> '.repeat(40)}at the end`)), 42);
  });
});

/** The work of the lexer: calls, and the UTF-16 units of all of them. */
function efforts(text: string, piece = text.length): { readonly calls: number; readonly units: number } {
  let calls = 0;
  let units = 0;
  const { inlineTokens, blockTokens } = Lexer.prototype;
  Lexer.prototype.inlineTokens = function (source, tokens) {
    calls++;
    units += source.length;
    return inlineTokens.call(this, source, tokens);
  };
  Lexer.prototype.blockTokens = function (this: Lexer, source: string, ...rest: []) {
    calls++;
    units += source.length;
    return blockTokens.call(this, source, ...rest);
  } as typeof blockTokens;
  try {
    const lexer = new BlockLexer();
    for (let end = piece; end < text.length; end += piece) {
      lexer.update(text.slice(0, end));
    }
    lexer.update(text, true);
    return { calls, units };
  } finally {
    Object.assign(Lexer.prototype, { inlineTokens, blockTokens });
  }
}

describe('markdown with an endless paragraph', function () {
  this.timeout(60_000);

  const LONG: Readonly<Record<string, string>> = {
    'letters, then signs of addresses': 'a'.repeat(80_000) + '@'.repeat(80_000),
    'emphasis in words': '_a*b'.repeat(40_000),
    'links without an end': '[a](b'.repeat(30_000),
    'processing instructions': `x ${'<?a '.repeat(40_000)}`,
    'code without an end': '`a ``b '.repeat(20_000),
    words: 'word '.repeat(30_000),
    'a quote': '> a *b\n'.repeat(20_000),
  };
  const reads = (text: string) => {
    const lexer = new BlockLexer();
    lexer.update(text, true);
    return [...lexer.closed, ...lexer.open];
  };

  for (const [name, text] of Object.entries(LONG)) {
    it(`is parsed in stretches: ${name}`, () => {
      const { units, calls } = efforts(text);
      assert.ok(units < 5 * text.length, `${units} units of ${text.length}`);
      assert.ok(calls < text.length / 16, String(calls));
    });

    it(`costs no more in chunks than their length allows: ${name}`, () => {
      for (const piece of [100, 2000]) {
        const { units } = efforts(text.slice(0, 60_000), piece);
        assert.ok(units < 60_000 * 3 * (3 + 2048 / piece + 4), `${units} units in pieces of ${piece}`);
      }
    });

    it(`is complete: ${name}`, () => {
      if (name === 'a quote') {
        return assert.equal(
          reads(text)
            .map(({ raw }) => raw)
            .join('')
            .replace(/\s/g, ''),
          text.replace(/\s/g, ''),
        );
      }
      assert.ok(
        reads(text)
          .map(({ raw }) => raw)
          .join('') === text,
      );
      assert.ok(
        reads(text)
          .flatMap((token) => (inside(token).length > 0 ? inside(token) : [token]))
          .map(({ raw }) => raw)
          .join('') === text,
      );
    });
  }

  it('parses a stretch as if it were alone', () => {
    const one = 'A sentence with *emphasis*, **more of it**, `code`, [a link](https://a.example/b) and a_name_of it. ';
    const [paragraph] = reads(one.repeat(120));
    const kinds = (tokens: Token[]) => tokens.filter(({ type }) => type !== 'text').map(({ type }) => type);
    assert.deepEqual(kinds(inside(paragraph!)), Array.from({ length: 120 }, () => ['em', 'strong', 'codespan', 'link']).flat());
  });

  it('keeps the formatting of a long paragraph with much syntax', () => {
    const piece = (index: number) =>
      `The call \`read_all(${index})\` of [part_${index}](src/part_${index}.ts) keeps snake_case_names, **strong words** and *others* as they are; `;
    const [paragraph] = reads(Array.from({ length: 60 }, (_, index) => piece(index)).join(''));
    const count = (type: string) => inside(paragraph!).filter((token) => token.type === type).length;
    assert.deepEqual([count('codespan'), count('link'), count('strong'), count('em')], [60, 60, 60, 60]);
  });

  it('keeps formulas whole, whatever number of backslashes they have', () => {
    const one = `$${'\\frac{\\alpha_1}{\\beta^2} + '.repeat(80)}x$`;
    const [paragraph] = reads(`so that ${one} holds, and \\(${'\\gamma_i '.repeat(200)}\\) too. `.repeat(3));
    assert.deepEqual(
      inside(paragraph!)
        .filter(({ type }) => type === 'math')
        .map(({ raw }) => raw.length),
      Array.from({ length: 3 }, () => [one.length, 1804]).flat(),
    );
  });

  it('shows a text with few words as written, once it has used up the budget of its length', () => {
    const count = (token: Token): number => 1 + inside(token).reduce((sum, each) => sum + count(each), 0);
    for (const piece of [
      '- a\n',
      '#\n',
      'a\n\n',
      '---\n',
      '> a\n\n',
      '**a** ',
      '`a` ',
      '[a](b) ',
      '[x]: y\n',
      '- [ ] a\n',
      '1. \n',
      '<b> ',
    ]) {
      const text = piece.repeat(80_000 / piece.length);
      const blocks = reads(text);
      assert.ok(
        blocks.reduce((sum, block) => sum + count(block), 0) < 6000 + text.length / 8,
        `${piece}: ${blocks.reduce((sum, block) => sum + count(block), 0)}`,
      );
      assert.equal(
        blocks
          .map(({ raw }) => raw)
          .join('')
          .replace(/\s/g, ''),
        text.replace(/\s/g, ''),
        piece,
      );
    }
  });

  it('is the same in one piece and in chunks, even when the budget is used up', () => {
    for (const piece of ['- a\n', 'a\n\n', '> a\n\n', '**a** b\n', '# a\n']) {
      const text = piece.repeat(30_000 / piece.length);
      const lexer = new BlockLexer();
      for (let end = 700; end < text.length; end += 700) {
        lexer.update(text.slice(0, end));
      }
      lexer.update(text, true);
      const essence = (blocks: readonly Token[]) =>
        blocks.filter(({ type }) => type !== 'space').map(({ type, raw }) => `${type} ${raw.trim().length}`);
      assert.deepEqual(essence([...lexer.closed, ...lexer.open]), essence(reads(text)), piece);
    }
  });

  it('keeps a list of hundreds of short items, a long table and long code', () => {
    const parts = {
      list: '- DE\n'.repeat(400),
      table: `| a | b | c |\n|---|---|---|\n${'| 1 | 2 | 3 |\n'.repeat(250)}`,
      code: `\`\`\`\n${'}\n'.repeat(20_000)}\`\`\`\n`,
    };
    const types = (text: string) =>
      reads(text)
        .map(({ type }) => type)
        .filter((type) => type !== 'space');
    for (const [type, text] of Object.entries(parts)) {
      assert.deepEqual(types(text), [type]);
    }
    assert.deepEqual(types(`${parts.code}\n${'A sentence of some words, as they are written.\n\n'.repeat(9)}${parts.list}`).at(-1), 'list');
  });

  it('keeps a picture whole, whatever the size of its data', () => {
    const [paragraph] = reads(`before ![a](data:image/png;base64,${'AAAA'.repeat(50_000)}) after`);
    assert.deepEqual(
      inside(paragraph!).map(({ type }) => type),
      ['text', 'image', 'text'],
    );
  });

  it('contains no table of almost only empty cells', () => {
    const text = `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'x\n'.repeat(1000)}`;
    assert.notEqual(reads(text)[0]!.type, 'table');
  });
});
