import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../../src/core/model/content';
import { fitPrompt } from '../../../../src/core/model/promptContent';

describe('fitPrompt', () => {
  const none = { image: false, audio: false, embeddedContext: false };
  const text: ContentBlock = { type: 'text', text: 'hi' };
  const image: ContentBlock = { type: 'image', data: '', mimeType: 'image/png' };
  const resource: ContentBlock = { type: 'resource', uri: 'file:///a.md', text: '```js\nx\n```' };

  it('changes nothing that the agent accepts', () => {
    const content = [text, image, resource];
    assert.equal(fitPrompt(content, { image: true, audio: false, embeddedContext: true }).content, content);
  });

  it('turns embedded resources into text for an agent without them, in a fence that the text cannot end', () => {
    const { content, refused } = fitPrompt([text, resource], none);
    assert.deepEqual(refused, []);
    assert.deepEqual(content, [text, { type: 'text', text: 'file:///a.md:\n````\n```js\nx\n```\n````' }]);
  });

  it('names the blocks that cannot be sent in any form', () => {
    const blob: ContentBlock = { type: 'resource', uri: 'file:///a.bin', blob: 'AA==' };
    const { content, refused } = fitPrompt([text, image, blob], none);
    assert.deepEqual(content, [text]);
    assert.deepEqual(refused, [image, blob]);
  });
});
