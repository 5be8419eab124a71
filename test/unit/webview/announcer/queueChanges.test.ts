import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { queueChanges } from '../../../../webview/announcer/queueChanges';
import { queueStatusText } from '../../../../webview/queue/queueStrings';
import { initialized, message, stateOf } from '../../../support/events';

const opened: EventInput = { type: 'session_opened', agentName: 'Ada', cwd: '/w' };
const ready: EventInput = { type: 'session_ready', sessionId: 's' };
const turn = (turnId = 't'): EventInput => ({ type: 'turn_started', turnId });
const over = (stopReason = 'end_turn'): EventInput => ({ type: 'turn_ended', turnId: 't', stopReason });
const queued = (queueId: string): EventInput => ({ type: 'message_queued', queueId, content: [], size: 0 });
const busy = stateOf([opened, initialized(), ready, turn()]);

describe('the announcement of the queue', () => {
  const said = (before: readonly EventInput[], ...events: EventInput[]): string[] => {
    const state = stateOf(before, busy);
    return queueChanges(state.queue, stateOf(events, state));
  };

  it('describes the changes of its messages', () => {
    assert.deepEqual(said([], queued('a')), ['Message queued']);
    assert.deepEqual(said([], queued('a'), queued('b')), ['2 messages queued']);
    assert.deepEqual(said([queued('a')], over(), turn('a'), message('hi', 'a', 'user')), ['Queued message sent']);
    assert.deepEqual(said([queued('a')], { type: 'queued_message_removed', queueId: 'a' }), ['Queued message removed']);
    assert.deepEqual(said([queued('a')], { type: 'turn_cancelling' }), ['Queue paused']);
    assert.deepEqual(said([queued('a')], over('error')), ['Queue paused']);
    assert.deepEqual(said([queued('a')], { type: 'usage', usage: { used: 1, size: 2 } }), []);
    assert.deepEqual(
      said([queued('a'), queued('b')], { type: 'queued_message_moved', queueId: 'b', index: 0 }),
      [],
      'who moves it says so',
    );
    // The message is sent and answered between two frames.
    assert.deepEqual(
      said([queued('a')], over(), turn('a'), message('hi', 'a', 'user'), { type: 'turn_ended', turnId: 'a', stopReason: 'end_turn' }),
      ['Queued message sent'],
    );
  });

  it('names the event that it waits for', () => {
    const words = (...events: EventInput[]): string => queueStatusText(stateOf([...events]));
    assert.equal(words(opened, queued('a')), 'Queued until Ada is ready');
    assert.equal(words(opened, queued('a'), { type: 'sign_in', status: 'required' }), 'Queued until you sign in');
    assert.equal(words(opened, initialized(), ready, turn(), queued('a')), 'Queued until Ada is done');
    assert.equal(
      words(opened, ready, turn(), queued('a'), { type: 'queued_message_editing', queueId: 'a', editing: true }, over()),
      'Queued while you edit',
    );
    assert.equal(words(opened, ready, turn(), queued('a'), over('cancelled')), 'Queue paused');
    assert.equal(words(opened, ready, turn(), queued('a'), { type: 'turn_cancelling' }, queued('b')), '1 queued message is paused');
    assert.equal(
      words(opened, ready, turn(), queued('a'), queued('b'), { type: 'turn_cancelling' }, queued('c')),
      '2 queued messages are paused',
    );
    assert.equal(words({ ...opened, agentName: '' }, queued('a')), 'Queued until the agent is ready');
  });
});
