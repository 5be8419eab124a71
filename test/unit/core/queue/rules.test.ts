import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import type { SessionState } from '../../../../src/core/model/state';
import { attachmentsOf, editedContent, typedText } from '../../../../src/core/queue/queuedContent';
import { sizeOfContent } from '../../../../src/core/model/queuedMessage';
import {
  canResumeQueue,
  MAX_QUEUE_SIZE,
  MAX_QUEUED_MESSAGES,
  messageDestination,
  nextQueued,
  queueProblem,
} from '../../../../src/core/queue/rules';
import { initialized, NO_CAPABILITIES, stateOf, text } from '../../../support/events';

const opened: EventInput = { type: 'session_opened', agentName: 'A', cwd: '/w' };
const keeps = initialized({ offers: { ...NO_CAPABILITIES, resume: true } });
const ready: EventInput = { type: 'session_ready', sessionId: 's' };
const turn: EventInput = { type: 'turn_started', turnId: 't' };
const cancelling: EventInput = { type: 'turn_cancelling' };
const exited: EventInput = { type: 'disconnected', failure: { code: 'agent.exited' } };
const interrupted: EventInput = { type: 'disconnected', failure: { code: 'session.interrupted' } };
const replayed: EventInput = { type: 'disconnected', failure: { code: 'session.replayed' } };
const failed: EventInput = { type: 'session_failed', failure: { code: 'agent.not_found' } };
const ended: EventInput = { type: 'session_ended' };
const signIn: EventInput = { type: 'sign_in', status: 'required' };
const over = (stopReason: string): EventInput => ({ type: 'turn_ended', turnId: 't', stopReason });
const queued = (queueId: string, size = 1): EventInput => ({ type: 'message_queued', queueId, content: [text(queueId)], size });
const editing = (queueId: string, is = true): EventInput => ({ type: 'queued_message_editing', queueId, editing: is });
const resumed: EventInput = { type: 'queue_resumed' };

/** The queue as one line: `b` can be sent, `(b)` waits for the user, `b*` is being edited. */
function line({ queue }: SessionState): string {
  return queue.map(({ queueId, paused, editing: changes }) => `${paused ? `(${queueId})` : queueId}${changes ? '*' : ''}`).join(' ');
}

describe('the destination of a message', () => {
  const rows: readonly (readonly [name: string, events: readonly EventInput[], destination: string])[] = [
    ['before anything has happened', [], 'queue'],
    ['while the agent starts', [opened], 'queue'],
    ['while it opens the session', [opened, keeps], 'queue'],
    ['while the session waits for a sign-in', [opened, keeps, signIn], 'queue'],
    ['when it is ready', [opened, keeps, ready], 'turn'],
    ['during a turn', [opened, keeps, ready, turn], 'queue'],
    ['while the turn waits for a sign-in', [opened, keeps, ready, turn, signIn], 'queue'],
    ['while the turn is being stopped', [opened, keeps, ready, turn, cancelling], 'queue'],
    ['after the turn', [opened, keeps, ready, turn, over('end_turn')], 'turn'],
    ['past what waits for the user', [opened, keeps, ready, turn, queued('a'), over('error')], 'turn'],
    ['behind what is being changed', [opened, keeps, ready, turn, queued('a'), editing('a'), over('end_turn')], 'queue'],
    ['when the agent has gone and can bring it back', [opened, keeps, ready, exited], 'resume'],
    ['in an earlier window', [opened, keeps, ready, interrupted], 'resume'],
    ['while it is brought back', [opened, keeps, ready, interrupted, opened], 'queue'],
    ['when the agent has gone and cannot bring it back', [opened, initialized(), ready, exited], 'refused'],
    ['when the start has failed', [opened, failed], 'refused'],
    ['when the session has ended', [opened, keeps, ready, ended], 'refused'],
    ['with read-only access', [opened, initialized({ offers: { ...NO_CAPABILITIES, resume: true, readOnly: true } }), ready], 'refused'],
    ['in a replayed log', [opened, keeps, ready, replayed], 'refused'],
  ];
  for (const [name, events, destination] of rows) {
    it(`${name}: ${destination}`, () => assert.equal(messageDestination(stateOf(events)), destination));
  }
});

