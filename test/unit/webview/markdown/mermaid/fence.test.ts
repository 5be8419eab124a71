import assert from 'node:assert/strict';
import { Lexer } from 'marked';
import type { Tokens } from 'marked';
import { isDiagram } from '../../../../../webview/markdown/mermaid/fence';

const code = (text: string) => new Lexer({ gfm: true }).lex(text)[0] as Tokens.Code;

describe('a block of Mermaid', () => {
  for (const [text, expected] of [
    ['```mermaid\ngraph TD\n```', true],
    ['```mermaid\ngraph TD\n```\n', true],
    ['~~~mermaid\ngraph TD\n~~~', true],
    ['``` Mermaid title=x\ngraph TD\n  ````  \n', true],
    ['````mermaid\ngraph TD\n````', true],
    ['```mermaid {theme}\ngraph TD\n```', true],
    ['```mermaid\ngraph TD\n', false],
    ['```mermaid\ngraph TD', false],
    ['```mermaid\ngraph TD\n``', false],
    ['````mermaid\ngraph TD\n```', false],
    ['```mermaid\ngraph TD\n~~~', false],
    ['```mermaid\n\n```', false],
    ['```mermaid-source\ngraph TD\n```', false],
    ['```ts\ngraph TD\n```', false],
    ['    mermaid\n', false],
  ] as const) {
    it(`${expected ? 'is' : 'is not'} drawn: ${JSON.stringify(text)}`, () => assert.equal(isDiagram(code(text)), expected));
  }
});
