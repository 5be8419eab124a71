import assert from 'node:assert/strict';
import { ToolCallIds } from '../../../../src/acp/v1/toolCallIds';
import { V1Updates } from '../../../../src/acp/v1/updates';

describe('ids of tool calls', () => {
  let minted = 0;
  const mint = (): string => `~${++minted}`;
  const taken = (ids: ToolCallIds, given: string, announced: boolean): readonly [string, boolean] => {
    const { toolCallId, isNew } = ids.take(given, announced, mint);
    return [toolCallId, isNew];
  };

  beforeEach(() => (minted = 0));

  it("are the agent's own, whether announced or not, even when announced twice in one turn", () => {
    const ids = new ToolCallIds();
    assert.deepEqual(taken(ids, 'a', true), ['a', true]);
    assert.deepEqual(taken(ids, 'a', true), ['a', false]);
    assert.deepEqual(taken(ids, 'b', false), ['b', true]);
    assert.deepEqual(taken(ids, 'b', true), ['b', false]);
  });

  it('refer to the same call in later turns, until a new call is announced under them', () => {
    const ids = new ToolCallIds();
    ids.take('a', true, mint);
    ids.nextTurn();
    assert.deepEqual(taken(ids, 'a', false), ['a', false]);
  });

  it('get a suffix, and mean the newer call, when another call is announced under them in a later turn', () => {
    const ids = new ToolCallIds();
    ids.take('a', true, mint);
    ids.nextTurn();
    assert.deepEqual(taken(ids, 'a', true), ['a~1', true]);
    assert.deepEqual(taken(ids, 'a', false), ['a~1', false]);
    assert.deepEqual(ids.inQuestion({ toolCallId: 'a', toolCall: { toolCallId: 'a', title: 'T' }, other: 1 }), {
      toolCallId: 'a~1',
      toolCall: { toolCallId: 'a~1', title: 'T' },
      other: 1,
    });
    ids.nextTurn();
    assert.deepEqual(taken(ids, 'a', true), ['a~2', true]);
  });

  it('are left alone in questions when they are unknown or not strings', () => {
    const ids = new ToolCallIds();
    for (const params of [
      { toolCallId: 'x', toolCall: { toolCallId: 'x' } },
      { toolCall: null },
      { toolCallId: 7, toolCall: { toolCallId: 7 } },
      {},
    ]) {
      assert.deepEqual(ids.inQuestion(params), params);
    }
  });

  it("start again when the agent replays a conversation, where each of the user's messages begins a turn", () => {
    const updates = new V1Updates();
    const told = (sessionId: string): unknown[] =>
      ['one', 'two'].flatMap((said) => [
        ...updates.decode(sessionId, { update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: said } } }),
        ...updates.decode(sessionId, { update: { sessionUpdate: 'tool_call', toolCallId: 'a', title: said } }),
      ]);
    const idsOf = (events: unknown[]): unknown[] => events.flatMap((event) => (event as { toolCallId?: string }).toolCallId ?? []);
    assert.deepEqual(idsOf(told('s')), ['a', 'a~3']);
    updates.forget('s');
    assert.deepEqual(idsOf(told('s')), ['a', 'a~6']);
  });
});
