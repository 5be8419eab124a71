import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../../src/core/model/content';
import type { ToView } from '../../../../src/core/protocol/view';
import { returnPrompt } from '../../../../src/application/chat/returnPrompt';

describe('a message that was not sent', () => {
  const given = (content: readonly ContentBlock[]): ToView[] => {
    const posted: ToView[] = [];
    returnPrompt({ post: (message) => void posted.push(message) }, content);
    return posted;
  };
  const text: ContentBlock = { type: 'text', text: 'look at ' };
  const file: ContentBlock = { type: 'resource', uri: 'file:///w/a.ts', text: 'x' };

  it('is returned as text and attachments', () => {
    assert.deepEqual(given([text, file]), [
      { type: 'restore_text', text: 'look at ' },
      { type: 'attach', blocks: [file] },
    ]);
    assert.deepEqual(given([file]), [{ type: 'attach', blocks: [file] }]);
    assert.deepEqual(given([]), []);
  });

  it('is returned whole when its text contains an attachment', () => {
    const content = [text, file, { type: 'text' as const, text: ' now' }];
    assert.deepEqual(given(content), [{ type: 'restore_message', content }]);
  });
});
