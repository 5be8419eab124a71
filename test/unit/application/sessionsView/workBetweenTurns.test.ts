/** Rows of the sessions view for work between turns, and for agents that do not stop. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { outcomeOf } from '../../../../src/session/journal/sessionOutcome';
import { SessionStore } from '../../../../src/session/state/store';
import { LiveOutcomes, liveFacts } from '../../../../src/application/sessionsView/sessionFacts';
import { rowStrings } from '../../../../src/application/sessionsView/rowStrings';
import { FakeClock } from '../../session/permission/fakes';
import { chunk } from '../../../support/events';
import { english } from '../english';

/** A session with one turn, whose end the user has seen. */
function stage(stopReason = 'end_turn') {
  const clock = new FakeClock();
  const store = new SessionStore(clock);
  const session = { key: 'a', agentId: 'Codex', agentName: 'Codex', roots: { cwd: '/w' }, store };
  const outcomes = new LiveOutcomes();
  const happen = (...events: EventInput[]): void => {
    clock.pass(1000);
    store.append(...events);
  };
  happen({ type: 'session_ready', sessionId: 'S' }, { type: 'turn_started', turnId: '1' }, chunk('Started.', 'm'));
  happen({ type: 'turn_ended', turnId: '1', stopReason });
  const seenAt = clock.now();
  const facts = () => liveFacts(session, { seenAt }, outcomes.of(session), 0);
  return { happen, facts, store, standing: () => facts().status };
}
const START: EventInput = { type: 'work_started', workId: 'w' };
const END: EventInput = { type: 'work_ended', workId: 'w' };
const STOP: EventInput = { type: 'turn_cancelling' };

describe('a session in the sessions view', () => {
  for (const stopReason of ['end_turn', 'cancelled']) {
    it(`works between turns, and is then unread, after a turn that ended with ${stopReason}`, () => {
      const { happen, facts, standing, store } = stage(stopReason);
      assert.equal(standing(), 'resting');
      happen(START, chunk('The build failed.', 'm'));
      assert.deepEqual([standing(), facts().busy, facts().at], ['working', true, store.state.work!.startedAt]);
      happen(END);
      assert.deepEqual([standing(), facts().unread, facts().busy], ['done', true, false]);
      assert.equal(outcomeOf(store.state).turnEndedAt, store.state.workEndedAt);
    });
  }

  it('stays read when the user has stopped the work', () => {
    const { happen, standing } = stage();
    happen(START, chunk('The build failed.', 'm'), STOP);
    happen(END);
    assert.equal(standing(), 'resting');
  });

  it('needs the user, and does not count as working, when its agent does not stop', () => {
    const { happen, facts, standing } = stage();
    happen({ type: 'turn_started', turnId: '2' }, STOP);
    assert.equal(standing(), 'working');
    happen({ type: 'stop_unanswered' });
    assert.equal(standing(), 'needsYou');
    const words = { now: 0, language: 'en', folderName: () => undefined, namesFolder: () => false };
    assert.match(String(rowStrings({ kind: 'session', id: 'a', facts: facts() }, words, english).spoken), /not responding to Stop/);
    happen({ type: 'turn_ended', turnId: '2', stopReason: 'cancelled' });
    assert.equal(standing(), 'resting');
  });
});
