/** The cards of waiting requests that a page reports as visible. */
import assert from 'node:assert/strict';
import type { FromView } from '../../../../src/core/protocol/view';
import { SessionStore } from '../../../../src/session/state/store';
import type { Session } from '../../../../src/session/session';
import permissionFeature from '../../../../src/workbench/features/permission';
import { Mailbox } from '../../../../src/application/chat/mailbox';
import { PageController, type PageTarget } from '../../../../src/application/chat/pageController';
import { FakeClock } from '../../session/permission/fakes';

describe('the visible cards of a page', () => {
  const clock = new FakeClock();
  const nothing = { dispose: () => undefined };
  let sights: string[];
  let page: PageController;
  let receive: (message: FromView & { generation?: number }) => void;
  let hide: () => void;
  const cardSight = (key: string, card?: { readonly permissionId: string; readonly sight: string }): void =>
    void sights.push(card ? `${key} ${card.permissionId} ${card.sight}` : `${key} gone`);
  const noRules = { store: () => assert.fail(), suggestion: () => assert.fail() };
  const handlers = permissionFeature({
    clock,
    activity: { cardSight, during: async (ask) => ask() },
    rules: noRules,
    rulesView: () => assert.fail(),
  });

  beforeEach(() => {
    sights = [];
    const surface = {
      visible: true,
      active: false,
      postMessage: () => undefined,
      onDidReceiveMessage: (listener: (message: unknown) => void) => ((receive = listener), nothing),
      onDidChangeVisibility: (listener: () => void) => {
        hide = () => {
          surface.visible = false;
          listener();
        };
        return nothing;
      },
    };
    page = new PageController(surface, {
      clock,
      log: { warn: () => undefined },
      activity: {
        typing: () => undefined,
        pageFocus: () => undefined,
        screenChanged: () => undefined,
        cardSight,
      },
      code: { postState: () => undefined, watch: () => nothing },
      drafts: new Map(),
    });
  });

  const session = (key: string): PageTarget => ({
    session: { key, store: new SessionStore(clock) },
    pageState: {},
    mailbox: new Mailbox(),
    facts: () => ({ folderName: key, multiRoot: false }),
    act: (intent, showing) => void handlers[intent.type]!(intent, { session: { key } as Session, showing, post: () => undefined }),
  });

  it('are reported for the session that the page shows', () => {
    page.attach(session('a'));
    receive({ type: 'ready' });
    receive({ type: 'card_sight', permissionId: 'p', sight: 'seen', generation: 1 });
    receive({ type: 'card_sight', permissionId: 'p', sight: 'focused', generation: 1 });
    assert.deepEqual(sights, ['a p seen', 'a p focused']);
  });

  it('are dropped for another session, whose reports count instead', () => {
    page.attach(session('a'));
    receive({ type: 'ready' });
    page.switchTo(session('b'));
    receive({ type: 'card_sight', permissionId: 'p', sight: 'seen', generation: 1 });
    receive({ type: 'card_sight', permissionId: 'q', sight: 'seen', generation: 2 });
    assert.deepEqual(sights, ['a gone', 'b q seen']);
  });

  it('are dropped when the page is hidden', () => {
    page.attach(session('a'));
    receive({ type: 'ready' });
    hide();
    assert.deepEqual(sights, ['a gone']);
  });
});
