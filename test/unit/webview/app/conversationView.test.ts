import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { toSnapshot } from '../../../../src/core/protocol/snapshot';
import type { FromView } from '../../../../src/core/protocol/view';
import type { Speech } from '../../../../webview/announcer/speech';
import { ConversationView, type Showing } from '../../../../webview/app/conversationView';
import type { ViewHost } from '../../../../webview/base/host';

/** Frames and idle times are triggered by the test. */
const frames: (() => void)[] = [];
const idle: (() => void)[] = [];
const GLOBALS = {
  requestAnimationFrame: (callback: () => void) => frames.push(callback),
  requestIdleCallback: (callback: () => void) => idle.push(callback),
  document: { querySelector: () => null },
};
const run = (callbacks: (() => void)[]): void => callbacks.splice(0).forEach((callback) => callback());

describe('the view of a session', () => {
  before(() => Object.assign(globalThis, GLOBALS));
  after(async () => {
    // Waits for the timers that replace frames.
    await new Promise((resolve) => setTimeout(resolve, 150));
    Object.keys(GLOBALS).forEach((name) => Reflect.deleteProperty(globalThis, name));
  });

  const said: string[] = [];
  const shown: Showing[] = [];
  let focused = 0;
  let hadFocus = false;

  beforeEach(() => {
    said.length = shown.length = frames.length = idle.length = focused = 0;
    hadFocus = false;
  });

  function open() {
    const posted: FromView[] = [];
    const host: ViewHost = {
      post: (message) => posted.push(message),
      onMessage: () => undefined,
      load: () => undefined,
      save: () => undefined,
    };
    const speech = { say: (words: string) => said.push(words), clear: () => (said.length = 0) } as unknown as Speech;
    const render = (showing: Showing): boolean => {
      shown.push(showing);
      showing.focus.current = () => focused++;
      return hadFocus;
    };
    const conversation = new ConversationView({ host, speech, render });
    let seq = 0;
    const events: SessionEvent[] = [];
    const stamp = (all: readonly EventInput[]) => all.map((each): SessionEvent => ({ ...each, at: Date.now() }) as SessionEvent);
    return {
      conversation,
      posted,
      snapshot: (...unstamped: EventInput[]) => {
        events.push(...stamp(unstamped));
        seq = events.length;
        conversation.receive({ type: 'snapshot', seq, snapshot: toSnapshot(events.reduce(reduce, EMPTY_STATE), { tail: 1 }) });
      },
      happen: (...unstamped: EventInput[]) => {
        const more = stamp(unstamped);
        events.push(...more);
        conversation.receive({ type: 'events', seq, next: (seq += more.length), events: more });
      },
    };
  }
  const ready = (title: string): EventInput[] => [
    { type: 'session_opened', agentName: 'Ada', cwd: '/w' },
    { type: 'session_ready', sessionId: 's' },
    { type: 'session_info', title },
  ];
  const say = (text: string, messageId = 'm'): EventInput => ({
    type: 'message_chunk',
    role: 'agent',
    messageId,
    content: { type: 'text', text },
  });

  it('announces nothing when it is the first on the page', () => {
    const { conversation, snapshot } = open();
    conversation.show(false);
    snapshot(...ready('The title'));
    run(frames);
    assert.deepEqual(said, []);
  });

  it('announces its title once when it replaces another', () => {
    const { conversation, snapshot, happen } = open();
    said.push('of the other');
    conversation.show(true);
    assert.deepEqual(said, []);
    snapshot(...ready('The title'));
    run(frames);
    snapshot();
    run(frames);
    happen({ type: 'session_info', title: 'Another title' });
    run(frames);
    assert.deepEqual(said, ['The title']);
  });

  it('announces the title when there is one', () => {
    const { conversation, snapshot, happen } = open();
    conversation.show(true);
    snapshot();
    run(frames);
    assert.deepEqual(said, []);
    happen(...ready('The title'));
    run(frames);
    assert.equal(said[0], 'The title');
  });

  it('announces and requests nothing after it was hidden, not even for the last frame', async () => {
    const { conversation, snapshot, happen, posted } = open();
    conversation.show(false);
    snapshot(...ready('T'), say('a', '1'), say('b', '2'), { type: 'turn_started', turnId: 't' });
    run(frames);
    happen(say('One sentence. ', '3'), { type: 'notice', noticeId: 'n', severity: 'info', title: 'News' });
    const { view, toasts } = shown[0]!;
    assert.equal(toasts.list.length, 1);
    said.length = posted.length = 0;
    view.mirror.want(['agent:1']);
    conversation.hide();
    run(frames);
    run(idle);
    await Promise.resolve();
    view.say('late');
    view.post({ type: 'cancel' });
    view.mirror.askForBulk('agent:1', 'rawInput');
    happen(say('Another. ', '3'));
    conversation.receive({ type: 'restore_text', text: 'late' });
    run(frames);
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual([said, posted], [[], []]);
    assert.equal(toasts.list.length, 0);
  });

  it("restores the user's own state, and nothing of the mirrored one", () => {
    const { conversation, snapshot, posted } = open();
    conversation.show(false);
    snapshot(...ready('T'), say('a'));
    const before = shown[0]!;
    before.draft.setText('half a message');
    before.view.disclosures.set('x', true);
    before.view.scrollPosition.read = () => ({ entryId: 'agent:m', offset: -5 });
    before.view.search.open('a');
    before.view.search.receive({ findId: 1, count: 3, capped: false, hits: [['agent:m', 3]] });
    before.view.search.go(1);
    conversation.hide();
    posted.length = 0;
    conversation.show(true);
    const { view, draft } = shown[1]!;
    assert.notEqual(view.mirror, before.view.mirror);
    assert.equal(view.mirror.loaded, false);
    assert.equal(draft.text, 'half a message');
    assert.equal(view.disclosures.get('x'), true);
    assert.deepEqual(view.scrollPosition.kept, { entryId: 'agent:m', offset: -5 });
    // The search is repeated with the same selected match, and nothing moves for it.
    assert.deepEqual(posted, [{ type: 'find', findId: 2, text: 'a', caseSensitive: false, wholeWord: false }]);
    snapshot();
    const moves: boolean[] = [];
    view.search.subscribe((moved) => moves.push(moved));
    view.search.receive({ findId: 1, count: 9, capped: false, hits: [['agent:other', 9]] });
    view.search.receive({ findId: 2, count: 3, capped: false, hits: [['agent:m', 3]] });
    assert.deepEqual([view.search.position, moves], [2, [false]]);
  });

  it('takes the focus when it is shown again, if it had the focus before', () => {
    const { conversation } = open();
    conversation.show(true);
    assert.equal(focused, 0);
    conversation.hide();
    hadFocus = true;
    conversation.show(true);
    assert.equal(focused, 1);
  });
});
