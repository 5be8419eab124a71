import assert from 'node:assert/strict';
import type { Token } from 'marked';
import { BlockLexer } from '../../../webview/markdown/blocks';

const inside = (token: Token): Token[] => {
  const { tokens = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
  return [...tokens, ...items];
};
const depthOf = (token: Token): number => 1 + Math.max(0, ...inside(token).map(depthOf));

/** All that has nothing inside, as it stands there. */
const words = (token: Token): string => (inside(token).length > 0 ? inside(token).map(words).join('') : (token as { text?: string }).text ?? token.raw);

describe('markdown that goes deeper than anybody looks', function () {
  this.timeout(20_000);

  const DEEP: Readonly<Record<string, string>> = {
    'quotes': `${'> '.repeat(3000)}at the end`,
    'quotes of lists': `${'> - '.repeat(1000)}at the end`,
    'lists in a line': `${'- '.repeat(3000)}at the end`,
    'lists in lines': `${Array.from({ length: 600 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')} at the end`,
    'strong words': `${'**a '.repeat(1000)}at the end${' a**'.repeat(1000)}`,
    'strong words with a formula': `$x$ ${'**a '.repeat(1000)}at the end${' a**'.repeat(1000)}`,
  };
  for (const [name, text] of Object.entries(DEEP)) {
    it(`is shown as it was written: ${name}`, () => {
      const lexer = new BlockLexer();
      lexer.update(text, true);
      const blocks = [...lexer.closed, ...lexer.open];
      const depth = Math.max(...blocks.map(depthOf));
      assert.ok(depth > 40 && depth < 160, String(depth));
      assert.ok(blocks.map(words).join('').includes('at the end'));
    });
  }
});
