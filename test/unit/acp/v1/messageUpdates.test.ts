import assert from 'node:assert/strict';
import { V1Updates } from '../../../../src/acp/v1/updates';
import { decodeAll, decode, chunk } from './decode';

describe('v1 updates: messages', () => {
  const idsOf = (updates: readonly object[]): (string | undefined)[] =>
    decodeAll(updates).flatMap((event) => (event.type === 'message_chunk' ? [`${event.role} ${event.messageId}`] : []));

  it('take the ids that the agent gives', () => {
    assert.deepEqual(idsOf([chunk('a', { messageId: 'm1' }), chunk('b', { messageId: 'm1' }), chunk('c', { messageId: 'm2' })]), [
      'agent m1',
      'agent m1',
      'agent m2',
    ]);
  });

  it('get generated ids when the agent gives none, a new one after a role change or a new tool call', () => {
    const tool = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T' };
    const running = { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'in_progress' };
    assert.deepEqual(
      idsOf([
        chunk('a', {}, 'user_message_chunk'),
        chunk('b', { messageId: null }, 'agent_thought_chunk'),
        chunk('c', {}, 'agent_thought_chunk'),
        chunk('d'),
        tool,
        chunk('e'),
        running,
        chunk('f'),
        { sessionUpdate: 'tool_call_update', toolCallId: 'unseen', status: 'completed' },
        chunk('g'),
      ]),
      ['user ~1', 'thought ~2', 'thought ~2', 'agent ~3', 'agent ~4', 'agent ~4', 'agent ~5'],
    );
  });

  it('are not divided by a blank chunk of another role without an id', () => {
    const [message, thought] = ['agent_message_chunk', 'agent_thought_chunk'];
    assert.deepEqual(
      idsOf([chunk('hm', {}, thought), chunk(''), chunk('so', {}, thought), chunk('\n'), chunk('Hi'), chunk(' ', {}, thought), chunk('!')]),
      ['thought ~1', 'agent ~2', 'thought ~1', 'agent ~3', 'agent ~3', 'thought ~4', 'agent ~3'],
    );
    const many = Array.from({ length: 6 }, (_, index) => chunk('', {}, index % 2 === 0 ? thought : message));
    assert.equal(new Set(idsOf(many)).size, 2);
  });

  it('without an id do not join one with an id', () => {
    assert.deepEqual(idsOf([chunk('warning'), chunk('a', { messageId: 'm' }), chunk('b'), chunk('c')]), [
      'agent ~1',
      'agent m',
      'agent ~2',
      'agent ~2',
    ]);
  });

  it('start again with a prompt', () => {
    const decoder = new V1Updates();
    const first = decoder.decode('s', { sessionId: 's', update: chunk('a') });
    decoder.breakMessage('s');
    const second = decoder.decode('s', { sessionId: 's', update: chunk('b') });
    assert.notDeepEqual(first, second);
  });

  it('are kept apart for two sessions', () => {
    const decoder = new V1Updates();
    const ids = ['s', 't', 's', 't'].map((sessionId) => {
      const [event] = decoder.decode(sessionId, { sessionId, update: chunk('x') });
      return event?.type === 'message_chunk' && event.messageId;
    });
    assert.deepEqual(ids, ['~1', '~2', '~1', '~2']);
  });

  it('keep _meta, unknown fields and a wrong-typed id', () => {
    assert.deepEqual(decode(chunk('a', { messageId: 7, _meta: { m: 1 }, speed: 'fast' })), [
      {
        type: 'message_chunk',
        role: 'agent',
        messageId: '~1',
        content: { type: 'text', text: 'a' },
        meta: { m: 1 },
        extra: { messageId: 7, speed: 'fast' },
      },
    ]);
  });

  it('may hold unknown content, several blocks, or bare text', () => {
    const raw = { type: 'hologram', data: 1 };
    assert.deepEqual(decode({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: raw })[0], {
      type: 'message_chunk',
      role: 'agent',
      messageId: 'm',
      content: { type: 'unknown', raw },
    });
    const both = decode({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: [{ type: 'text', text: 'a' }, 'b'] });
    assert.deepEqual(
      both.map((event) => event.type === 'message_chunk' && event.content),
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    );
  });
});
