/** Bare addresses and links in markdown, as agents write them. */
import assert from 'node:assert/strict';
import type { Token, Tokens } from 'marked';
import { markdownLexer } from '../../../../../src/text/markdown/parse/mathLexer';

function linksIn(source: string): string[] {
  const links = (tokens: readonly Token[]): Tokens.Link[] =>
    tokens.flatMap((token) => [...(token.type === 'link' ? [token as Tokens.Link] : []), ...links((token as Tokens.Generic).tokens ?? [])]);
  return links(markdownLexer(source).lex(source)).map(({ href }) => href);
}

describe('a bare address', () => {
  for (const sign of '。，、；：！？）」』】》…〉〕｝．“”＞＜〝〟＂') {
    it(`ends before ${sign}`, () => {
      assert.deepEqual(linksIn(`见 https://a.b/x${sign}中文`), ['https://a.b/x']);
    });
  }

  it('contains the characters that an address may have', () => {
    assert.deepEqual(linksIn('(see https://a.b/c_(d)) and http://localhost:3000/). https://a.b/?q=[1] 中文https://a.b/y'), [
      'https://a.b/c_(d)',
      'http://localhost:3000/',
      'https://a.b/?q=[1]',
      'https://a.b/y',
    ]);
    assert.deepEqual(linksIn('www.a.b/x）、c'), ['http://www.a.b/x']);
  });
});

describe('a link to a path with blanks', () => {
  it('is recognized without angle brackets', () => {
    for (const href of [
      'My Project/a.ts',
      'My Project/a (b).ts:12',
      'a b.md#L3',
      'My Project/a.cs(12,3)',
      'My Project/a.ts:12-20',
      "Tom's Files/a.ts",
      'My Project/Makefile',
      'My Project/.env',
      'old logs/app.log.7z',
    ]) {
      assert.deepEqual(linksIn(`see [x](${href}) here`), [href]);
    }
  });

  it("is text when it is not a file's path", () => {
    for (const source of ['[x](some words here)', '[x](javascript:a b.ts)', '[x] (a b.ts)', '[x](a b.ts', '[x](a\n b.ts)']) {
      assert.deepEqual(linksIn(source), [], source);
    }
  });
});
