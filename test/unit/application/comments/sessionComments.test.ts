/** A session's comments: their states across turns, queue and reload, and the position of their lines. */
import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../../src/core/model/content';
import type { EventInput } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { commentsBlock } from '../../../../src/application/comments/commentsBlock';
import { type KeptThread, moved, SessionComments } from '../../../../src/application/comments/sessionComments';

const thread = (start = 2, end = start): KeptThread => ({ uri: 'file:///w/a.ts', place: '/w/a.ts', span: { start, end }, comments: [] });
const statuses = ({ threads }: SessionComments) => threads.flatMap(({ comments }) => comments.map(({ status }) => status)).join(' ');
const reloaded = (comments: SessionComments) => SessionComments.from(comments.stored, 'another');

function conversation(...events: readonly EventInput[]): SessionState {
  return events.reduce((state, event, index) => reduce(state, { ...event, at: index }), EMPTY_STATE);
}

describe("a session's comments", () => {
  const begun = () => {
    const comments = SessionComments.from(undefined, 'c');
    const first = thread(2);
    comments.add(first, 'Call it b', 'const a = 1;');
    comments.add(thread(8, 9), 'And this', 'two\nlines');
    const chip: readonly ContentBlock[] = [{ type: 'text', text: 'Please' }, commentsBlock(comments.collection, comments.waiting)];
    return { comments, first, chip };
  };
  const turn = (turnId: string, content: readonly ContentBlock[]): EventInput[] => [
    { type: 'turn_started', turnId },
    { type: 'message', role: 'user', messageId: turnId, content },
  ];

  it('wait until a message contains them, and are answered with its turn', () => {
    const { comments, chip } = begun();
    assert.equal(statuses(comments), 'waiting waiting');
    assert.deepEqual(
      comments.waiting.map(({ id, first, end, lines }) => [id, first, end, lines]),
      [
        [1, 3, 3, 'const a = 1;'],
        [2, 9, 10, 'two\nlines'],
      ],
    );
    assert.deepEqual(comments.update(conversation(...turn('t', [{ type: 'text', text: 'Something else' }]))), []);
    assert.equal(comments.update(conversation(...turn('t', chip))).length, 2);
    assert.equal(statuses(comments), 'sent sent');
    assert.deepEqual(comments.waiting, []);
    comments.update(conversation(...turn('t', chip), { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' }));
    assert.equal(statuses(comments), 'answered answered');
    assert.deepEqual(comments.update(EMPTY_STATE), [], 'for good');
  });

  it('are unsent until a message contains them, also one that failed', () => {
    const { comments, chip } = begun();
    assert.deepEqual(comments.unsent(conversation(...turn('t', [{ type: 'text', text: 'Something else' }]))), [1, 2]);
    const failed = conversation(...turn('t', chip), { type: 'turn_ended', turnId: 't', stopReason: 'error' });
    comments.update(failed);
    assert.deepEqual([statuses(comments), comments.unsent(failed)], ['waiting waiting', []]);
    const { comments: others } = begun();
    others.change(new Set([1]), 'waiting', 'removed');
    assert.deepEqual(others.unsent(EMPTY_STATE), [2]);
  });

  for (const stopReason of ['cancelled', 'error', 'refusal']) {
    it(`wait again when the turn failed: ${stopReason}`, () => {
      const { comments, chip } = begun();
      const failed: EventInput[] = [...turn('t', chip), { type: 'turn_ended', turnId: 't', stopReason }];
      comments.update(conversation(...failed));
      assert.equal(statuses(comments), 'waiting waiting');
      comments.update(conversation(...failed, ...turn('u', chip), { type: 'turn_ended', turnId: 'u', stopReason: 'end_turn' }));
      assert.equal(statuses(comments), 'answered answered');
    });
  }

  it('are sent in a queued message, and wait again when that is removed', () => {
    const { comments, chip } = begun();
    const queued: EventInput[] = [
      ...turn('t', [{ type: 'text', text: 'first' }]),
      { type: 'message_queued', queueId: 'q', content: chip, size: 10 },
    ];
    comments.update(conversation(...queued));
    assert.equal(statuses(comments), 'sent sent');
    comments.update(conversation(...queued, { type: 'queued_message_removed', queueId: 'q' }));
    assert.equal(statuses(comments), 'waiting waiting');
  });

  it('are answered with the turn that received their message while it ran', () => {
    const { comments, chip } = begun();
    const steered: EventInput[] = [
      ...turn('t', [{ type: 'text', text: 'first' }]),
      { type: 'message', role: 'user', messageId: 'steered', content: chip },
    ];
    comments.update(conversation(...steered));
    assert.equal(statuses(comments), 'sent sent');
    comments.update(conversation(...steered, { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' }));
    assert.equal(statuses(comments), 'answered answered');
  });

  it('are restored after a reload, with the state that the conversation reached meanwhile', () => {
    const { comments, chip, first } = begun();
    const kept = reloaded(comments);
    assert.deepEqual(kept.threads, comments.threads);
    assert.equal(kept.collection, 'c', 'the chip that is still in the composer is theirs');
    kept.add(kept.threads[0]!, 'One more', 'const a = 1;');
    assert.deepEqual(
      kept.waiting.map(({ id }) => id),
      [1, 2, 3],
    );
    // The stored state does not show that they were sent.
    kept.update(conversation(...turn('t', chip), { type: 'disconnected', failure: { code: 'session.interrupted' } }));
    assert.equal(statuses(kept), 'waiting waiting waiting');
    kept.update(conversation(...turn('t', chip), { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' }));
    assert.equal(statuses(reloaded(kept)), 'answered waiting answered');
    comments.drop(new Set(first.comments.map(({ id }) => id)));
    assert.equal(reloaded(comments).threads.length, 1);
  });

  it('are not sent after the user removes them from the composer, unless they are added again', () => {
    const { comments } = begun();
    const ids = () => comments.waiting.map(({ id }) => id);
    const both = ids();
    assert.ok(comments.change(new Set([both[0]!]), 'waiting', 'removed'));
    assert.deepEqual(ids(), both.slice(1));
    comments.update(conversation());
    assert.deepEqual(ids(), both.slice(1), 'no event brings it back');
    assert.deepEqual(
      reloaded(comments).waiting.map(({ id }) => id),
      both.slice(1),
      'nor does a reload',
    );
    assert.equal(comments.change(new Set(both), 'removed', 'waiting'), true);
    assert.deepEqual(ids(), both);
    assert.equal(comments.change(new Set(both), 'removed', 'waiting'), false);
  });

  it('are sent with a message that contains them, although they were removed before', () => {
    const { comments, chip } = begun();
    comments.change(new Set(comments.waiting.map(({ id }) => id)), 'waiting', 'removed');
    comments.update(conversation(...turn('t', chip)));
    assert.ok(
      comments.threads.every((each) => each.comments.every(({ status }) => status === 'sent')),
      statuses(comments),
    );
  });

  it('are empty when the stored data is missing or malformed', () => {
    for (const text of [undefined, '', '{', '{}', 'null', '{"version":2,"collection":"c","nextId":1,"threads":[]}']) {
      assert.deepEqual(SessionComments.from(text, 'new').threads, []);
      assert.equal(SessionComments.from(text, 'new').stored, undefined);
    }
    const damaged = JSON.stringify({
      version: 1,
      collection: 'c',
      nextId: 4,
      threads: [null, { uri: 1 }, { ...thread(), comments: [{}] }],
    });
    assert.deepEqual(SessionComments.from(damaged, 'new').threads, []);
  });
});

describe('the lines of a comment', () => {
  const at = { start: 5, end: 7 };
  const cases: readonly (readonly [string, Parameters<typeof moved>[1], readonly [number, number]])[] = [
    ['a line typed above', { first: 1, last: 1, lastCharacter: 3, text: '\nmore' }, [6, 8]],
    ['lines deleted above', { first: 1, last: 4, lastCharacter: 0, text: '' }, [2, 4]],
    ['a line typed directly above', { first: 5, last: 5, lastCharacter: 0, text: 'new\n' }, [6, 8]],
    ['a line typed within', { first: 6, last: 6, lastCharacter: 2, text: '\n' }, [5, 8]],
    ['a word typed within', { first: 6, last: 6, lastCharacter: 2, text: 'x' }, [5, 7]],
    ['a line typed directly below', { first: 7, last: 7, lastCharacter: 9, text: '\r\nnew' }, [5, 7]],
    ['anything below', { first: 8, last: 12, lastCharacter: 0, text: '' }, [5, 7]],
    ['all of them deleted, and more', { first: 3, last: 9, lastCharacter: 0, text: '' }, [3, 3]],
    ['a file that was read again', { first: 0, last: 20, lastCharacter: 0, text: 'x\n'.repeat(20) }, [5, 7]],
  ];
  for (const [what, edit, [start, end]] of cases) {
    it(`after ${what}`, () => assert.deepEqual(moved(at, edit), { start, end }));
  }
});
