import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../../src/core/model/content';
import type { UnstampedEvent } from '../../../../src/core/model/event';
import { entryIdOf } from '../../../../src/core/model/state';
import type { FromView, ToView, UnsentPrompt } from '../../../../src/core/protocol/view';
import { SessionStore } from '../../../../src/session/store';
import { Mailbox } from '../../../../src/workbench/chat/mailbox';
import { type PageSurface, SessionPage, type Shown } from '../../../../src/workbench/chat/sessionPage';
import { FakeClock } from '../../permission/fakes';
import { turn } from '../../session/fakes';

type Posted = ToView & { readonly generation?: number };
const prompt: ContentBlock[] = [{ type: 'text', text: 'Hi' }];
/** One intent of each kind. A new kind does not compile until it is added here. */
const INTENTS: { readonly [T in FromView['type']]: Extract<FromView, { type: T }> } = {
  ready: { type: 'ready' },
  ping: { type: 'ping', pingId: 1 },
  resync: { type: 'resync', want: [] },
  drawn: { type: 'drawn', seq: 0 },
  bodies: { type: 'bodies', entryIds: ['tool_call:t'] },
  terminals: { type: 'terminals', terminalIds: ['t'] },
  bulk: { type: 'bulk', entryId: 'tool_call:t', field: 'rawInput' },
  draft: { type: 'draft', at: 1, content: prompt },
  prompt: { type: 'prompt', content: prompt },
  cancel: { type: 'cancel' },
  confirm_cancel: { type: 'confirm_cancel' },
  edit_queued: { type: 'edit_queued', queueId: 'q' },
  save_queued: { type: 'save_queued', queueId: 'q', text: 'x', kept: [1] },
  cancel_queued_edit: { type: 'cancel_queued_edit', queueId: 'q' },
  move_queued: { type: 'move_queued', queueId: 'q', index: 0 },
  retry_prompt: { type: 'retry_prompt', turnId: 't' },
  mark_favorite: { type: 'mark_favorite', configId: 'c', value: 'v', isFavorite: true },
  resend: { type: 'resend', entryId: 'e', content: prompt },
  remove_queued: { type: 'remove_queued', queueId: 'q' },
  send_queued: { type: 'send_queued', queueId: 'q', now: 'steer' },
  resume_queue: { type: 'resume_queue' },
  attach_files: { type: 'attach_files' },
  change_report: { type: 'change_report', act: 'remove', path: '/w/a' },
  review_changes: { type: 'review_changes', act: 'keep', path: '/w/a' },
  restore_checkpoint: { type: 'restore_checkpoint', entryId: 'user:1' },
  find_mentions: { type: 'find_mentions', queryId: 1, text: 'app' },
  pick_mention: { type: 'pick_mention', pick: 'command-1' },
  open_mention: { type: 'open_mention', mention: { type: 'mention', token: '@a', name: 'a', ref: { kind: 'problems' } } },
  stop_context: { type: 'stop_context', context: 'selection' },
  attach_uris: { type: 'attach_uris', uris: ['file:///w/a'] },
  answer_permission: { type: 'answer_permission', permissionId: 'p', optionId: 'o' },
  answer_elicitation: { type: 'answer_elicitation', requestKey: 'k', action: 'cancel' },
  open_elicitation: { type: 'open_elicitation', requestKey: 'k' },
  sign_in: { type: 'sign_in' },
  set_config: { type: 'set_config', configId: 'c', value: true },
  open_location: { type: 'open_location', path: '/w/a' },
  open_link: { type: 'open_link', href: 'https://example.com' },
  open_diff: { type: 'open_diff', entryId: 'e', content: 0, change: 0 },
  open_turn_file: { type: 'open_turn_file', entryId: 'e', file: 0 },
  open_content: { type: 'open_content', entryId: 'e', content: 0 },
  stop_terminal: { type: 'stop_terminal', terminalId: 't' },
  show_terminal: { type: 'show_terminal', terminalId: 't' },
  typing: { type: 'typing' },
  focus: { type: 'focus', hasFocus: true },
  card_sight: { type: 'card_sight', permissionId: 'p', sight: 'seen' },
  copy: { type: 'copy', text: 'x' },
  find: { type: 'find', findId: 1, text: 'x', caseSensitive: false, wholeWord: false },
  reading: { type: 'reading', entryId: 'e' },
  insert_code: { type: 'insert_code', text: 'x' },
  apply_code: { type: 'apply_code', text: 'x', info: '' },
  files: { type: 'files', texts: ['a.ts'] },
  run_code: { type: 'run_code', text: 'ls' },
  action: { type: 'action', action: 'show_log' },
  start_page: { type: 'start_page' },
  open_session: { type: 'open_session', sessionKey: 'k' },
  page_state: { type: 'page_state', state: '{}' },
  set_chat_location: { type: 'set_chat_location', location: 'sideBar' },
};
/** Intents about the display or the page itself. They are ignored for a session that is not shown. */
const OF_SHOWING: readonly FromView['type'][] = [
  'ready',
  'ping',
  'resync',
  'drawn',
  'bodies',
  'terminals',
  'bulk',
  'find',
  'reading',
  'files',
  'find_mentions',
  'start_page',
  'typing',
  'focus',
  'card_sight',
  // Stored beside the session, which does not use it.
  'page_state',
];

