import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Mention } from '../../../../src/core/mentions/mention';
import { findTokens, inlineContent, joinMentions, mentionsIn, splitText } from '../../../../src/core/mentions/tokens';
import type { ContentBlock } from '../../../../src/core/model/content';
import { attachmentsOf, editedContent, typedText } from '../../../../src/core/queue/queuedContent';

const mention = (token: string, uri = `file:///w/${encodeURIComponent(token)}`): Mention => ({
  type: 'mention',
  token,
  name: token.slice(1),
  ref: { kind: 'file', uri },
});
const tokensIn = (text: string, ...tokens: string[]): string[] => findTokens(text, tokens).map(({ token }) => token);

describe('tokens of mentions', () => {
  it('are separate words', () => {
    for (const [text, isThere] of [
      ['@a.ts', true],
      ['see @a.ts.', true],
      ['(@a.ts)', true],
      ['看@a.ts的', true],
      ['@a.ts:', true],
      ['@a.tsx', false],
      ['@a.ts/b', false],
      ['@a.ts.map', false],
      ['@a.ts:12', false],
      ['x@a.ts', false],
    ] as const) {
      assert.deepEqual(tokensIn(text, '@a.ts'), isThere ? ['@a.ts'] : [], text);
    }
  });

  it('match as long as possible', () => {
    assert.deepEqual(tokensIn('@a.ts:2-9 and @a.ts, @my file.ts!', '@a.ts', '@a.ts:2-9', '@my', '@my file.ts'), [
      '@a.ts:2-9',
      '@a.ts',
      '@my file.ts',
    ]);
  });

  it('may contain special characters of a pattern', () => {
    assert.deepEqual(tokensIn('x [Pasted (2)]y @a+b$.c*', '[Pasted (2)]', '@a+b$.c*'), ['[Pasted (2)]', '@a+b$.c*']);
  });

  it('split a text, each at its first occurrence', () => {
    const [a, b] = [mention('@a.ts'), mention('@b.ts')];
    assert.deepEqual(splitText('  @b.ts is not @a.ts, and @a.ts is @c.ts \n', [a, b, mention('@d')]), [
      b,
      { type: 'text', text: ' is not ' },
      a,
      { type: 'text', text: ', and @a.ts is @c.ts' },
    ]);
    assert.deepEqual(mentionsIn('@b.ts @a.ts @b.ts', [a, b]), [b, a]);
    assert.deepEqual(splitText('   ', [a]), []);
  });

  it('are restored unchanged from a message’s content', () => {
    const word = fc.constantFrom('one', 'two, ', '. Then', ' ', '\n', '(', ')', ':', 'x.y', '看');
    const tokens = ['@a.ts', '@b/c.ts', '@a.ts:2-9', '[Pasted text, 9 lines]', '@d/'];
    const all = tokens.map((token) => mention(token));
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.constantFrom(...tokens)), { maxLength: 12 }), (parts) => {
        const blocks = splitText(parts.join(''), all);
        const { text, mentions, others } = inlineContent(blocks);
        assert.deepEqual(others, []);
        const again = splitText(text, mentions);
        assert.deepEqual(
          again.map((block) => (block.type === 'mention' ? block.ref : 'text')),
          blocks.map((block) => (block.type === 'mention' ? block.ref : 'text')),
        );
      }),
    );
  });

  it('get another name when one is taken', () => {
    const joined = joinMentions([mention('@a.ts', 'file:///w/x/a.ts')], 'see @a.ts and @b', [
      { ...mention('@a.ts', 'file:///w/y/a.ts'), longToken: '@y/a.ts' },
      mention('@b'),
    ]);
    assert.equal(joined.text, 'see @y/a.ts and @b');
    const same = joinMentions(joined.mentions, '@a.ts', [mention('@a.ts', 'file:///w/x/a.ts')]);
    assert.equal(same.text, '@a.ts');
    assert.equal(same.mentions.length, 3);
    assert.equal(joinMentions([mention('@a.ts', 'file:///1')], '@a.ts', [mention('@a.ts', 'file:///2')]).text, '@a.ts~2');
  });
});

describe('a queued message with mentions', () => {
  const content: ContentBlock[] = [
    { type: 'text', text: 'Compare ' },
    { type: 'resource', uri: 'file:///w/a.ts#L2-9', text: 'secret of a' },
    { type: 'text', text: ' with ' },
    { type: 'resource_link', uri: 'file:///w/b.ts', name: 'b.ts' },
    { type: 'text', text: ' now' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ];

  it('is edited as one text with their tokens', () => {
    assert.equal(typedText(content), 'Compare @a.ts:2-9 with @b.ts now');
    assert.deepEqual(attachmentsOf(content), [{ block: content[5], index: 5 }]);
    assert.deepEqual(editedContent(content, typedText(content), [5]), content);
  });

  it('loses what was removed, and keeps the new order', () => {
    assert.deepEqual(editedContent(content, 'First @b.ts then @a.ts:2-9', []), [
      { type: 'text', text: 'First ' },
      content[3],
      { type: 'text', text: ' then ' },
      content[1],
    ]);
    assert.deepEqual(editedContent(content, 'nothing', [5]), [{ type: 'text', text: 'nothing' }, content[5]]);
  });

  it('is the same in the page, which does not have its data', () => {
    const slim = content.map((block) => ({ ...block, ...(block.type === 'resource' && { text: '' }) }) as ContentBlock);
    assert.equal(typedText(slim), typedText(content));
  });
});
