/** Late updates of a stopped turn, calls that outlive their turn, and work between turns. */
import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { isBusy, isUnresponsive, takesPrompts } from '../../../../src/core/model/select';
import { EMPTY_STATE, type MessageEntry, type SessionState, type ToolCallEntry } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { chunk, message, toolCall, toolText } from '../../../support/events';

/** The state after these events, one per second. */
const after = (events: readonly EventInput[], from: SessionState = EMPTY_STATE): SessionState =>
  events.reduce((state, event, index) => reduce(state, { ...event, at: (index + 1) * 1000 } as SessionEvent), from);
const READY: EventInput = { type: 'session_ready', sessionId: 'S' };
const started = (turnId: string): EventInput => ({ type: 'turn_started', turnId });
const ended = (turnId: string, stopReason = 'end_turn'): EventInput => ({ type: 'turn_ended', turnId, stopReason });
const STOP: EventInput = { type: 'turn_cancelling' };
const call = (state: SessionState, id: string): ToolCallEntry => state.entries.get(`tool_call:${id}`) as ToolCallEntry;
const lines = (state: SessionState): string[] =>
  [...state.entries].map((slot) => {
    if (slot.kind === 'message') {
      return (slot as MessageEntry).content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    }
    return slot.kind === 'turn' ? '---' : slot.kind;
  });

/** The state in which the call `old` is stopped and the next turn runs. */
const stopped = (...more: EventInput[]): SessionState =>
  after([started('1'), toolCall('old', { status: 'in_progress' }), STOP, ended('1', 'cancelled'), started('2'), ...more]);

describe('a tool call that Stop has cancelled', () => {
  for (const status of ['in_progress', 'pending', null, 'sleeping']) {
    it(`does not run again in the next turn with the status ${status}`, () => {
      const state = stopped(toolCall('old', { status, content: [toolText('late')] }));
      assert.deepEqual([call(state, 'old').status, state.openToolCalls, call(state, 'old').content.length], ['cancelled', [], 1]);
      assert.equal(call(state, 'old').updatedAt, 3000);
      assert.equal(call(after([ended('2')], state), 'old').status, 'cancelled');
    });
  }

  it('accepts a final status, and does not run again after it', () => {
    const done = stopped(toolCall('old', { status: 'completed' }));
    assert.deepEqual([call(done, 'old').status, call(done, 'old').updatedAt], ['completed', 6000]);
    const late = after([toolCall('old', { status: 'in_progress' })], done);
    assert.deepEqual([call(late, 'old').status, late.openToolCalls], ['completed', []]);
  });

  it('is not failed when the agent reports its end as a failure', () => {
    const running = [started('1'), toolCall('old', { status: 'in_progress' })];
    const failed = toolCall('old', { status: 'failed', content: [toolText('Interrupted')] });
    for (const events of [
      [...running, STOP, failed],
      [...running, STOP, failed, ended('1', 'cancelled')],
      [...running, STOP, ended('1', 'cancelled'), failed],
      [started('1'), STOP, failed],
    ]) {
      const state = after(events);
      assert.deepEqual([call(state, 'old').status, call(state, 'old').content.length], ['cancelled', 1]);
    }
    const before = after([...running, failed, STOP, failed, ended('1', 'cancelled')]);
    assert.equal(call(before, 'old').status, 'failed', 'it failed before Stop');
  });

  it('does not run again when it was announced after Stop', () => {
    const state = after([
      started('1'),
      STOP,
      toolCall('new', { status: 'in_progress' }),
      ended('1', 'cancelled'),
      toolCall('new', { status: 'in_progress' }),
    ]);
    assert.deepEqual([call(state, 'new').status, state.openToolCalls], ['cancelled', []]);
  });

  it('stays cancelled when the agent ends its turn by itself after Stop', () => {
    const state = after([
      started('1'),
      toolCall('old', { status: 'in_progress' }),
      STOP,
      ended('1'),
      toolCall('old', { status: 'pending' }),
    ]);
    assert.equal(call(state, 'old').status, 'cancelled');
  });
});

describe('a tool call that is open when its turn ends', () => {
  for (const stopReason of ['end_turn', 'max_tokens', 'refusal', 'unknown']) {
    it(`is in the background after ${stopReason}, and its later status counts`, () => {
      const state = after([started('1'), toolCall('dev', { status: 'in_progress' }), ended('1', stopReason)]);
      assert.deepEqual([call(state, 'dev').status, state.openToolCalls], ['background', []]);
      assert.equal(call(after([toolCall('dev', { status: 'completed' })], state), 'dev').status, 'completed');
      const again = after([toolCall('dev', { status: 'in_progress' })], state);
      assert.deepEqual([call(again, 'dev').status, again.openToolCalls], ['in_progress', ['dev']]);
    });
  }

  it('is cancelled when the agent reports that the turn was stopped', () => {
    const state = after([started('1'), toolCall('dev', { status: 'in_progress' }), ended('1', 'cancelled')]);
    assert.equal(call(state, 'dev').status, 'cancelled');
  });

  it('stays in the background when a later turn is stopped', () => {
    const state = after([
      started('1'),
      toolCall('dev', { status: 'in_progress' }),
      ended('1'),
      started('2'),
      STOP,
      ended('2', 'cancelled'),
    ]);
    assert.equal(call(state, 'dev').status, 'background');
  });

  for (const [what, more] of [
    ['command', { type: 'terminal_output', terminalId: 'dev', text: 'ready' }],
    ['listed call', { type: 'background_work', items: [{ type: 'tool_call', toolCallId: 'dev' }] }],
  ] as const satisfies readonly (readonly [string, EventInput])[]) {
    it(`ends with the agent when it is in the background, as a ${what}`, () => {
      const state = after([READY, started('1'), toolCall('dev', { status: 'in_progress' }), more, ended('1')]);
      assert.equal(call(state, 'dev').status, 'background');
      const lost = after([{ type: 'disconnected', failure: { code: 'agent.exited' } }], state);
      assert.equal(call(lost, 'dev').status, 'unfinished');
      assert.equal(call(after([{ type: 'session_ended' }], state), 'dev').status, 'cancelled');
      assert.equal(call(after([toolCall('dev', { status: 'completed' })], lost), 'dev').status, 'completed');
    });
  }
});

