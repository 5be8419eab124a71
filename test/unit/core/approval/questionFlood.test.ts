import assert from 'node:assert/strict';
import { alikeAnswers } from '../../../../src/core/approval/alikeAnswers';
import { floodOf } from '../../../../src/core/approval/questionFlood';
import type { EventInput, SessionEvent } from '../../../../src/core/model/event';
import { EMPTY_STATE, type PermissionEntry, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';

const OPTIONS = [
  { optionId: 'y', name: 'Yes', kind: 'allow_once' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
];
const ask = (permissionId: string, more: object = {}): EventInput => ({
  type: 'permission_requested',
  permissionId,
  title: permissionId,
  options: OPTIONS,
  subject: {},
  ...more,
});
const answer = (permissionId: string, byRule?: object): EventInput =>
  ({ type: 'permission_resolved', permissionId, outcome: 'selected', optionId: 'y', ...(byRule && { byRule }) }) as EventInput;
/** The state after these events, each some ms after the one before. */
const after = (ms: number, ...events: EventInput[]): SessionState =>
  events.reduce((state, event, index) => reduce(state, { ...event, at: index * ms } as SessionEvent), EMPTY_STATE);
const many = (count: number): EventInput[] => Array.from({ length: count }, (_, index) => ask(`q${index}`));
const ids = (questions: readonly PermissionEntry[]) => questions.map(({ permissionId }) => permissionId);

describe('a flood of questions', () => {
  it('begins with ten that wait', () => {
    assert.deepEqual(ids(floodOf(after(1, ...many(9)))), []);
    assert.equal(floodOf(after(1, ...many(10))).length, 10);
  });

  it('counts the answered ones of the last minute, but no automatic answers', () => {
    const answered = many(10).flatMap((question, index) => (index < 8 ? [question, answer(`q${index}`)] : [question]));
    assert.deepEqual(ids(floodOf(after(100, ...answered))), ['q8', 'q9']);
    assert.deepEqual(floodOf(after(10_000, ...answered)), [], 'more than a minute');
    const automatic = many(10).flatMap((question, index) =>
      index < 8 ? [question, answer(`q${index}`, { id: 'r', reason: { code: 'rule' } })] : [question],
    );
    assert.deepEqual(floodOf(after(100, ...automatic)), []);
  });

  it('is answered with each question’s own option of the kind', () => {
    const questions = floodOf(
      after(
        1,
        ...many(8),
        ask('other', { options: [{ optionId: 'ok', name: 'Allow', kind: 'allow_once' }] }),
        ask('always', { options: [{ optionId: 'ever', name: 'Always', kind: 'allow_always' }] }),
      ),
    );
    const allowed = alikeAnswers(questions, 'allow_once', EMPTY_STATE);
    assert.deepEqual(allowed.slice(-2), [
      { permissionId: 'q7', optionId: 'y' },
      { permissionId: 'other', optionId: 'ok' },
    ]);
    assert.deepEqual(
      alikeAnswers(questions, 'reject_once', EMPTY_STATE).map(({ permissionId }) => permissionId),
      ['q0', 'q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7'],
    );
  });

  it('leaves those that need a look of their own', () => {
    const reason = { type: 'protected_path', access: 'read', rule: '.env', path: '.env' };
    const questions = floodOf(
      after(
        1,
        ...many(6),
        ask('no', { defaultToNo: true }),
        ask('protected', { subject: { reason } }),
        ask('again', { subject: { reason: { type: 'repetition' } } }),
        ask('plan', { subject: { kind: 'switch_mode' } }),
        ask('misnamed', { options: [{ optionId: 'x', name: 'Reject', kind: 'allow_once' }] }),
      ),
    );
    assert.equal(alikeAnswers(questions, 'allow_once', EMPTY_STATE).length, 6);
    assert.equal(alikeAnswers(questions, 'reject_once', EMPTY_STATE).length, 10);
  });

  it('leaves a plan whose kind only its tool call has', () => {
    const call = { type: 'tool_call_update', toolCallId: 'leave', patch: { kind: 'switch_mode', title: 'Ready to code?' } } as EventInput;
    const state = after(1, call, ...many(9), ask('plan', { subject: { toolCallId: 'leave' } }));
    const allowed = alikeAnswers(floodOf(state), 'allow_once', state);
    assert.equal(floodOf(state).length, 10);
    assert.equal(
      allowed.some(({ permissionId }) => permissionId === 'plan'),
      false,
    );
  });
});
