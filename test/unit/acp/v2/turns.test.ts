/** The states of turns in version 2, below a session: prompts that overlap, and echoes that are not. */
import assert from 'node:assert/strict';
import { V2Turns } from '../../../../src/acp/v2/turns';
import type { EventInput } from '../../../../src/core/model/event';

function scene() {
  const calls: string[] = [];
  const updates: EventInput[] = [];
  const turns = new V2Turns(
    {
      onUpdate: (_, events) => {
        calls.push(...events.map(lineOf));
        updates.push(...events);
      },
      onTurnStarted: () => calls.push('started'),
      onTurnEnded: (_, { stopReason }) => calls.push(`ended ${stopReason}`),
    },
    (label, raw) => ({ type: 'unknown', unknownId: 'u', label, raw }),
    (failure) => failure,
  );
  turns.opened('s');
  const become = (state: string, more: object = {}): void => turns.state('s', { sessionUpdate: 'state_update', state, ...more });
  const echo = (messageId: string, text: string): void => {
    const event: EventInput = { type: 'message', role: 'user', messageId, content: [{ type: 'text', text }] };
    calls.push(...turns.echo('s', event).map(lineOf));
  };
  const send = (text: string) => turns.sent('s', [{ type: 'text', text }], `own ${text}`);
  return { turns, calls, updates, become, echo, send };
}

function lineOf(event: EventInput): string {
  return event.type === 'message' ? `message ${event.messageId}` : event.type === 'turn_activity' ? event.activity : event.type;
}

describe('the turns of version 2', () => {
  it('belong to the prompts in their order, and a refused prompt ends none', () => {
    const { turns, calls, become, send } = scene();
    const first = send('first');
    become('running');
    const second = send('second');
    turns.refused('s', second);
    turns.inserted('s', first, 'u1');
    become('idle', { stopReason: 'end_turn' });
    assert.deepEqual(calls, ['ended end_turn']);
    const third = send('third');
    turns.inserted('s', third, 'u3');
    become('running');
    const fourth = send('fourth');
    become('idle', { stopReason: 'end_turn' });
    become('running');
    turns.inserted('s', fourth, 'u4');
    become('idle', { stopReason: 'refusal' });
    assert.deepEqual(calls, ['ended end_turn', 'ended end_turn', 'ended refusal']);
  });

  it('end without a state in between, but not before the message was inserted', () => {
    const { turns, calls, become, send } = scene();
    const prompt = send('first');
    become('idle', { stopReason: 'end_turn' });
    assert.deepEqual(calls, [], 'a snapshot');
    turns.inserted('s', prompt, 'u1');
    become('idle');
    assert.deepEqual(calls, [], 'a snapshot');
    become('idle', { stopReason: 'end_turn' });
    assert.deepEqual(calls, ['ended end_turn']);
  });

  it('report no end of work whose prompt was refused', () => {
    const { turns, calls, become, send } = scene();
    const prompt = send('first');
    become('running');
    turns.refused('s', prompt);
    send('second');
    become('idle', { stopReason: 'error' });
    assert.deepEqual(calls, []);
    become('running');
    become('idle', { stopReason: 'end_turn' });
    assert.deepEqual(calls, ['ended end_turn']);
  });

  it('are confirmed as cancelled by the reason alone', () => {
    const { calls, become } = scene();
    become('running');
    become('idle');
    assert.deepEqual(calls, ['started', 'ended unknown']);
  });
});

