import assert from 'node:assert/strict';
import type { FromView, ToView } from '../../../src/core/protocol/view';
import { EMPTY_STATE } from '../../../src/core/model/state';
import { MAX_PAGE_STATE } from '../../../src/core/protocol/pageState';
import { toSnapshot } from '../../../src/core/protocol/snapshot';
import { type PageHost, type ViewHost, VsCodeHost } from '../../../webview/host';
import { MOST_KEPT, type NoSession, PageSessions, type SessionView } from '../../../webview/pageSessions';
import { Draft } from '../../../webview/draft';

/** One message of each kind that is about a session. A new kind does not compile until it is here. */
const OF_SESSION: {
  readonly [T in Exclude<
    ToView['type'],
    'session' | 'no_session' | 'code_theme' | 'editor' | 'appearance' | 'live_context' | 'composer'
  >]: Extract<ToView, { type: T }>;
} = {
  snapshot: { type: 'snapshot', seq: 3, snapshot: toSnapshot(EMPTY_STATE, { tail: 1 }) },
  events: { type: 'events', seq: 0, next: 1, events: [] },
  bodies: { type: 'bodies', seq: 0, bodies: [] },
  terminals: { type: 'terminals', seq: 0, terminals: [] },
  bulk: { type: 'bulk', entryId: 'tool_call:t', field: 'rawInput', text: 'x' },
  elicitation_problems: { type: 'elicitation_problems', requestKey: 'k', problems: [] },
  restore_text: { type: 'restore_text', text: 'given back' },
  draft: { type: 'draft', at: 1e15, content: [{ type: 'text', text: 'of the other' }] },
  restore_message: { type: 'restore_message', content: [{ type: 'text', text: 'x' }] },
  mention_rows: { type: 'mention_rows', queryId: 1, rows: [], done: true },
  attach: { type: 'attach', blocks: [{ type: 'text', text: 'x' }] },
  focus: { type: 'focus', target: 'composer' },
  page: { type: 'page', folderName: 'f', multiRoot: true },
  open_find: { type: 'open_find' },
  sound: { type: 'sound', sound: 'finished' },
  found: { type: 'found', findId: 1, count: 0, capped: false, hits: [] },
  files: { type: 'files', files: [] },
  start_page: { type: 'start_page', demo: false, folder: 'folder', git: false, recent: [], location: 'editor' },
  where: { type: 'where' },
  pong: { type: 'pong', pingId: 1 },
};

class FakeView implements SessionView {
  readonly log: string[] = [];
  readonly draft: Draft;
  constructor(readonly host: ViewHost) {
    this.draft = new Draft(host);
  }
  show(again: boolean): void {
    this.log.push(again ? 'shown again' : 'shown');
  }
  receive(message: ToView): void {
    this.log.push(message.type);
  }
  hide(): void {
    this.flush();
    this.log.push('hidden');
  }
  adopt(): void {
    this.log.push(`adopted ${JSON.stringify(this.host.load())}`);
  }
  flush(): void {
    this.draft.flush();
  }
}

function open(kept?: unknown, first: string | null = 'a') {
  const posted: (FromView & { generation?: number })[] = [];
  const views: FakeView[] = [];
  let deliver!: (message: ToView) => void;
  let state = kept;
  const host: PageHost = {
    post: (message) => posted.push(message),
    onMessage: (listener) => (deliver = listener),
    load: () => JSON.parse(JSON.stringify(state ?? null)) as unknown,
    save: (next) => void (state = next),
  };
  const nothing: { readonly none: NoSession; readonly post: (message: FromView) => void }[] = [];
  const sessions = new PageSessions(
    host,
    first ?? undefined,
    (each) => {
      const view = new FakeView(each);
      views.push(view);
      return view;
    },
    (none, post) => nothing.push({ none, post }),
  );
  const send = (message: ToView, generation?: number): void =>
    deliver({ ...message, ...(generation !== undefined && { generation }) } as ToView);
  const show = (sessionKey: string, generation: number): void => send({ type: 'session', sessionKey }, generation);
  return { posted, views, nothing, sessions, send, show, saved: () => state };
}

