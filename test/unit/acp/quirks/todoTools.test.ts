import assert from 'node:assert/strict';
import { connected, updateOf } from '../support';

describe('quirk: a plan in one of the agent’s own tools', () => {
  const todos = [
    { content: 'Read', status: 'completed', priority: 'high' },
    { content: 'Write', status: 'pending' },
  ];
  const kinds = (update: object) => {
    const { transport, client } = connected();
    transport.feed(updateOf({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...update }));
    return client.events;
  };

  it('becomes a plan update beside its tool call', () => {
    const [call, plan, ...others] = kinds({ title: 'todowrite', rawInput: { todos } });
    assert.equal(call?.type, 'tool_call_update');
    assert.ok(plan?.type === 'plan_update' && plan.plan.type === 'items');
    assert.deepEqual(
      plan.plan.entries.map(({ content, status, priority }) => [content, status, priority]),
      [
        ['Read', 'completed', 'high'],
        ['Write', 'pending', 'medium'],
      ],
    );
    assert.deepEqual(others, []);
  });

  it('is ignored before it is written, when it is malformed, and in other tools', () => {
    for (const update of [
      { title: 'todowrite', rawInput: {} },
      { title: 'todowrite', rawInput: { todos: [{ status: 'pending' }] } },
      { title: 'bash', rawInput: { todos } },
      { title: '3 todos', rawOutput: { todos } },
    ]) {
      assert.deepEqual(
        kinds(update).map(({ type }) => type),
        ['tool_call_update'],
        JSON.stringify(update),
      );
    }
  });
});
