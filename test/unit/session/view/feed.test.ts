import assert from 'node:assert/strict';
import fc from 'fast-check';
import { trimEntry, trimQueue } from '../../../../src/core/protocol/trimForView';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { fromSnapshot, withBodies } from '../../../../src/core/protocol/snapshot';
import { EMPTY_STATE, isAbsent, type SessionState } from '../../../../src/core/model/state';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import { subagentsIn } from '../../../../src/core/subagents/subagentTree';
import type { ToView } from '../../../../src/core/protocol/view';
import { joinChunks, ViewFeed } from '../../../../src/session/view/feed';
import { SessionStore } from '../../../../src/session/state/store';
import { eventSequence } from '../../core/arbitrary';
import { FakeClock } from '../permission/fakes';
import { chunk, toolCall } from '../../../support/events';

const plain = (state: object & Pick<SessionState, 'entries'>): unknown =>
  JSON.parse(JSON.stringify({ ...state, entries: state.entries.slice() }));

/** A page that applies the received messages. */
class Page {
  state = EMPTY_STATE;
  next = -1;
  gaps = 0;
  readonly got: ToView['type'][] = [];
  readonly bulk: string[] = [];

  readonly receive = (message: ToView): void => {
    const copy = JSON.parse(JSON.stringify(message)) as ToView;
    this.got.push(copy.type);
    if (copy.type === 'snapshot') {
      this.state = fromSnapshot(copy.snapshot);
      this.next = copy.seq;
    } else if (copy.type === 'events') {
      this.gaps += copy.seq === this.next ? 0 : 1;
      this.state = copy.events.reduce(reduce, this.state);
      this.next = copy.next;
    } else if (copy.type === 'bodies') {
      assert.equal(copy.seq, this.next);
      this.state = withBodies(this.state, copy.bodies);
    } else if (copy.type === 'bulk') {
      this.bulk.push(copy.text);
    }
  };
}

/** The state with the trimmed entries of its subagents as lists. */
function comparable(state: SessionState): object & Pick<SessionState, 'entries'> {
  const children = subagentsIn(state).map(({ conversation, ...child }) => ({
    child,
    conversation: { ...conversation, entries: conversation.entries.slice().map((slot) => (isAbsent(slot) ? slot : trimEntry(slot))) },
  }));
  return Object.assign({}, state, { subagents: children });
}

function stage(): { clock: FakeClock; store: SessionStore; page: Page; feed: ViewFeed } {
  const clock = new FakeClock();
  const store = new SessionStore(clock);
  const page = new Page();
  return { clock, store, page, feed: new ViewFeed(store, page.receive, clock) };
}

