import assert from 'node:assert/strict';
import { turnMeta, turnOfUpdate } from '../../../../src/core/share/shareMeta';

describe('the turn that an update is about', () => {
  const about = { sessionUpdate: 'session_info_update', _meta: turnMeta({ type: 'started' }) };

  it('is read from an update of a shared session', () => {
    assert.deepEqual(turnOfUpdate(about), { type: 'started' });
    assert.deepEqual(turnOfUpdate({ ...about, _meta: turnMeta({ type: 'ended', stopReason: 'cancelled' }) }), {
      type: 'ended',
      stopReason: 'cancelled',
    });
  });

  it('is not read from an update with content, which would be lost', () => {
    for (const update of [
      { ...about, title: 'New title' },
      { ...about, sessionUpdate: 'agent_message_chunk' },
      about._meta,
      null,
      'x',
      undefined,
    ]) {
      assert.equal(turnOfUpdate(update), undefined);
    }
  });
});
