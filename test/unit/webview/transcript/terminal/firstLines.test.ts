import assert from 'node:assert/strict';
import { firstLines } from '../../../../../webview/transcript/terminal/firstLines';

describe('the text of a tool call', () => {
  it('is cut at a line', () => {
    assert.deepEqual(firstLines('a\nb\nc', 2), { text: 'a\nb', cut: true });
    assert.deepEqual(firstLines('a\nb\n', 2), { text: 'a\nb\n', cut: false });
    assert.deepEqual(firstLines('a\nb', 2), { text: 'a\nb', cut: false });
    assert.deepEqual(firstLines('', 2), { text: '', cut: false });
  });
});