describe('work between turns', () => {
  const rest = after([READY, started('1'), message('go', '1', 'user'), chunk('Started.', 'm'), ended('1')]);
  const work = (workId: string, isLate?: true): EventInput => ({ type: 'work_started', workId, ...(isLate && { isLate }) });

  it('makes the session busy, which still accepts prompts', () => {
    const state = after([work('w')], rest);
    assert.deepEqual([isBusy(rest), isBusy(state), takesPrompts(state)], [false, true, true]);
    assert.equal(isBusy(after([{ type: 'work_ended', workId: 'other' }], state)), true);
    const over = after([{ type: 'work_ended', workId: 'w' }], state);
    assert.deepEqual([isBusy(over), over.workEndedAt], [false, 1000]);
  });

  it("shows its text below the turn's footer, in a separate message for each period of work", () => {
    const one = after([work('w1'), chunk('The build ', 'm'), chunk('failed.', 'm'), { type: 'work_ended', workId: 'w1' }], rest);
    const two = after([work('w2'), chunk('Fixed.', 'm')], one);
    assert.deepEqual(lines(two), ['go', 'Started.', '---', 'The build failed.', '---', 'Fixed.']);
  });

  it('keeps thoughts and text of the same id apart', () => {
    const state = after([work('w'), chunk('hm', 'm', 'thought'), chunk('The build failed.', 'm'), chunk(' Really.', 'm')], rest);
    assert.deepEqual(lines(state).slice(3), ['hm', 'The build failed. Really.']);
  });

  it('adds late text of a stopped turn to that turn', () => {
    const end: EventInput = { type: 'work_ended', workId: 'w' };
    const state = after([work('w', true), chunk(' More.', 'm'), end], rest);
    assert.deepEqual([lines(state), state.workEndedAt], [['go', 'Started. More.', '---'], undefined]);
    const own = after([work('w', true), chunk('By the way.', 'n'), end], rest);
    assert.deepEqual([lines(own).at(-1), own.workEndedAt], ['By the way.', 3000]);
  });

  it('does not start while a turn runs, and ends when one starts', () => {
    assert.equal(after([started('2'), work('w')], rest).work, undefined);
    const state = after([work('w'), toolCall('build', { status: 'in_progress' }), started('2')], rest);
    assert.deepEqual([state.work, state.openToolCalls], [undefined, ['build']]);
  });

  it('is stopped with its tool calls, and then shows no end', () => {
    const state = after([work('w'), toolCall('build', { status: 'in_progress' }), STOP], rest);
    assert.deepEqual([state.work?.cancelling, call(state, 'build').status], [true, 'cancelled']);
    assert.equal(after([{ type: 'work_ended', workId: 'w' }], state).workEndedAt, undefined);
  });

  it('ends when the agent disconnects', () => {
    assert.equal(after([work('w'), { type: 'disconnected', failure: { code: 'agent.exited' } }], rest).work, undefined);
  });
});

describe('a Stop without an end', () => {
  const UNANSWERED: EventInput = { type: 'stop_unanswered' };

  it('counts only while the agent is being stopped, in a turn and between turns', () => {
    const turn = after([READY, started('1')]);
    assert.equal(after([UNANSWERED], turn), turn);
    const stopping = after([STOP, UNANSWERED], turn);
    assert.equal(isUnresponsive(stopping), true);
    assert.equal(isUnresponsive(after([ended('1', 'cancelled')], stopping)), false);
    const work = after([READY, { type: 'work_started', workId: 'w' }, STOP, UNANSWERED]);
    assert.equal(isUnresponsive(work), true);
  });
});

describe('queued messages when the user restarts the agent', () => {
  const queued: EventInput = { type: 'message_queued', queueId: 'q', content: [{ type: 'text', text: 'next' }], size: 4 };
  const restarted: EventInput = { type: 'disconnected', failure: { code: 'agent.restarted' } };
  const isPaused = (...events: EventInput[]) => after([READY, ...events]).queue.map(({ paused }) => paused ?? false);

  it('continue after a turn that was stopped before', () => {
    assert.deepEqual(isPaused(started('1'), STOP, queued, ended('1', 'cancelled'), restarted), [false]);
  });

  it('wait for the user when the restart interrupted a turn, or when the agent may have received them', () => {
    assert.deepEqual(isPaused(started('1'), queued, restarted), [true]);
    const steering: EventInput = { type: 'queued_message_steering', queueId: 'q', steering: true };
    assert.deepEqual(isPaused(started('1'), queued, steering, STOP, ended('1', 'cancelled'), restarted), [true]);
  });
});
