import assert from 'node:assert/strict';
import { eventsBefore } from '../../../src/session/forkPoint';
import { messageBefore } from '../../../src/session/state/agentMemory';
import { EMPTY_STATE } from '../../../src/core/model/state';
import { reduce } from '../../../src/core/reduce/reduce';
import type { SessionEvent } from '../../../src/core/model/event';
import { message, notice, stateOf, toolCall } from '../../support/events';

const turnOf = (turnId: string, ...between: readonly object[]) =>
  [
    { type: 'turn_started', turnId },
    message('ask', turnId, 'user'),
    ...between,
    { type: 'turn_ended', turnId, stopReason: 'end_turn' },
  ] as Parameters<typeof stateOf>[0][number][];

describe('a fork before a message', () => {
  it("ends after the agent's last message", () => {
    const state = stateOf([...turnOf('one', message('first', 'm1')), notice('n', 'info', 'N'), ...turnOf('two', message('second', 'm2'))]);
    assert.equal(messageBefore(state, 'user:two'), 'm1');
  });

  it('is impossible without an id of the agent, before the first message, and after a tool call', () => {
    const before = (...between: readonly object[]) => messageBefore(stateOf([...turnOf('one', ...between), ...turnOf('two')]), 'user:two');
    assert.equal(before(message('first', '~1')), undefined);
    assert.equal(before(message('first', 'm1'), toolCall('t')), undefined);
    assert.equal(before(), undefined);
    assert.equal(messageBefore(stateOf(turnOf('one')), 'user:one'), undefined);
  });

  it('is impossible where the agent has forgotten the message before', () => {
    for (const code of ['session.rewound', 'session.restarted'] as const) {
      const forgotten = { type: 'notice', noticeId: 'n', severity: 'info', title: '', failure: { code } } as const;
      const state = stateOf([
        ...turnOf('one', message('first', 'm1')),
        forgotten,
        ...turnOf('two', message('second', 'm2')),
        ...turnOf('three'),
      ]);
      assert.deepEqual([messageBefore(state, 'user:two'), messageBefore(state, 'user:three')], [undefined, 'm2']);
    }
  });

  it('has the events before the message', () => {
    const events = [...turnOf('one', message('first', 'm1')), ...turnOf('two')].map((event, at) => ({ ...event, at }) as SessionEvent);
    const state = events.reduce(reduce, EMPTY_STATE);
    assert.equal(eventsBefore(state, events, 'user:two')?.length, 4);
    assert.equal(eventsBefore(state, events.slice(1), 'user:two')?.length, 3);
    assert.equal(eventsBefore(state, events.slice(0, 3), 'user:two'), undefined);
    assert.equal(eventsBefore(state, events, 'user:none'), undefined);
  });
});
