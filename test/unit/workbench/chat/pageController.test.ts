import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { entryIdOf } from '../../../../src/core/model/state';
import { page } from '../../../../src/core/protocol/channels/page';
import { messages, rulesOf } from '../../../../src/core/protocol/intent';
import type { FromView, ToView, UnsentPrompt } from '../../../../src/core/protocol/view';
import { SessionStore } from '../../../../src/session/state/store';
import type { Session } from '../../../../src/session/session';
import findFeature from '../../../../src/workbench/features/find';
import { Mailbox } from '../../../../src/application/chat/mailbox';
import { type PageSurface, PageController, type PageTarget } from '../../../../src/application/chat/pageController';
import { FakeClock } from '../../session/permission/fakes';
import { exampleOf } from '../../core/protocol/examples';
import { turn } from '../../session/fakes';

type Posted = ToView & { readonly generation?: number };
const prompt = [{ type: 'text', text: 'Hi' }] as const;
/** One intent of each kind. */
const INTENTS = Object.fromEntries((Object.keys(messages) as FromView['type'][]).map((type) => [type, exampleOf(type)])) as {
  readonly [T in FromView['type']]: Extract<FromView, { type: T }>;
};
/** The intents that the session gets whatever the page shows. The page handles its own. */
const OF_SESSION = Object.values(INTENTS).filter((intent) => !(intent.type in page.takes) && !rulesOf(intent).aboutShowing);
const OF_SHOWING = Object.values(INTENTS).filter((intent) => rulesOf(intent).aboutShowing);

const say = (text: string): EventInput => ({ type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text } });

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
  const page = new PageController(surface as PageSurface, {
    clock,
    log: { warn: (message) => log.push(message) },
    activity: {
      typing: () => log.push('typing'),
      pageFocus: (key, hasFocus) => log.push(`${key} ${hasFocus ? 'has' : 'has not'} the focus`),
      cardSight: () => undefined,
      screenChanged: () => undefined,
    },
    code: { postState: (send) => send({ type: 'editor', fileName: 'a.ts' }), watch: (send) => ((code = send), nothing) },
    drafts,
  });
  const handlers = findFeature({ clock });
  const session = (key: string): PageTarget & { readonly store: SessionStore; readonly acts: FromView[] } => {
    const store = new SessionStore(clock);
    const acts: FromView[] = [];
    store.append({ type: 'session_ready', sessionId: key }, { type: 'session_info', title: key });
    const facts = () => ({ folderName: key, multiRoot: false });
    const act: PageTarget['act'] = (intent, showing) => {
      acts.push(intent);
      if (intent.type === 'find') {
        handlers.find!(intent, { session: { key, store } as Session, showing, post: () => undefined });
      }
    };
    return { session: { key, store }, pageState: {}, mailbox: new Mailbox(), facts, act, store, acts };
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

  it('passes most intents to the session', () => {
    assert.ok(OF_SESSION.length > OF_SHOWING.length && OF_SHOWING.length >= 9);
  });

  for (const intent of OF_SESSION) {
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

  for (const late of OF_SHOWING) {
    it(`ignores a late ${late.type}`, async () => {
      const { clock, page, session, receive, take } = stage();
      const [a, b] = [session('a'), session('b')];
      page.attach(a);
      receive({ type: 'ready' });
      page.switchTo(b);
      const where = page.whereIs();
      take();
      receive(late, 1);
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

  it('loses the focus when it is hidden and keeps running, until it reports it again', () => {
    const { page, session, receive, log } = stage();
    page.attach(session('a'));
    receive({ type: 'ready' });
    receive({ type: 'focus', hasFocus: true });
    page.leftScreen();
    page.switchTo(session('b'));
    assert.deepEqual(log.slice(0, 2), ['a has the focus', 'a has not the focus']);
    assert.equal(log.includes('b has the focus'), false);
    receive({ type: 'focus', hasFocus: true });
    assert.equal(log.at(-1), 'b has the focus');
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
