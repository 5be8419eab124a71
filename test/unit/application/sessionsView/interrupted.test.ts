/** Rows of sessions whose window went while their agent worked. */
import assert from 'node:assert/strict';
import { SessionStore } from '../../../../src/session/state/store';
import { outcomeOf } from '../../../../src/session/journal/sessionOutcome';
import { keptFacts, LiveOutcomes, liveFacts } from '../../../../src/application/sessionsView/sessionFacts';
import { FakeClock } from '../../session/permission/fakes';
import { summary } from './fakes';

describe('an interrupted session in the sessions view', () => {
  const kept = (state: NonNullable<Parameters<typeof summary>[1]>['state'], elsewhere = false) =>
    keptFacts(summary('a', { state, turnEndedAt: 5, marks: { seenAt: 9 } }), elsewhere).status;

  it('is interrupted when it was under way as its window went, and as it is elsewhere', () => {
    assert.deepEqual([kept('working'), kept('needsYou'), kept('interrupted')], ['interrupted', 'interrupted', 'interrupted']);
    assert.deepEqual([kept('working', true), kept('needsYou', true)], ['working', 'needsYou']);
    assert.deepEqual([kept('done'), kept('failed')], ['resting', 'failed']);
  });

  it('is interrupted over all attempts to connect again, and as it was afterwards', () => {
    const store = new SessionStore(new FakeClock());
    const session = { key: 'a', agentId: 'far', agentName: 'Far', roots: { cwd: '/w' }, store };
    const statuses: unknown[] = [];
    const events = [
      { type: 'session_ready', sessionId: 'S' },
      { type: 'disconnected', failure: { code: 'remote.closed' } },
      { type: 'reconnect_scheduled', reconnect: { attempt: 1, at: 5, host: 'far', wasBusy: false } },
      { type: 'session_opened', agentName: 'Far', cwd: '/w' },
      { type: 'session_failed', failure: { code: 'remote.unreachable' } },
      { type: 'session_ready', sessionId: 'S' },
    ] as const;
    for (const event of events) {
      store.append({ ...event });
      statuses.push(liveFacts(session, {}, new LiveOutcomes().of(session), 0).status);
    }
    assert.deepEqual(statuses, ['resting', 'failed', 'interrupted', 'interrupted', 'interrupted', 'resting']);
  });

  it('counts as seen when the user has stopped its agent', () => {
    const store = new SessionStore(new FakeClock());
    const session = { key: 'a', agentId: 'codex', agentName: 'Codex', roots: { cwd: '/w' }, store };
    store.append({ type: 'session_ready', sessionId: 'S' }, { type: 'turn_started', turnId: '1' });
    store.append({ type: 'disconnected', failure: { code: 'agent.stopped' } });
    const { status, unread } = liveFacts(session, {}, new LiveOutcomes().of(session), 0);
    assert.deepEqual([status, unread, outcomeOf(store.state).state], ['resting', false, 'resting']);
  });

  it('stays so once it was opened and closed, until its next turn', () => {
    const store = new SessionStore(new FakeClock());
    const session = { key: 'a', agentId: 'codex', agentName: 'Codex', roots: { cwd: '/w' }, store };
    const standing = () => liveFacts(session, {}, new LiveOutcomes().of(session), 0).status;
    store.append({ type: 'session_ready', sessionId: 'S' }, { type: 'turn_started', turnId: '1' });
    store.append({ type: 'disconnected', failure: { code: 'session.interrupted' } });
    assert.equal(standing(), 'interrupted');
    assert.equal(outcomeOf(store.state).state, 'interrupted');
    store.append({ type: 'session_ready', sessionId: 'S' }, { type: 'turn_started', turnId: '2' });
    assert.equal(standing(), 'working');
    store.append({ type: 'turn_ended', turnId: '2', stopReason: 'end_turn' });
    assert.equal(standing(), 'done');
  });
});
