import assert from 'node:assert/strict';
import { MessageLines } from '../../support/messageLines';

describe('messages as lines', () => {
  const usage = { usage: { used: 1, size: 2 } };

  it('are complete at first, then show only differences', () => {
    const lines = new MessageLines();
    assert.deepEqual(lines.add('  usage', usage), ['  usage usage={"used":1,"size":2}']);
    assert.deepEqual(lines.add('  usage', { usage: { used: 3, size: 2 } }), ['  usage usage.used=3']);
    assert.deepEqual(lines.add('  usage', { usage: { used: 3 } }), ['  usage usage.size=absent']);
    assert.deepEqual(lines.add('  usage', { ...usage, meta: {} }), ['  usage usage.used=1 usage.size=2 meta={}']);
  });

  it('are complete for each message, and always for updates', () => {
    const lines = new MessageLines();
    for (const messageId of ['a', 'b']) {
      assert.deepEqual(lines.add('message_chunk', { messageId, text: 'x' }), [`message_chunk messageId="${messageId}" text="x"`]);
    }
    for (const _ of [1, 2]) {
      assert.deepEqual(lines.add('tool_call_update', { toolCallId: 't', patch: {} }), ['tool_call_update toolCallId="t" patch={}']);
    }
  });

  it('are split when they are long', () => {
    const long = 'x'.repeat(100);
    assert.deepEqual(new MessageLines().add('? elicit', { short: [1], long: { a: long, b: [long] } }), [
      '? elicit',
      '  short=[1]',
      '  long={',
      `    "a": "${long}"`,
      `    "b": ["${long}"]`,
      '  }',
    ]);
  });
});
