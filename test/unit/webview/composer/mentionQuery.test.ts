import assert from 'node:assert/strict';
import { mentionQuery } from '../../../../webview/composer/mentions/mentionQuery';

describe('the word after an @', () => {
  const typed = (text: string, tokens: readonly string[] = []) => mentionQuery(text, text.length, tokens)?.text;

  for (const [text, query] of [
    ['@', ''],
    ['see @cart', 'cart'],
    ['(@cart.ts', 'cart.ts'],
    ['see "@src/cart', 'src/cart'],
    ['@"my file', 'my file'],
    ['@symbol:sum', 'symbol:sum'],
    ['說明，@cart', 'cart'],
  ] as const) {
    it(`is searched in ${JSON.stringify(text)}`, () => assert.equal(typed(text), query));
  }

  for (const text of [
    'hello @@',
    '@@',
    'wow!@',
    'why?@',
    '(see above)@',
    'ada@example.com',
    'thanks @ada!',
    'ask @ada, ',
    'ask @ada,',
    'see @"a b"',
    'a +@',
  ]) {
    it(`is not searched in ${JSON.stringify(text)}, so Enter sends it`, () => assert.equal(typed(text), undefined));
  }

  it('is not searched inside a mention of the draft', () => assert.equal(typed('see @cart.ts', ['@cart.ts']), undefined));
});