const say = (text: string): UnstampedEvent => ({ type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text } });

function stage() {
  const clock = new FakeClock();
  const posted: Posted[] = [];
  const log: string[] = [];
  const listeners = { message: [] as ((message: unknown) => void)[], visibility: [] as (() => void)[] };
  const nothing = { dispose: () => undefined };
  const surface = {
    visible: true,
    active: false,
    postMessage: (message: unknown) => posted.push(message as Posted),
    onDidReceiveMessage: (listener: (message: unknown) => void) => (listeners.message.push(listener), nothing),
    onDidChangeVisibility: (listener: () => void) => (listeners.visibility.push(listener), nothing),
  };
  const drafts = new Map<string, UnsentPrompt>();
  let code: (message: ToView) => void = () => undefined;
  const page = new SessionPage(surface as PageSurface, {
    clock,
    log: { warn: (message) => log.push(message) },
    activity: {
      typing: () => log.push('typing'),
      pageFocus: (key, hasFocus) => log.push(`${key} ${hasFocus ? 'has' : 'has not'} the focus`),
      cardSight: () => undefined,
    },
    code: { tell: (send) => send({ type: 'editor', fileName: 'a.ts' }), watch: (send) => ((code = send), nothing) },
    drafts,
  });
  const session = (key: string): Shown & { readonly store: SessionStore; readonly acts: FromView[] } => {
    const store = new SessionStore(clock);
    const acts: FromView[] = [];
    store.append({ type: 'session_ready', sessionId: key }, { type: 'session_info', title: key });
    const facts = () => ({ folderName: key, multiRoot: false });
    return { session: { key, store }, pageState: {}, mailbox: new Mailbox(), facts, act: (intent) => void acts.push(intent), store, acts };
  };
  const receive = (message: FromView, generation?: number): void =>
    listeners.message.forEach((listener) => listener({ ...message, ...(generation !== undefined && { generation }) }));
  const show = (visible: boolean): void => {
    surface.visible = visible;
    listeners.visibility.forEach((listener) => listener());
  };
  const take = (): Posted[] => posted.splice(0);
  return { clock, surface, page, session, receive, show, take, log, drafts, code: () => code };
}

const types = (posted: readonly Posted[]): string[] => posted.map(({ type, generation }) => `${type} ${generation ?? '-'}`);

