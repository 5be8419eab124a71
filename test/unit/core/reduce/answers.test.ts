import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { entryIdOf, EMPTY_STATE, type SessionState, type TurnEntry } from '../../../../src/core/model/state';
import { failedTurn } from '../../../../src/core/queue/retry';
import { isBlankMessage } from '../../../../src/core/reduce/answers';
import { reduce } from '../../../../src/core/reduce/reduce';
import { runAt } from '../../../../webview/transcript/toolCalls/toolGroup';
import { chunk, permissionRequest, toolCall } from '../../../support/events';

let at = 0;
const fold = (events: readonly EventInput[], from = EMPTY_STATE): SessionState =>
  events.reduce((state, event) => reduce(state, { ...event, at: ++at } as SessionEvent), from);
const thought = (words: string, messageId = 'h'): EventInput => ({
  type: 'message_chunk',
  role: 'thought',
  messageId,
  content: { type: 'text', text: words },
});
const ready: EventInput[] = [{ type: 'session_ready', sessionId: 's' }, chunk('hello', 't', 'user'), { type: 'turn_started', turnId: 't' }];
const after = (events: readonly EventInput[], stopReason = 'end_turn'): SessionState =>
  fold([...ready, ...events, { type: 'turn_ended', turnId: 't', stopReason }]);
const isUnanswered = (state: SessionState): boolean => (state.entries.get(entryIdOf.turn('t')) as TurnEntry).unanswered === true;

describe('a turn without an answer', () => {
  const empty: readonly [what: string, events: EventInput[]][] = [
    ['nothing', []],
    ['usage', [{ type: 'usage', usage: { used: 1, size: 2 } }]],
    ['blank chunks', [chunk('', '1'), chunk('\n', '1'), chunk(' \t', '2')]],
    ['a thought', [thought('hm')]],
    ['a thought and a blank chunk', [thought('hm'), chunk('\n\n', '1')]],
    [
      'new commands and a title',
      [
        { type: 'available_commands', commands: [] },
        { type: 'session_info', title: 'T' },
      ],
    ],
    [
      'a warning of the extension',
      [{ type: 'notice', noticeId: 'n', severity: 'error', title: 'Model', failure: { code: 'request.timeout' } }],
    ],
  ];
  for (const [what, events] of empty) {
    it(`is marked after ${what}, and its prompt can be sent again`, () => {
      const state = after(events);
      assert.ok(isUnanswered(state));
      assert.equal(failedTurn(state)?.turnId, 't');
    });
  }

  const answers: readonly [what: string, events: EventInput[]][] = [
    ['text', [chunk('\n', '1'), chunk('Hi', '1')]],
    [
      'a picture',
      [{ type: 'message_chunk', role: 'agent', messageId: '1', content: { type: 'image', mimeType: 'image/png', data: 'AA' } }],
    ],
    ['a tool call', [toolCall('a', { status: 'completed' })]],
    ['a question', [permissionRequest('p', 'Allow?')]],
    ['a notice of the agent', [{ type: 'notice', noticeId: 'n', severity: 'info', title: 'Compacted' }]],
    ['a compaction', [{ type: 'compaction_update', compactionId: 'c', status: 'completed' }]],
  ];
  for (const [what, events] of answers) {
    it(`is not one with ${what}`, () => {
      const state = after(events);
      assert.equal(isUnanswered(state), false);
      assert.equal(failedTurn(state), undefined);
    });
  }

  for (const stopReason of ['cancelled', 'refusal', 'max_tokens', 'error', 'unknown', 'a_new_word']) {
    it(`is not marked when the stop reason ${stopReason} says why`, () => assert.equal(isUnanswered(after([], stopReason)), false));
  }

  it('is not marked when the user stopped it', () => {
    assert.equal(isUnanswered(after([{ type: 'turn_cancelling' }])), false);
  });

  it('does not count an answer of the turn before it', () => {
    const state = fold(
      [chunk('again', 'u', 'user'), { type: 'turn_started', turnId: 'u' }, { type: 'turn_ended', turnId: 'u', stopReason: 'end_turn' }],
      after([chunk('Hi', '1')]),
    );
    assert.equal((state.entries.get(entryIdOf.turn('u')) as TurnEntry).unanswered, true);
  });
});

describe('a blank message', () => {
  it('does not divide a run of tool calls', () => {
    const call = (id: string, kind = 'read') => toolCall(id, { kind, status: 'completed' });
    const state = fold([
      chunk('', '0'),
      call('a'),
      chunk('\n', '1'),
      call('b'),
      chunk('', '2'),
      thought(' '),
      call('c'),
      call('g', 'search'),
      chunk('\n', '3'),
      chunk('Done', '4'),
    ]);
    assert.deepEqual(runAt(state.entries, 4), { from: 1, to: 8 });
    assert.equal(runAt(fold([call('a'), chunk('Look', '1'), call('b'), call('c')]).entries, 0), undefined);
  });

  it('contains blank text only', () => {
    const blank = (...events: EventInput[]): boolean => isBlankMessage(fold(events).entries.at(0)!);
    assert.ok(blank(chunk('', '1'), chunk(' \n', '1')));
    assert.ok(blank(thought('')));
    assert.equal(blank(chunk('\n', '1'), chunk('a', '1')), false);
    assert.equal(
      blank({ type: 'message_chunk', role: 'agent', messageId: '1', content: { type: 'image', mimeType: 'image/png', data: 'AA' } }),
      false,
    );
  });
});