describe('ViewFeed', () => {
  it('sends nothing before the page is ready or while it is hidden, and everything afterwards', () => {
    const { clock, store, page, feed } = stage();
    store.append(chunk('a'));
    clock.pass(100);
    assert.deepEqual(page.got, []);
    feed.handle({ type: 'ready' });
    feed.handle({ type: 'drawn', seq: page.next });
    store.append(chunk('b'));
    store.append(chunk('c'));
    clock.pass(100);
    assert.deepEqual(page.got, ['snapshot', 'events']);
    feed.setVisible(false);
    for (let n = 0; n < 1000; n++) {
      store.append(chunk('.'));
    }
    clock.pass(1000);
    feed.handle({ type: 'bodies', entryIds: ['agent:m'] });
    assert.equal(page.got.length, 2);
    feed.setVisible(true);
    feed.handle({ type: 'ready' });
    assert.deepEqual(page.got, ['snapshot', 'events', 'snapshot']);
    assert.deepEqual(plain(page.state), plain(store.state));
    assert.equal(page.gaps, 0);
  });

  it('mirrors any history, and requested bodies complete it', () => {
    fc.assert(
      fc.property(eventSequence, fc.nat(60), fc.array(fc.nat(20), { maxLength: 60 }), (events, readyAt, waits) => {
        const { clock, store, page, feed } = stage();
        events.forEach(({ at: _, ...event }, index) => {
          if (index === Math.min(readyAt, events.length - 1)) {
            feed.handle({ type: 'ready' });
          }
          store.append(event as EventInput);
          clock.pass(waits[index] ?? 1);
        });
        if (events.length === 0) {
          feed.handle({ type: 'ready' });
        }
        clock.pass(100);
        const conversations = [page.state, ...subagentsIn(page.state).map(({ conversation }) => conversation)];
        feed.handle({ type: 'bodies', entryIds: conversations.flatMap(({ entries }) => entries.slice().map((slot) => slot.entryId)) });
        assert.equal(page.gaps, 0);
        assert.equal(page.next, store.seq);
        assert.ok(!page.state.entries.slice().some(isAbsent));
        assert.deepEqual(
          page.state.entries.slice().map((slot) => slot.entryId),
          store.state.entries.slice().map((slot) => slot.entryId),
        );
        assert.deepEqual(
          plain(comparable({ ...page.state, entries: store.state.entries })),
          plain(comparable({ ...store.state, queue: trimQueue(store.state.queue) })),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('sends the next envelope when the page has drawn the last one', () => {
    const { clock, store, page, feed } = stage();
    const envelopes = () => page.got.filter((type) => type === 'events').length;
    const drawn = () => feed.handle({ type: 'drawn', seq: page.next });
    feed.handle({ type: 'ready' });
    drawn();
    store.append(chunk('a'));
    clock.pass(1);
    assert.equal(envelopes(), 1, 'a page that waits gets an event at once');
    for (let call = 0; call < 200; call++) {
      store.append(toolCall(`c${call}`, { title: `Call ${call}` }));
      clock.pass(1);
    }
    assert.equal(envelopes(), 1, 'the page still draws');
    drawn();
    assert.equal(envelopes(), 2);
    drawn();
    clock.pass(10_000);
    assert.equal(envelopes(), 2, 'there is nothing to send');
    store.append(chunk('b'));
    clock.pass(1);
    assert.equal(envelopes(), 3);
    assert.deepEqual(plain(page.state), plain(store.state));
    assert.equal(page.gaps, 0);
  });

  it('waits for the drawing of a snapshot, and counts no report of an earlier envelope', () => {
    const { clock, store, page, feed } = stage();
    feed.handle({ type: 'ready' });
    store.append(chunk('a'));
    clock.pass(100);
    assert.deepEqual(page.got, ['snapshot']);
    feed.handle({ type: 'drawn', seq: 0 });
    store.append(chunk('b'));
    feed.handle({ type: 'drawn', seq: 0 });
    clock.pass(100);
    assert.deepEqual(page.got, ['snapshot', 'events']);
    feed.handle({ type: 'drawn', seq: page.next });
    assert.deepEqual(page.got, ['snapshot', 'events', 'events']);
    assert.deepEqual(plain(page.state), plain(store.state));
  });

  it('sends at most one envelope a second to a page that reports nothing', () => {
    const { clock, store, page, feed } = stage();
    feed.handle({ type: 'ready' });
    for (let n = 0; n < 100; n++) {
      store.append(chunk('.'));
      clock.pass(50);
    }
    assert.equal(page.got.filter((type) => type === 'events').length, 5);
    clock.pass(1000);
    assert.deepEqual(plain(page.state), plain(store.state));
  });

  it('sends one snapshot in place of an unlimited message', () => {
    const { clock, store, page, feed } = stage();
    feed.handle({ type: 'ready' });
    for (let n = 0; n < 5000; n++) {
      store.append({ type: 'notice', noticeId: `${n}`, severity: 'info', title: 'x' });
    }
    clock.pass(1000);
    assert.deepEqual(page.got, ['snapshot', 'snapshot']);
    assert.equal(page.state.entries.length, 5000);
    assert.equal(page.state.entries.slice().filter((slot) => !isAbsent(slot)).length, 60);
  });

  it('sends large content on request', () => {
    const { clock, store, page, feed } = stage();
    feed.handle({ type: 'ready' });
    feed.handle({ type: 'drawn', seq: page.next });
    store.append({ type: 'tool_call_update', toolCallId: 'a', patch: { rawOutput: { text: 'x'.repeat(9000) } } });
    clock.pass(20);
    const slot = page.state.entries.at(0) as { rawOutput?: { bulk?: boolean; length?: number } };
    assert.equal(slot.rawOutput?.bulk, true);
    feed.handle({ type: 'bulk', entryId: 'tool_call:a', field: 'rawOutput' });
    feed.handle({ type: 'bulk', entryId: 'nowhere', field: 'rawOutput' });
    assert.equal((JSON.parse(page.bulk[0]!) as { text: string }).text.length, 9000);
    assert.equal(page.bulk[1], '');
  });

  it('joins text chunks without changing the resulting state', () => {
    fc.assert(
      fc.property(eventSequence, (events) => {
        const fold = (list: readonly SessionEvent[]): unknown => plain(list.reduce(reduce, EMPTY_STATE));
        assert.deepEqual(fold(joinChunks(events)), fold(events));
      }),
      { numRuns: 200 },
    );
    const many = Array.from({ length: 100 }, (_, at) => ({ ...chunk('x'), at }) as SessionEvent);
    assert.equal(joinChunks(many).length, 2);
    assert.equal(joinChunks(asSubagentEvents('x', many) as SessionEvent[]).length, 2);
  });

  it('joins the chunks of messages and subagents that stream at once', () => {
    const start: EventInput[] = ['x', 'y'].map((subagentId) => ({ type: 'subagent_update', subagentId, patch: {} }));
    const many = Array.from({ length: 60 }, (_, n): EventInput[] => {
      const each = chunk(`${n} `, `m${n % 3}`);
      return n % 2 === 0 ? [each] : asSubagentEvents(n % 4 === 1 ? 'x' : 'y', [each]);
    }).flat();
    const events = [...start, ...many].map((event, at) => ({ ...event, at }) as SessionEvent);
    const joined = joinChunks(events);
    // Three messages in each of three conversations, two events each.
    assert.equal(joined.length, start.length + 18);
    const fold = (list: readonly SessionEvent[]): unknown => plain(comparable(list.reduce(reduce, EMPTY_STATE)));
    assert.deepEqual(fold(joined), fold(events));
  });
});