describe('the sessions of a page', () => {
  it('asks once, and hears what is about the session that is shown', () => {
    const { posted, views, send, show } = open();
    assert.deepEqual(posted, [{ type: 'ready' }]);
    show('a', 1);
    for (const message of Object.values(OF_SESSION)) {
      send(message, 1);
    }
    assert.deepEqual(views[0]!.log, ['shown', ...Object.keys(OF_SESSION)]);
  });

  for (const message of Object.values(OF_SESSION)) {
    it(`lets no late ${message.type} of an earlier session into another one, nor into the same one when it is shown again`, () => {
      const { views, send, show } = open();
      show('a', 1);
      show('b', 2);
      send(message, 1);
      send(message);
      send(message, 3);
      assert.deepEqual(views[1]!.log, ['shown again']);
      show('a', 3);
      send(message, 1);
      send(message, 2);
      assert.deepEqual(views[0]!.log, ['shown', 'hidden', 'shown again']);
      send(message, 3);
      assert.equal(views[0]!.log.at(-1), message.type);
      assert.deepEqual(views[1]!.log, ['shown again', 'hidden']);
    });
  }

  it('does not go back to an earlier session for a message that is late', () => {
    const { sessions, show, send } = open();
    show('a', 1);
    show('b', 2);
    show('a', 1);
    send({ type: 'session', sessionKey: 'a' });
    assert.equal(sessions.key, 'b');
  });

  it('tells a session that comes what it has to know of the window', () => {
    const { views, send, show } = open();
    send({ type: 'editor', fileName: 'a.ts' });
    show('a', 1);
    send({ type: 'editor', fileName: 'b.ts' });
    send({ type: 'code_theme' });
    show('b', 2);
    assert.deepEqual(views[1]!.log, ['shown again', 'editor', 'code_theme']);
  });

  it('says of what it posts which showing it is about', () => {
    const { posted, views, show } = open();
    views[0]!.host.post({ type: 'prompt', content: [] });
    assert.equal(posted.length, 1, 'the page does not know yet what it shows');
    show('a', 7);
    show('b', 8);
    views[1]!.host.post({ type: 'cancel' });
    show('a', 9);
    views[0]!.host.post({ type: 'cancel' });
    assert.deepEqual(posted.slice(1), [
      { type: 'prompt', content: [], generation: 7 },
      { type: 'cancel', generation: 8 },
      { type: 'cancel', generation: 9 },
    ]);
  });

  it('posts nothing for a session that is not shown but the user’s own text', () => {
    const { posted, views, show } = open();
    show('a', 1);
    show('b', 2);
    const before = posted.length;
    views[0]!.host.post({ type: 'bodies', entryIds: ['x'] });
    views[0]!.host.post({ type: 'find', findId: 1, text: 'x', caseSensitive: false, wholeWord: false });
    views[0]!.host.post({ type: 'answer_permission', permissionId: 'p', optionId: 'o' });
    views[0]!.host.post({ type: 'draft', at: 5, content: [] });
    assert.deepEqual(posted.slice(before), [{ type: 'draft', at: 5, content: [], generation: 1 }]);
  });

  it('keeps the draft of each, also over a page that goes', () => {
    const { posted, views, show, saved } = open();
    show('a', 1);
    views[0]!.draft.setText('of a');
    show('b', 2);
    assert.deepEqual(
      posted.filter(({ type }) => type === 'draft').map(({ generation }) => generation),
      [1],
    );
    assert.equal(views[1]!.draft.text, '');
    views[1]!.draft.setText('of b');
    views[0]!.draft.attach([{ type: 'text', text: 'came late' }]);
    views[1]!.flush();
    views[0]!.flush();
    show('a', 3);
    assert.equal(views.length, 2);
    assert.equal(views[0]!.draft.text, 'of a');
    show('b', 4);

    const later = open(saved());
    assert.equal(later.sessions.key, 'b');
    assert.equal(later.views[0]!.draft.text, 'of b');
    later.show('b', 1);
    later.show('a', 2);
    assert.deepEqual([later.views[1]!.draft.text, later.views[1]!.draft.attachments.length], ['of a', 1]);
  });

  it('reads what version 0.1.0 saved, as the session’s that it was of', () => {
    const state = { draft: 'half a message', attachments: [], at: 5, forms: [] };
    const { views, show } = open(state);
    assert.equal(views[0]!.draft.text, 'half a message');
    show('b', 1);
    assert.equal(views[1]!.draft.text, '');
    show('a', 2);
    assert.equal(views[0]!.draft.text, 'half a message');
  });

  it('takes nothing that it did not save', () => {
    for (const state of [5, 'x', [], { sessions: 5 }, { sessions: [5, ['a'], [1, {}], ['a', 7]], shown: 5 }, { shown: {} }]) {
      assert.equal(open(state).views[0]!.draft.text, '', JSON.stringify(state));
    }
  });

  it(`keeps ${MOST_KEPT} sessions, and lets go of those that were shown longest ago`, () => {
    const { views, show, saved } = open();
    const keys = Array.from({ length: MOST_KEPT + 5 }, (_, index) => `s${index}`);
    keys.forEach((key, index) => {
      show(key, index + 1);
      views.at(-1)!.draft.setText(key);
    });
    show(keys[0]!, 100);
    const kept = (saved() as { sessions: [string, unknown][] }).sessions.map(([key]) => key);
    assert.deepEqual(kept, [...keys.slice(-MOST_KEPT + 1), keys[0]]);
    const count = views.length;
    show(keys[10]!, 101);
    assert.equal(views.length, count, 'it was kept');
    show(keys[1]!, 102);
    assert.equal(views.length, count + 1, 'it was not');
    assert.equal(open(saved()).sessions.key, keys[1]);
  });

  it('says in the state of a VS Code page which session is shown, so that the page of a restored window is of that one', () => {
    let state: unknown;
    const api = { postMessage: () => undefined, getState: () => state, setState: (next: unknown) => void (state = next) };
    const host = new VsCodeHost(api, { sessionKey: 'a' });
    assert.deepEqual(state, { sessionKey: 'a', view: undefined });
    host.save({ shown: 'b', sessions: [] });
    assert.equal((state as { sessionKey: string }).sessionKey, 'b');
    assert.equal((host.load() as { shown: string }).shown, 'b');
  });

  describe('what another page has kept', () => {
    it('comes with the session, before it is shown, beside the draft that this page has', () => {
      const { views, send, show } = open();
      show('a', 1);
      send({ type: 'session', sessionKey: 'b', state: '{"folds":[["x",true]]}' }, 2);
      assert.deepEqual(views[1]!.log, ['adopted {"folds":[["x",true]]}', 'shown again']);
    });

    it('takes the place of what this page kept, and leaves its draft', () => {
      const { views, send, show } = open({ shown: 'a', sessions: [['a', { draft: 'mine', at: 5, folds: [['old', true]] }]] });
      send({ type: 'session', sessionKey: 'a', state: '{"folds":[["new",false]]}' }, 1);
      assert.deepEqual(views[0]!.log, ['shown', 'adopted {"folds":[["new",false]],"draft":"mine","at":5}']);
      show('b', 2);
      assert.equal(views[0]!.draft.text, 'mine');
    });

    it('is told to the host with the number of the showing, once for each change, without the draft', () => {
      const { views, posted, show } = open();
      show('a', 1);
      views[0]!.host.save({ folds: [['x', true]], draft: 'not this', forms: [] });
      views[0]!.host.save({ draft: 'nor this' });
      assert.deepEqual(posted.slice(1), [{ type: 'page_state', state: '{"folds":[["x",true]]}', generation: 1 }]);
      show('b', 2);
      views[0]!.host.save({ folds: [] });
      assert.deepEqual(posted.at(-1), { type: 'page_state', state: '{}', generation: 1 });
    });

    it('is not told where it is too long to be taken', () => {
      const { views, posted, show } = open();
      show('a', 1);
      views[0]!.host.save({ forms: ['x'.repeat(MAX_PAGE_STATE)] });
      assert.deepEqual(
        posted.filter(({ type }) => type === 'page_state'),
        [],
      );
    });

    it('is told without the message that is edited where that makes it too long', () => {
      const { views, posted, show } = open();
      show('a', 1);
      views[0]!.host.save({ edit: { text: 'short' }, folds: [['x', true]] });
      views[0]!.host.save({ edit: { text: 'x'.repeat(MAX_PAGE_STATE) }, mentions: [{ token: '@a' }] });
      assert.deepEqual(
        posted.flatMap((message) => (message.type === 'page_state' ? JSON.parse(message.state) : [])),
        [{ edit: { text: 'short' }, folds: [['x', true]] }, { folds: [['x', true]] }],
      );
    });

    it('is nothing where it is not JSON of an object', () => {
      for (const state of ['', 'null', '7', '{']) {
        const { views, send, show } = open();
        show('a', 1);
        send({ type: 'session', sessionKey: 'b', state }, 2);
        assert.deepEqual(views[1]!.log, ['adopted {}', 'shown again'], state);
      }
    });

    it('is told before the page says what the user reads', () => {
      const { views, posted, send, show } = open();
      show('a', 1);
      views[0]!.draft.setText('half a');
      send({ type: 'where' }, 1);
      assert.equal(posted.at(-1)?.type, 'draft');
      assert.equal(views[0]!.log.at(-1), 'where');
    });
  });

  describe('a page without a session', () => {
    it('shows what one can begin with, when the host says so', () => {
      const { posted, views, nothing, send, show, saved } = open(undefined, null);
      assert.deepEqual(posted, [{ type: 'ready' }]);
      assert.equal(nothing.length, 0);
      send({ type: 'no_session', location: 'editor' }, 1);
      assert.deepEqual(
        nothing.map(({ none }) => none.location),
        ['editor'],
      );
      nothing[0]!.post({ type: 'action', action: 'new_session' });
      assert.deepEqual(posted.at(-1), { type: 'action', action: 'new_session', generation: 1 });
      show('a', 2);
      assert.deepEqual(views[0]!.log, ['shown']);
      send({ type: 'no_session', location: 'sideBar' }, 3);
      assert.deepEqual(views[0]!.log, ['shown', 'hidden']);
      assert.deepEqual(Object.keys(saved() as object), ['sessions']);
    });

    it('hears nothing of a session that it has left', () => {
      const { views, send, show } = open();
      show('a', 1);
      send({ type: 'no_session', location: 'editor' }, 2);
      send(OF_SESSION.snapshot, 1);
      send(OF_SESSION.snapshot, 2);
      assert.deepEqual(views[0]!.log, ['shown', 'hidden']);
    });

    it('is restored as such', () => {
      let state: unknown;
      const api = { postMessage: () => undefined, getState: () => state, setState: (next: unknown) => void (state = next) };
      const host = new VsCodeHost(api, { sessionKey: 'a' });
      assert.deepEqual(state, { sessionKey: 'a', view: undefined });
      host.save({ shown: 'b', sessions: [] });
      assert.equal((state as { sessionKey?: string }).sessionKey, 'b');
      host.save({ sessions: [] });
      assert.equal((state as { sessionKey?: string }).sessionKey, undefined);
    });
  });
});
