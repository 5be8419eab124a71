import assert from 'node:assert/strict';
import type { FromView, ToView } from '../../../../src/core/protocol/view';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { MAX_PAGE_STATE } from '../../../../src/core/protocol/messages/pageState';
import { toSnapshot } from '../../../../src/core/protocol/snapshot';
import { type PageHost, type ViewHost, VsCodeHost } from '../../../../webview/base/host';
import { MAX_KEPT, type NoSession, PageSessions, type SessionView } from '../../../../webview/app/pageSessions';
import { Draft } from '../../../../webview/state/draft';

/** Messages that concern a session. */
const OF_SESSION = {
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
} satisfies { readonly [T in ToView['type']]?: Extract<ToView, { type: T }> };

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
  it('send one request, and receive the messages about the shown session', () => {
    const { posted, views, send, show } = open();
    assert.deepEqual(posted, [{ type: 'ready' }]);
    show('a', 1);
    for (const message of Object.values(OF_SESSION)) {
      send(message, 1);
    }
    assert.deepEqual(views[0]!.log, ['shown', ...Object.keys(OF_SESSION)]);
  });

  for (const message of Object.values(OF_SESSION)) {
    it(`pass no late ${message.type} of an earlier session to another one, nor to the same one when it is shown again`, () => {
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

  it('do not return to an earlier session for a late message', () => {
    const { sessions, show, send } = open();
    show('a', 1);
    show('b', 2);
    show('a', 1);
    send({ type: 'session', sessionKey: 'a' });
    assert.equal(sessions.key, 'b');
  });

  it('pass the state of the window to a newly shown session', () => {
    const { views, send, show } = open();
    send({ type: 'editor', fileName: 'a.ts' });
    show('a', 1);
    send({ type: 'editor', fileName: 'b.ts' });
    send({ type: 'code_theme' });
    show('b', 2);
    assert.deepEqual(views[1]!.log, ['shown again', 'editor', 'code_theme']);
  });

  it('mark their messages with the generation that they belong to', () => {
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

  it('post nothing for a hidden session except the user’s own text', () => {
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

  it('keep the draft of each, also across a page that closes', () => {
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

  it('read the state saved by version 0.1.0, for its session', () => {
    const state = { draft: 'half a message', attachments: [], at: 5, forms: [] };
    const { views, show } = open(state);
    assert.equal(views[0]!.draft.text, 'half a message');
    show('b', 1);
    assert.equal(views[1]!.draft.text, '');
    show('a', 2);
    assert.equal(views[0]!.draft.text, 'half a message');
  });

  it('ignore state that they did not save', () => {
    for (const state of [5, 'x', [], { sessions: 5 }, { sessions: [5, ['a'], [1, {}], ['a', 7]], shown: 5 }, { shown: {} }]) {
      assert.equal(open(state).views[0]!.draft.text, '', JSON.stringify(state));
    }
  });

  it(`keep ${MAX_KEPT} sessions, and drop those that were shown longest ago`, () => {
    const { views, show, saved } = open();
    const keys = Array.from({ length: MAX_KEPT + 5 }, (_, index) => `s${index}`);
    keys.forEach((key, index) => {
      show(key, index + 1);
      views.at(-1)!.draft.setText(key);
    });
    show(keys[0]!, 100);
    const kept = (saved() as { sessions: [string, unknown][] }).sessions.map(([key]) => key);
    assert.deepEqual(kept, [...keys.slice(-MAX_KEPT + 1), keys[0]]);
    const count = views.length;
    show(keys[10]!, 101);
    assert.equal(views.length, count, 'it was kept');
    show(keys[1]!, 102);
    assert.equal(views.length, count + 1, 'it was not');
    assert.equal(open(saved()).sessions.key, keys[1]);
  });

  it('store the shown session in the state of a VS Code page, so that a restored window shows it again', () => {
    let state: unknown;
    const api = { postMessage: () => undefined, getState: () => state, setState: (next: unknown) => void (state = next) };
    const host = new VsCodeHost(api, { sessionKey: 'a' });
    assert.deepEqual(state, { sessionKey: 'a', view: undefined });
    host.save({ shown: 'b', sessions: [] });
    assert.equal((state as { sessionKey: string }).sessionKey, 'b');
    assert.equal((host.load() as { shown: string }).shown, 'b');
  });

  describe('state of another page', () => {
    it('arrives with the session, before it is shown, beside the draft of this page', () => {
      const { views, send, show } = open();
      show('a', 1);
      send({ type: 'session', sessionKey: 'b', state: '{"folds":[["x",true]]}' }, 2);
      assert.deepEqual(views[1]!.log, ['adopted {"folds":[["x",true]]}', 'shown again']);
    });

    it('replaces the state of this page, but not its draft', () => {
      const { views, send, show } = open({ shown: 'a', sessions: [['a', { draft: 'mine', at: 5, folds: [['old', true]] }]] });
      send({ type: 'session', sessionKey: 'a', state: '{"folds":[["new",false]]}' }, 1);
      assert.deepEqual(views[0]!.log, ['shown', 'adopted {"folds":[["new",false]],"draft":"mine","at":5}']);
      show('b', 2);
      assert.equal(views[0]!.draft.text, 'mine');
    });

    it('is sent to the host with its generation, once for each change, without the draft', () => {
      const { views, posted, show } = open();
      show('a', 1);
      views[0]!.host.save({ folds: [['x', true]], draft: 'not this', forms: [] });
      views[0]!.host.save({ draft: 'nor this' });
      assert.deepEqual(posted.slice(1), [{ type: 'page_state', state: '{"folds":[["x",true]]}', generation: 1 }]);
      show('b', 2);
      views[0]!.host.save({ folds: [] });
      assert.deepEqual(posted.at(-1), { type: 'page_state', state: '{}', generation: 1 });
    });

    it('is not sent when it is too long', () => {
      const { views, posted, show } = open();
      show('a', 1);
      views[0]!.host.save({ forms: ['x'.repeat(MAX_PAGE_STATE)] });
      assert.deepEqual(
        posted.filter(({ type }) => type === 'page_state'),
        [],
      );
    });

    it('is sent without the edited message when that makes it too long', () => {
      const { views, posted, show } = open();
      show('a', 1);
      views[0]!.host.save({ edit: { text: 'short' }, folds: [['x', true]] });
      views[0]!.host.save({ edit: { text: 'x'.repeat(MAX_PAGE_STATE) }, mentions: [{ token: '@a' }] });
      assert.deepEqual(
        posted.flatMap((message) => (message.type === 'page_state' ? JSON.parse(message.state) : [])),
        [{ edit: { text: 'short' }, folds: [['x', true]] }, { folds: [['x', true]] }],
      );
    });

    it('is ignored when it is not a JSON object', () => {
      for (const state of ['', 'null', '7', '{']) {
        const { views, send, show } = open();
        show('a', 1);
        send({ type: 'session', sessionKey: 'b', state }, 2);
        assert.deepEqual(views[1]!.log, ['adopted {}', 'shown again'], state);
      }
    });

    it('is sent before the page reports the reading position', () => {
      const { views, posted, send, show } = open();
      show('a', 1);
      views[0]!.draft.setText('half a');
      send({ type: 'where' }, 1);
      assert.equal(posted.at(-1)?.type, 'draft');
      assert.equal(views[0]!.log.at(-1), 'where');
    });
  });

  describe('a page without a session', () => {
    it('shows the start page when the host asks for it', () => {
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

    it('receives nothing for a session that it has left', () => {
      const { views, send, show } = open();
      show('a', 1);
      send({ type: 'no_session', location: 'editor' }, 2);
      send(OF_SESSION.snapshot, 1);
      send(OF_SESSION.snapshot, 2);
      assert.deepEqual(views[0]!.log, ['shown', 'hidden']);
    });

    it('is restored without a session', () => {
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