describe('the queue', () => {
  const busy = [opened, keeps, ready, turn, queued('a'), queued('b')];
  const rows: readonly (readonly [name: string, events: readonly EventInput[], queue: string, next: string | undefined])[] = [
    ['waits for the agent', [opened, queued('a')], 'a', undefined],
    ['goes on when the agent is ready', [opened, queued('a'), queued('b'), keeps, ready], 'a b', 'a'],
    ['waits for the turn', busy, 'a b', undefined],
    ['goes on after the turn', [...busy, over('end_turn')], 'a b', 'a'],
    ['goes on after a reason that we do not know', [...busy, over('tired')], 'a b', 'a'],
    ['loses the one whose turn starts', [...busy, over('end_turn'), { type: 'turn_started', turnId: 'a' }], 'b', undefined],
    ['waits for the user after Stop', [...busy, cancelling, over('cancelled')], '(a) (b)', undefined],
    ['waits from the moment of Stop', [...busy, cancelling], '(a) (b)', undefined],
    ['waits when the agent stops by itself', [...busy, over('cancelled')], '(a) (b)', undefined],
    ['waits after a failure', [...busy, over('error')], '(a) (b)', undefined],
    ['waits after a refusal', [...busy, over('refusal')], '(a) (b)', undefined],
    ['waits after a limit', [...busy, over('max_tokens')], '(a) (b)', undefined],
    ['waits after the other limit', [...busy, over('max_turn_requests')], '(a) (b)', undefined],
    ['waits when the agent has gone', [...busy, exited], '(a) (b)', undefined],
    ['waits when the start has failed', [opened, queued('a'), failed], '(a)', undefined],
    ['waits when the start that follows is ready', [opened, queued('a'), failed, opened, ready], '(a)', undefined],
    ['waits when the session has ended', [...busy, ended], '(a) (b)', undefined],
    ['does not wait for what comes after Stop', [...busy, cancelling, queued('c'), over('cancelled')], '(a) (b) c', 'c'],
    ['waits with what came after Stop when that fails', [...busy, cancelling, queued('c'), over('error')], '(a) (b) (c)', undefined],
    ['goes on when the user says so', [...busy, over('error'), resumed], 'a b', 'a'],
    ['does not wait for another turn’s end', [...busy, { type: 'turn_ended', turnId: 'old', stopReason: 'error' }], 'a b', undefined],
    ['does not pass one that is being changed', [...busy, editing('a'), over('end_turn')], 'a* b', undefined],
    ['sends what stands before one that is being changed', [...busy, editing('b'), over('end_turn')], 'a b*', 'a'],
    ['goes on when the change is given up', [...busy, editing('a'), over('end_turn'), editing('a', false)], 'a b', 'a'],
    [
      'goes on when the change is made',
      [...busy, editing('a'), over('end_turn'), { type: 'queued_message_edited', queueId: 'a', content: [text('A')], size: 1 }],
      'a b',
      'a',
    ],
    ['is in the user’s order', [...busy, { type: 'queued_message_moved', queueId: 'b', index: 0 }, over('end_turn')], 'b a', 'b'],
    ['ends where its end is', [...busy, { type: 'queued_message_moved', queueId: 'a', index: 9 }], 'b a', undefined],
    ['is without what was removed', [...busy, { type: 'queued_message_removed', queueId: 'a' }, over('end_turn')], 'b', 'b'],
    ['survives a conversation that begins anew', [...busy, exited, opened, keeps, ready], '(a) (b)', undefined],
  ];
  for (const [name, events, queue, next] of rows) {
    it(name, () => {
      const state = stateOf(events);
      assert.equal(line(state), queue);
      assert.equal(nextQueued(state)?.queueId, next);
    });
  }

  it('ignores events about unknown messages', () => {
    const state = stateOf(busy);
    for (const event of [
      editing('x'),
      { type: 'queued_message_edited', queueId: 'x', content: [], size: 0 },
      { type: 'queued_message_moved', queueId: 'x', index: 0 },
      { type: 'queued_message_removed', queueId: 'x' },
    ] as const) {
      assert.equal(stateOf([event], state), state);
    }
  });

  it('can be resumed by the user when there is an agent, or one can be started', () => {
    const can = (...events: EventInput[]): boolean => canResumeQueue(stateOf([opened, keeps, ready, turn, queued('a'), ...events]));
    assert.equal(can(), false, 'nothing waits for the user');
    assert.equal(can(over('error')), true);
    assert.equal(can(exited), true, 'the agent brings the session back');
    assert.equal(can(ended), true);
    assert.equal(can(failed), false);
    assert.equal(can(failed, opened), true);
    assert.equal(can(replayed), false);
  });
});

describe('the room in the queue', () => {
  it('is limited in the number of messages', () => {
    const full = stateOf(Array.from({ length: MAX_QUEUED_MESSAGES }, (_, index) => queued(`${index}`))).queue;
    assert.equal(queueProblem(full, [text('one more')])?.code, 'queue.full');
    assert.equal(queueProblem(full.slice(1), [text('one more')]), undefined);
    assert.equal(queueProblem(full, [text('changed')], '3'), undefined, 'one that is there may be changed');
  });

  it('is limited in the total size', () => {
    const { queue } = stateOf([queued('a', MAX_QUEUE_SIZE - 10), queued('b', 5)]);
    assert.equal(queueProblem(queue, [text('x'.repeat(5))])?.code, undefined);
    assert.equal(queueProblem(queue, [text('x'.repeat(6))])?.code, 'queue.too_large');
    assert.equal(queueProblem(queue, [text('x'.repeat(10))], 'b'), undefined, 'what a change replaces does not count');
  });

  it('counts texts and data', () => {
    assert.equal(sizeOfContent([{ type: 'text', text: '12345' }]), 5);
    assert.ok(sizeOfContent([{ type: 'image', data: 'x'.repeat(1000), mimeType: 'image/png' }]) > 1000);
  });
});

describe('a queued message that is edited', () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
  const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const;

  it('keeps its attachments, except removed ones', () => {
    const content = [text('old'), image, link];
    assert.equal(typedText(content), 'old');
    assert.deepEqual(
      attachmentsOf(content).map(({ index }) => index),
      [1, 2],
    );
    assert.deepEqual(editedContent(content, '  new ', [1, 2]), [text('new'), image, link]);
    assert.deepEqual(editedContent(content, 'new', [2, 7]), [text('new'), link]);
    assert.deepEqual(editedContent(content, ' ', [0, 1]), [image], 'the text’s own place is none of an attachment');
    assert.deepEqual(editedContent(content, '', []), []);
  });

  it('may have had no text', () => {
    assert.equal(typedText([image]), '');
    assert.deepEqual(editedContent([image, link], 'now', [0]), [text('now'), image]);
  });
});
