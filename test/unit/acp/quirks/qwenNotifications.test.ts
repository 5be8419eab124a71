import assert from 'node:assert/strict';
import { connected } from '../support';

describe('quirk: notifications of Qwen Code for its own clients', () => {
  it('are kept with the session and do not appear in the conversation', () => {
    const { transport, client } = connected();
    const params = { v: 1, sessionId: 'S', suggestion: 'And now?' };
    transport.feed({ method: 'qwen/notify/session/prompt-suggestion', params });
    assert.deepEqual(client.calls, [
      { name: 'onUpdate', sessionId: 'S', args: [{ type: 'session_info', extra: { 'qwen/notify/session/prompt-suggestion': params } }] },
    ]);
  });

  it('leave other unknown notifications, and those without a session, as they are', () => {
    const { transport, client } = connected();
    transport.feed({ method: 'other/notify', params: { sessionId: 'S' } });
    transport.feed({ method: 'qwen/notify/daemon', params: {} });
    assert.deepEqual(
      client.calls.map(({ name }) => name),
      ['onUnknown', 'onUnknown'],
    );
  });
});