describe('a page that shows sessions', () => {
  it('sends a ready page the whole session, with one generation number', () => {
    const { page, session, receive, take, drafts } = stage();
    drafts.set('a', { at: 5, content: prompt });
    const a = session('a');
    a.mailbox.post({ type: 'restore_text', text: 'given back' });
    page.attach(a);
    assert.deepEqual(take(), []);
    receive({ type: 'ready' });
    assert.deepEqual(types(take()), ['session 1', 'snapshot 1', 'page 1', 'draft 1', 'restore_text 1', 'editor -']);
  });

  it('switches without a new page: the new session under a new number, nothing of the old one', () => {
    const { clock, page, session, receive, take } = stage();
    const [a, b] = [session('a'), session('b')];
    page.attach(a);
    receive({ type: 'ready' });
    a.store.append(say('on its way'));
    take();
    page.switchTo(b);
    a.store.append(say('later'));
    b.store.append(say('of b'));
    a.mailbox.post({ type: 'restore_text', text: 'of a' });
    clock.pass(1000);
    assert.equal(page.session?.key, 'b');
    assert.deepEqual(types(take()), ['session 2', 'snapshot 2', 'page 2', 'draft 2', 'events 2']);
    page.switchTo(a);
    const again = take();
    assert.deepEqual(types(again), ['session 3', 'snapshot 3', 'page 3', 'draft 3', 'restore_text 3']);
    assert.match(JSON.stringify(again), /on its waylater/);
    page.detach();
    a.store.append(say('nobody looks'));
    clock.pass(1000);
    assert.deepEqual(take(), []);
  });

  for (const intent of Object.values(INTENTS)) {
    if (OF_SHOWING.includes(intent.type)) {
      continue;
    }
    it(`passes a late ${intent.type} to the session in which it happened`, () => {
      const { page, session, receive, take } = stage();
      const [a, b] = [session('a'), session('b')];
      page.attach(a);
      receive({ type: 'ready' });
      page.switchTo(b);
      take();
      receive(intent, 1);
      receive(intent);
      receive(intent, 99);
      assert.deepEqual([a.acts, b.acts], [[intent], []]);
      receive(intent, 2);
      assert.deepEqual([a.acts, b.acts], [[intent], [intent]]);
      assert.deepEqual(take(), []);
    });
  }

  for (const type of ['resync', 'drawn', 'bodies', 'terminals', 'bulk', 'find', 'reading', 'files'] as const) {
    it(`ignores a late ${type}`, async () => {
      const { clock, page, session, receive, take } = stage();
      const [a, b] = [session('a'), session('b')];
      page.attach(a);
      receive({ type: 'ready' });
      page.switchTo(b);
      const where = page.whereIs();
      take();
      receive(INTENTS[type], 1);
      await turn();
      clock.pass(10_000);
      assert.deepEqual([a.acts, b.acts, take()], [[], [], []]);
      assert.equal(await where, undefined);
    });
  }

  it('drops late answers of the host: search results, reading positions and problems of a form', async () => {
    const { clock, page, session, receive, take } = stage();
    const [a, b] = [session('a'), session('b')];
    a.store.append(say('x'));
    page.attach(a);
    receive({ type: 'ready' });
    const where = page.whereIs();
    receive(INTENTS.find, 1);
    // The code of the search is still being loaded.
    page.switchTo(b);
    assert.equal(await where, undefined);
    take();
    a.mailbox.post({ type: 'elicitation_problems', requestKey: 'k', problems: [] });
    await import('../../../../src/session/view/finder');
    await turn();
    a.store.append(say('x'));
    clock.pass(10_000);
    assert.deepEqual(take(), []);
    page.switchTo(a);
    assert.deepEqual(types(take()).slice(-1), ['elicitation_problems 3'], 'it waited for its own session');
  });

  it('repeats the search when a session is shown again and its page asks', async () => {
    const { clock, page, session, receive, take } = stage();
    const a = session('a');
    a.store.append(say('x'));
    page.attach(a);
    receive({ type: 'ready' });
    page.switchTo(session('b'));
    page.switchTo(a);
    take();
    receive(INTENTS.find, 3);
    await import('../../../../src/session/view/finder');
    await turn();
    clock.pass(100);
    const [found] = take();
    assert.deepEqual(found, {
      type: 'found',
      findId: 1,
      count: 1,
      capped: false,
      hits: [[entryIdOf.message('agent', 'm'), 1]],
      generation: 3,
    });
  });

  it('has a single focus, which moves with the session', () => {
    const { page, session, receive, log } = stage();
    page.attach(session('a'));
    receive({ type: 'ready' });
    receive({ type: 'focus', hasFocus: true });
    receive({ type: 'typing' });
    page.switchTo(session('b'));
    assert.deepEqual(log, ['a has the focus', 'typing', 'a has not the focus', 'b has the focus']);
  });

  it('sends a hidden page nothing, and the next page everything that is then shown', () => {
    const { clock, page, session, receive, show, take, code } = stage();
    const [a, b] = [session('a'), session('b')];
    page.attach(a);
    receive({ type: 'ready' });
    take();
    show(false);
    a.store.append(say('x'));
    page.switchTo(b);
    b.store.append(say('y'));
    code()({ type: 'editor' });
    clock.pass(1000);
    assert.deepEqual(take(), []);
    show(true);
    assert.deepEqual(take(), []);
    receive({ type: 'ready' });
    assert.deepEqual(types(take()), ['session 2', 'snapshot 2', 'page 2', 'draft 2', 'editor -']);
    // The page may be ready before VS Code reports that it is visible.
    show(false);
    receive({ type: 'ready' });
    [true, true, false, true].forEach(show);
    assert.deepEqual(types(take()), ['session 3', 'snapshot 3', 'page 3', 'draft 3', 'editor -']);
  });

  it('gives the focus to the composer of a page that is in front', () => {
    const { page, session, receive, surface, take } = stage();
    surface.active = true;
    page.attach(session('a'));
    receive({ type: 'ready' });
    assert.ok(types(take()).includes('focus 1'));
  });

  it('remembers a limited number of earlier sessions', () => {
    const { page, session, receive } = stage();
    const all = Array.from({ length: 20 }, (_, index) => session(`s${index}`));
    receive({ type: 'ready' });
    all.forEach((each) => page.switchTo(each));
    all.forEach((_, index) => receive(INTENTS.prompt, index + 1));
    assert.deepEqual(
      all.map(({ acts }) => acts.length),
      all.map((_, index) => (index < 12 ? 0 : 1)),
    );
  });

  it('warns once about messages that it does not understand', () => {
    const { page, session, receive, log } = stage();
    page.attach(session('a'));
    [1, 2].forEach(() => receive({ type: 'nonsense' } as never));
    assert.equal(log.length, 1);
  });

  it('ends when it is disposed', () => {
    const { clock, page, session, receive, take, log, code } = stage();
    const a = session('a');
    page.attach(a);
    receive({ type: 'ready' });
    take();
    page.dispose();
    a.store.append(say('x'));
    a.mailbox.post({ type: 'focus', target: 'composer' });
    code()({ type: 'editor' });
    clock.pass(1000);
    assert.deepEqual(take(), []);
    assert.deepEqual(log, ['a has not the focus']);
  });

  describe('with a view state', () => {
    const state = '{"folds":[]}';

    it('moves it to another page, but not back to the one that sent it', () => {
      const one = stage();
      const two = stage();
      const a = one.session('a');
      one.page.attach(a);
      one.receive({ type: 'ready' });
      one.receive({ type: 'page_state', state }, 1);
      one.page.detach();
      two.receive({ type: 'ready' });
      two.page.attach(a);
      assert.deepEqual(two.take()[1], { type: 'session', sessionKey: 'a', state, generation: 1 });
      two.page.detach();
      one.take();
      one.page.attach(a);
      assert.deepEqual(one.take()[0], { type: 'session', sessionKey: 'a', generation: 2 });
    });

    it('returns it to the page that was created again', () => {
      const { page, session, receive, show, take } = stage();
      page.attach(session('a'));
      receive({ type: 'ready' });
      receive({ type: 'page_state', state }, 1);
      show(false);
      show(true);
      take();
      receive({ type: 'ready' });
      assert.deepEqual(take()[0], { type: 'session', sessionKey: 'a', state, generation: 2 });
    });

    it('stores it for the session that it belongs to, however late', () => {
      const { page, session, receive } = stage();
      const [a, b] = [session('a'), session('b')];
      page.attach(a);
      receive({ type: 'ready' });
      page.switchTo(b);
      receive({ type: 'page_state', state }, 1);
      assert.equal(a.pageState.kept?.state, state);
      assert.equal(b.pageState.kept, undefined);
    });
  });

  it('shows no session, handles actions there, and continues with one', () => {
    const { page, session, receive, take } = stage();
    const acts: FromView[] = [];
    page.showNone({ facts: () => ({ location: 'editor' }), act: (intent) => void acts.push(intent) });
    receive({ type: 'ready' });
    assert.deepEqual(take()[0], { type: 'no_session', location: 'editor', generation: 1 });
    receive(INTENTS.action, 1);
    receive(INTENTS.bodies, 1);
    assert.deepEqual(acts, [INTENTS.action]);
    const a = session('a');
    page.switchTo(a);
    assert.deepEqual(take()[0], { type: 'session', sessionKey: 'a', generation: 2 });
    page.showNone({ facts: () => ({ location: 'sideBar' }), act: () => undefined });
    assert.deepEqual(take()[0], { type: 'no_session', location: 'sideBar', generation: 3 });
    a.store.append(say('unheard'));
    assert.deepEqual(take(), []);
    // The user's last action on the start page still counts.
    receive(INTENTS.prompt, 2);
    assert.deepEqual(a.acts, [INTENTS.prompt]);
  });
});
