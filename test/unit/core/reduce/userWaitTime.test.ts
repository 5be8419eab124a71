import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState, type ToolCallEntry, type TurnEntry } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { turnWorkingTime, workingTime } from '../../../../src/core/reduce/userWaitTime';
import { permissionRequest, toolCall } from '../../../support/events';

/** Reduces events, each at its second. */
const fold = (...events: readonly (readonly [second: number, event: EventInput])[]): SessionState =>
  events.reduce((state, [second, event]) => reduce(state, { ...event, at: second * 1000 } as SessionEvent), EMPTY_STATE);
const asked = (id: string, toolCallId?: string) =>
  permissionRequest(id, 'May I?', { subject: toolCallId === undefined ? {} : { toolCallId } });
const answered = (permissionId: string): EventInput => ({
  type: 'permission_resolved',
  permissionId,
  outcome: 'selected',
  optionId: 'a',
});
const start: EventInput = { type: 'turn_started', turnId: 't' };
const end: EventInput = { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' };
const form = (requestKey: string, toolCallId?: string): EventInput => ({
  type: 'elicitation_requested',
  requestKey,
  message: 'Which?',
  body: { mode: 'form', fields: [] },
  ...(toolCallId !== undefined && { toolCallId }),
});
const call = (state: SessionState, id: string) => state.entries.get(`tool_call:${id}`) as ToolCallEntry;
const worked = (state: SessionState, id: string) => (call(state, id).updatedAt - call(state, id).at - (call(state, id).waited ?? 0)) / 1000;
const turn = (state: SessionState) => {
  const entry = state.entries.get('turn:t') as TurnEntry;
  return (entry.at - entry.startedAt - (entry.waited ?? 0)) / 1000;
};

describe("the user's answering time", () => {
  it('is excluded from the time of the turn and of the call that asked', () => {
    const state = fold(
      [0, start],
      [1, toolCall('a', { status: 'pending' })],
      [2, asked('p', 'a')],
      [59, answered('p')],
      [60, toolCall('a', { status: 'in_progress' })],
      [61, toolCall('a', { status: 'completed' })],
      [62, end],
    );
    assert.equal(worked(state, 'a'), 3);
    assert.equal(turn(state), 5);
    assert.equal(state.waitingSince, undefined);
  });

  it('counts once while several questions wait', () => {
    const state = fold(
      [0, start],
      [1, toolCall('a')],
      [1, toolCall('b')],
      [2, asked('p', 'a')],
      [10, form('f', 'b')],
      [20, answered('p')],
      [21, toolCall('a', { status: 'completed' })],
      [30, { type: 'elicitation_resolved', requestKey: 'f', outcome: 'accepted' }],
      [31, toolCall('b', { status: 'completed' })],
      [32, end],
    );
    // `a` was allowed while the form for `b` waited, but it had not started. It still ended a second later.
    assert.equal(worked(state, 'a'), 1);
    assert.equal(worked(state, 'b'), 2);
    assert.equal(turn(state), 4);
  });

  it('counts for another call that keeps running', () => {
    const state = fold(
      [0, start],
      [0, toolCall('build', { status: 'in_progress' })],
      [0, toolCall('edit', { status: 'pending' })],
      [10, asked('p', 'edit')],
      [40, toolCall('build', { status: 'completed' })],
      [50, answered('p')],
      [51, toolCall('edit', { status: 'completed' })],
      [51, end],
    );
    assert.equal(worked(state, 'build'), 40);
    assert.equal(worked(state, 'edit'), 11);
    assert.equal(turn(state), 11);
  });

  it('is excluded from all open calls when a question names no call, or an unknown one', () => {
    for (const question of [asked('p'), asked('p', 'unknown'), form('f')]) {
      const state = fold(
        [0, start],
        [0, toolCall('a', { status: 'in_progress' })],
        [1, question],
        [9, toolCall('a', { status: 'completed' })],
        [10, end],
      );
      assert.equal(worked(state, 'a'), 1);
      assert.equal(turn(state), 1, 'the turn ended, and with it the question');
    }
  });

  it('ends with the question, however it ended', () => {
    for (const ending of [
      { type: 'permission_resolved', permissionId: 'p', outcome: 'withdrawn' },
      { type: 'disconnected', failure: { code: 'agent.exited' } },
      { type: 'session_ended' },
    ] as const) {
      const isOnlyAnswer = ending.type === 'permission_resolved';
      const state = fold([0, start], [1, toolCall('a')], [2, asked('p', 'a')], [20, ending], ...(isOnlyAnswer ? [[25, end] as const] : []));
      assert.equal(turn(state), isOnlyAnswer ? 7 : 2);
      assert.equal(state.waitingSince, undefined);
    }
    const stopped = fold([0, start], [1, toolCall('a')], [2, asked('p', 'a')], [20, { type: 'turn_cancelling' }]);
    assert.equal(worked(stopped, 'a'), 1);
  });

  it('may start before the call is known, or before the turn', () => {
    const state = fold(
      [0, asked('p', 'a')],
      [5, start],
      [6, toolCall('a')],
      [10, answered('p')],
      [11, toolCall('a', { status: 'completed' })],
      [12, end],
    );
    assert.equal(worked(state, 'a'), 1);
    assert.equal(turn(state), 2);
  });

  it('stops the clock of the turn and the call', () => {
    const state = fold([0, start], [1, toolCall('a', { status: 'in_progress' })], [4, asked('p', 'a')]);
    assert.equal(turnWorkingTime(state, 60_000), 4000);
    assert.equal(workingTime(state, call(state, 'a'), 60_000), 3000);
    const later = reduce(state, { ...answered('p'), at: 60_000 } as SessionEvent);
    assert.equal(turnWorkingTime(later, 61_000), 5000);
    assert.equal(workingTime(later, call(later, 'a'), 61_000), 4000);
  });
});
