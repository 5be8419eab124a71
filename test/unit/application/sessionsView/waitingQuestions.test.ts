import assert from 'node:assert/strict';
import type { EventInput, SessionEvent } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { questionAfter, waitingQuestions } from '../../../../src/application/sessionsView/waitingQuestions';
import { english } from '../english';

const session = (key: string, agentName: string, ...events: (EventInput & { at?: number })[]) => {
  const state = events.reduce<SessionState>((before, event) => reduce(before, { at: 0, ...event } as SessionEvent), {
    ...EMPTY_STATE,
    agentName,
    cwd: '/w',
  });
  return { key, agentName, store: { state } };
};
const ask = (permissionId: string, at: number, more: object = {}) =>
  ({
    type: 'permission_requested',
    permissionId,
    title: `Edit ${permissionId}`,
    options: [],
    subject: { kind: 'edit' },
    at,
    ...more,
  }) as EventInput & {
    at: number;
  };

describe('the questions of all sessions', () => {
  it('are listed oldest first, with their session and the name of the child', () => {
    const run = { title: 'Run tests', subject: { kind: 'execute', rawInput: { command: 'npm test' } }, askedBy: 'tester' };
    const form = {
      type: 'elicitation_requested',
      requestKey: 'f',
      message: 'Your name?',
      body: { mode: 'url', elicitationId: 'e', url: 'https://a.example' },
      at: 2,
    };
    const rows = waitingQuestions(
      [
        session('one', 'Ada', { type: 'session_info', title: 'Refactor' }, ask('late', 3), ask('first', 1)),
        session('two', 'Bob', ask('p', 4, run), form as EventInput),
        session('three', 'Cat', ask('answered', 0), { type: 'permission_resolved', permissionId: 'answered', outcome: 'selected' }),
      ],
      english,
    );
    assert.deepEqual(
      rows.map(({ sessionKey, label, description, detail }) => [sessionKey, label, description, detail]),
      [
        ['one', 'Edit first', 'Ada · Refactor', undefined],
        ['two', 'Your name?', 'Bob · Bob', undefined],
        ['one', 'Edit late', 'Ada · Refactor', undefined],
        ['two', 'Run tests', 'Bob: tester · Bob', 'npm test'],
      ],
    );
    assert.equal(rows[0]!.entryId, 'permission:first');
  });

  it('follow each other at the key, from the one that has the focus', () => {
    const rows = waitingQuestions([session('one', 'Ada', ask('a', 1), ask('c', 3)), session('two', 'Bob', ask('b', 2))], english);
    const next = (focused: string) => questionAfter(rows, ({ entryId }) => entryId === `permission:${focused}`)?.entryId;
    assert.deepEqual(['a', 'b', 'c', 'none'].map(next), ['permission:b', 'permission:c', 'permission:a', undefined]);
    assert.equal(
      questionAfter(rows.slice(0, 1), () => true),
      undefined,
    );
  });
});
