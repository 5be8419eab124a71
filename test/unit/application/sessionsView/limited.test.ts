/** Rows of sessions whose last turn met a limit of the account. */
import assert from 'node:assert/strict';
import { SessionStore } from '../../../../src/session/state/store';
import { outcomeOf } from '../../../../src/session/journal/sessionOutcome';
import { keptFacts, LiveOutcomes, liveFacts } from '../../../../src/application/sessionsView/sessionFacts';
import { FakeClock } from '../../session/permission/fakes';
import { summary } from './fakes';

describe('a session at its limit in the sessions view', () => {
  const begun = () => {
    const store = new SessionStore(new FakeClock());
    const session = { key: 'a', agentId: 'codex', agentName: 'Codex', roots: { cwd: '/w' }, store };
    const outcomes = new LiveOutcomes();
    store.append({ type: 'session_ready', sessionId: 'S' }, { type: 'turn_started', turnId: '1' });
    return { store, row: () => liveFacts(session, {}, outcomes.of(session), 0) };
  };
  const fail = (store: SessionStore, cause: string) =>
    store.append({ type: 'turn_ended', turnId: '1', stopReason: 'error', failure: { code: 'request.failed', params: { cause } } });

  it('has not failed, whether it continues by itself or not', () => {
    const { store, row } = begun();
    fail(store, 'usage_limit');
    assert.deepEqual([row().status, row().continuesAt], ['limited', undefined]);
    store.append({ type: 'continue_scheduled', continuesAt: 5000, turnId: '1' });
    assert.deepEqual([row().status, row().continuesAt], ['limited', 5000]);
    store.append({ type: 'continue_scheduled' });
    assert.deepEqual([row().status, row().continuesAt], ['limited', undefined]);
    store.append({ type: 'turn_started', turnId: '2' });
    assert.equal(row().status, 'working');
  });

  it('has failed for any other reason', () => {
    const { store, row } = begun();
    fail(store, 'network');
    assert.equal(row().status, 'failed');
    const lost = begun();
    fail(lost.store, 'usage_limit');
    lost.store.append({ type: 'disconnected', failure: { code: 'agent.exited' } });
    assert.equal(lost.row().status, 'failed', 'the end of its agent is the newer fact');
  });

  it('stays so when it is stored', () => {
    const { store } = begun();
    fail(store, 'rate_limit');
    const { state } = outcomeOf(store.state);
    assert.equal(state, 'limited');
    assert.equal(keptFacts(summary('a', { state, turnEndedAt: 5, marks: { seenAt: 9 } }), false).status, 'limited');
  });
});
