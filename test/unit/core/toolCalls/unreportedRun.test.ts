import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState, type ToolCallEntry } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { INPUT_PAUSE_MS, isUnreportedRun, unreportedSince } from '../../../../src/core/toolCalls/unreportedRun';
import { chunk, permissionRequest, toolCall } from '../../../support/events';

describe('a call that its agent reports as pending', () => {
  const start: EventInput = { type: 'turn_started', turnId: 't' };
  const announced = (id: string): EventInput => toolCall(id, { status: 'pending', rawInput: {}, kind: 'execute' });
  const input = (id: string): EventInput => toolCall(id, { rawInput: { command: 'sleep 60' } });
  /** Reduces events, each at its second, and returns the calls that run at the time `now`, in seconds. */
  const running = (now: number, ...events: readonly (readonly [second: number, event: EventInput])[]): string[] => {
    const state = events.reduce<SessionState>(
      (each, [second, event]) => reduce(each, { ...event, at: second * 1000 } as SessionEvent),
      EMPTY_STATE,
    );
    const calls = [...state.entries].filter((slot): slot is ToolCallEntry => slot.kind === 'tool_call');
    return calls.filter((call) => isUnreportedRun(unreportedSince(state, call), now * 1000)).map(({ toolCallId }) => toolCallId);
  };

  it('runs when its input has ended', () => {
    const events = [
      [0, start],
      [1, announced('a')],
      [2, input('a')],
    ] as const;
    assert.equal(INPUT_PAUSE_MS, 1000);
    assert.deepEqual(running(2.9, ...events), [], 'the input may still be streamed');
    assert.deepEqual(running(3, ...events), ['a']);
    assert.deepEqual(running(3, ...events, [2.5, input('a')]), []);
    assert.deepEqual(running(60, [0, start], [1, announced('a')]), [], 'there is no input');
  });

  it('runs at once when it has a terminal or an output', () => {
    const terminal = toolCall('a', { content: [{ type: 'terminal', terminalId: 't' }] });
    assert.deepEqual(running(1, [0, start], [1, announced('a')], [1, terminal]), ['a']);
    assert.deepEqual(running(1, [0, start], [1, announced('a')], [1, toolCall('a', { rawOutput: 'one' })]), ['a']);
    assert.deepEqual(running(9, [0, start], [1, announced('a')], [1, toolCall('a', { rawOutput: '' })]), []);
  });

  it('waits while the user is asked, about this call or another one', () => {
    const events = [
      [0, start],
      [1, announced('a')],
      [2, input('a')],
    ] as const;
    assert.deepEqual(running(9, ...events, [3, permissionRequest('p', 'May I?', { subject: { toolCallId: 'a' } })]), []);
    assert.deepEqual(running(9, ...events, [3, permissionRequest('p', 'May I?')]), []);
  });

  it('runs after the calls before it', () => {
    const both = [
      [0, start],
      [1, announced('a')],
      [2, input('a')],
      [2, announced('b')],
      [3, input('b')],
    ] as const;
    assert.deepEqual(running(3.5, ...both), [], 'the agent still sends inputs');
    assert.deepEqual(running(9, ...both), ['a']);
    assert.deepEqual(running(9, ...both, [4, toolCall('a', { status: 'completed' })]), ['b']);
    assert.deepEqual(running(9, ...both, [4, toolCall('a', { status: 'in_progress' })]), ['b']);
  });

  it('does not run once the agent writes a message, and after its turn', () => {
    const events = [
      [0, start],
      [1, announced('a')],
      [2, input('a')],
    ] as const;
    assert.deepEqual(running(9, ...events, [4, chunk('Done')]), []);
    assert.deepEqual(running(9, ...events, [4, chunk('Next')], [5, announced('b')], [5, input('b')]), ['b']);
    assert.deepEqual(running(9, ...events, [4, { type: 'turn_cancelling' }]), []);
    assert.deepEqual(running(9, ...events, [4, { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' }]), []);
  });
});