describe('the background work', () => {
  const items = (...events: EventInput[]): unknown =>
    events.flatMap((event) => (event.type === 'background_work' ? [event.items] : [])).at(-1);

  it('includes the lists of the session and of its subagents', () => {
    const { turns, become, updates } = scene();
    turns.childState('s', 'c', { background: [{ type: 'tool_call', toolCallId: 't' }] });
    become('idle', { background: [{ type: 'subagent', sessionId: 'c' }] });
    assert.deepEqual(items(...updates), [
      { type: 'tool_call', toolCallId: 'c/t' },
      { type: 'subagent', subagentId: 'c' },
    ]);
    const before = updates.length;
    turns.childState('s', 'c', { background: [{ type: 'tool_call', toolCallId: 't' }] });
    assert.equal(updates.length, before, 'the same list again');
    turns.childState('s', 'c', { background: [] });
    assert.deepEqual(items(...updates), [{ type: 'subagent', subagentId: 'c' }]);
    turns.childState('s', 'c', {});
    become('idle');
    assert.deepEqual(updates.at(-1), { type: 'background_work' });
  });

  it('ignores the lists in a history', () => {
    const { turns, become, updates } = scene();
    become('idle', { background: [{ type: '_x' }] });
    turns.reopening('s');
    turns.childState('s', 'c', { background: [{ type: '_old' }] });
    become('idle', { background: [{ type: '_x' }] });
    assert.equal(updates.length, 1);
    turns.opened('s');
    assert.deepEqual(items(...updates), [{ type: '_x' }]);
    assert.equal(updates.length, 2);
  });
});

describe('the echo of a message', () => {
  it('changes the message when the agent has changed its text', () => {
    const { calls, echo, send, turns } = scene();
    const prompt = send('/plan');
    echo('u1', 'Make a plan');
    turns.inserted('s', prompt, 'u1');
    assert.deepEqual(calls, ['message own /plan']);
  });

  it('leaves the message as the user wrote it when it was another client’s', () => {
    const { calls, echo, send, turns } = scene();
    const prompt = send('hello');
    echo('u7', 'from elsewhere');
    assert.deepEqual(calls, [], 'the answer decides');
    turns.inserted('s', prompt, 'u8');
    echo('u8', 'hello');
    assert.deepEqual(calls, ['message u7']);
  });

  it('takes time in proportion to its length, and does not wait for the answer without end', () => {
    const { calls, turns, send } = scene();
    send('x'.repeat(1_000_000));
    const chunk = (messageId: string, words: string): void => {
      const event: EventInput = { type: 'message_chunk', role: 'user', messageId, content: { type: 'text', text: words } };
      calls.push(...turns.echo('s', event).map(lineOf));
    };
    for (let index = 0; index < 100_000; index++) {
      chunk('u1', ' ');
    }
    assert.equal(calls.length, 100_000);
    const second = send('x'.repeat(100_000));
    turns.inserted('s', second, 'u2');
    const begun = performance.now();
    for (let index = 0; index < 100_000; index++) {
      chunk('u2', index % 2 === 0 ? 'x' : ' ');
    }
    assert.equal(calls.length, 100_000);
    assert.ok(performance.now() - begun < 5000);
  });

  it('keeps its other fields', () => {
    const { calls, turns, send } = scene();
    turns.inserted('s', send('hello'), 'u1');
    const event: EventInput = { type: 'message', role: 'user', messageId: 'u1', content: [], meta: { a: 1 }, extra: { b: 2 } };
    assert.deepEqual(turns.echo('s', event), [{ type: 'session_info', meta: { a: 1 }, extra: { b: 2 } }]);
    assert.deepEqual(calls, []);
  });

  it('is the message with the id of the answer, and an earlier one is another client’s', () => {
    const { calls, echo, send, turns } = scene();
    const prompt = send('hello');
    echo('u7', 'hello');
    assert.deepEqual(calls, []);
    turns.inserted('s', prompt, 'u8');
    assert.deepEqual(calls, ['message u7']);
    echo('u8', 'hello');
    echo('u9', 'from elsewhere');
    assert.deepEqual(calls, ['message u7', 'message u9']);
  });

  it('is recognized for a message that was put into the running turn', () => {
    const { calls, echo, turns } = scene();
    turns.steered('s', [{ type: 'text', text: 'also this' }]);
    echo('u1', 'from elsewhere');
    echo('u2', 'also this');
    assert.deepEqual(calls, ['message u1']);
    echo('u2', 'also this, and more');
    assert.deepEqual(calls, ['message u1', 'message u2'], 'the agent’s own words are shown');
  });
});
