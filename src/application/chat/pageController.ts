/**
 * The page that shows a session and can switch to another one without being reloaded, on any surface. Independent of VS Code. Each showing of a
 * session has a number, the generation, which every message carries (`core/protocol/generation.ts`).
 */
import { generationOf } from '../../core/protocol/generation';
import { parseIntent, rulesOf } from '../../core/protocol/intent';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { FromView, ToView, UnsentPrompt } from '../../core/protocol/view';
import { ViewFeed } from '../../session/view/feed';
import type { SessionStore } from '../../session/state/store';
import { DisposableStore, toDisposable } from '../../util/disposable';
import { Listeners } from '../../core/platform/listeners';
import type { Showing } from '../routing/feature';
import type { Mailbox } from './mailbox';

/** The surface that contains the page: a panel, or a view in the side bar. */
export interface PageSurface {
  /** Posts a message. It is lost while the page does not exist. */
  postMessage(message: unknown): void;
  onDidReceiveMessage(listener: (message: unknown) => void): Disposable;
  /** False when the page is hidden. A hidden page is destroyed, and its successor sends `ready`. */
  readonly visible: boolean;
  /** True when the surface has the keyboard focus, or would get it. */
  readonly active: boolean;
  onDidChangeVisibility(listener: () => void): Disposable;
}

/** The parts of a session that its page needs. */
export interface PageSession {
  readonly key: string;
  readonly store: SessionStore;
}

/**
 * The newest state of a session that a page has sent (`page_state`), without the draft, and the page that sent it. Lives as long as the session is
 * known.
 */
export interface PageStateSlot {
  kept?: { readonly state: string; readonly page: object };
}

/** A session to be shown. */
export interface PageTarget {
  readonly session: PageSession;
  readonly pageState: PageStateSlot;
  /** The messages that wait for a page of this session. */
  readonly mailbox: Mailbox;
  /** Facts about the session's folder that the page cannot know. */
  facts(): Omit<Extract<ToView, { type: 'page' }>, 'type'>;
  /** Handles the user's action in this session. @param showing set while the page still shows the session */
  act(intent: FromView, showing?: Showing): void;
}

/** The page's content when it shows no session. */
export interface NoSession {
  facts(): Omit<Extract<ToView, { type: 'no_session' }>, 'type'>;
  act(intent: FromView): void;
}

export interface PageDependencies {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly activity: {
    typing(): void;
    pageFocus(sessionKey: string, hasFocus: boolean): void;
    /** Reports that the page no longer shows a card of this session. */
    cardSight(sessionKey: string): void;
    /** Reports that a page came into sight or left it, other than in a tab. */
    screenChanged(): void;
  };
  /** Messages about the window that every page receives, whatever it shows. */
  readonly code: {
    postState(send: (message: ToView) => void): void;
    watch(send: (message: ToView) => void): Disposable;
  };
  readonly drafts: { get(sessionKey: string): UnsentPrompt | undefined };
}

/** The time in ms that a page gets to report the user's position. */
const WHERE_MS = 500;
/** The number of earlier generations whose session still receives actions: a message can be in transit when the page is switched. */
const MAX_EARLIER = 8;

class PageShowing implements Showing, Disposable {
  private readonly owned = new DisposableStore();
  private readonly hideListeners = new Listeners<[]>();
  /** The pending requests for the user's position. */
  readonly asking = new Set<(entryId: string | undefined) => void>();
  readonly feed: ViewFeed;

  constructor(
    readonly shown: PageTarget,
    clock: Clock,
    private readonly post: (showing: PageShowing, message: ToView) => void,
  ) {
    this.feed = this.owned.add(new ViewFeed(shown.session.store, (message) => this.send(message), clock));
    this.owned.add(toDisposable(() => shown.mailbox.close()));
    this.owned.add(toDisposable(() => this.asking.forEach((answer) => answer(undefined))));
    this.owned.add(toDisposable(() => this.hideListeners.clear()));
  }

  get disposed(): boolean {
    return this.owned.disposed;
  }

  add<T extends Disposable>(owned: T): T {
    return this.owned.add(owned);
  }

  send(message: ToView): void {
    this.post(this, message);
  }

  onHide(listener: () => void): void {
    this.hideListeners.add(listener);
  }

  /** The page is hidden: VS Code has destroyed it. */
  hide(): void {
    this.shown.mailbox.close();
    this.hideListeners.call();
  }

  dispose(): void {
    this.owned.dispose();
  }
}

export class PageController implements Disposable {
  private readonly owned = new DisposableStore();
  private showing: PageShowing | undefined;
  private none: NoSession | undefined;
  private generation = 0;
  /** The shown sessions by generation, oldest first. The newest is the one on the screen. */
  private readonly generations = new Map<number, PageTarget | NoSession>();
  /** The identity of the current page. A new page has none of the earlier page's memory. */
  private page: object = {};
  /** True when the page has sent `ready` and was not hidden since. */
  private there = false;
  /** True when the page has sent `ready` while VS Code still reported it hidden, so that no message could be sent. */
  private isEarly = false;
  private hasFocus = false;
  private warned = false;

  constructor(
    private readonly surface: PageSurface,
    private readonly deps: PageDependencies,
  ) {
    this.owned.add(deps.code.watch((message) => this.sendToPage(message)));
    this.owned.add(surface.onDidChangeVisibility(() => this.onVisibility()));
    this.owned.add(surface.onDidReceiveMessage((message) => this.onMessage(message)));
    this.owned.add(toDisposable(() => this.detach()));
  }

  /** True when the page has sent `ready` and was not hidden since. */
  get isThere(): boolean {
    return this.there;
  }

  /** The session that the page shows. */
  get session(): PageSession | undefined {
    return this.showing?.shown.session;
  }

  /** Shows this session in place of the current one. */
  switchTo(shown: PageTarget): void {
    this.detach();
    this.attach(shown);
  }

  /** Shows the start page without a session. */
  showNone(none: NoSession): void {
    this.detach();
    this.none = none;
    if (this.there) {
      this.beginNone(none);
    }
  }

  /** Shows this session. No session may be attached yet. */
  attach(shown: PageTarget): void {
    this.none = undefined;
    this.showing = new PageShowing(shown, this.deps.clock, (showing, message) => this.send(showing, message));
    this.showing.feed.setVisible(this.surface.visible);
    if (this.there) {
      this.begin(this.showing);
      this.openMailbox(this.showing);
      this.deps.activity.pageFocus(shown.session.key, this.hasFocus);
    }
  }

  /** Detaches the session. The page keeps its content, without updates, until another session is attached. */
  detach(): void {
    const { showing } = this;
    this.showing = undefined;
    if (showing) {
      showing.dispose();
      this.deps.activity.cardSight(showing.shown.session.key);
      this.deps.activity.pageFocus(showing.shown.session.key, false);
    }
  }

  /** Sends {@link PageTarget.facts} again after a change. */
  postFacts(): void {
    if (this.showing && this.there) {
      this.send(this.showing, { type: 'page', ...this.showing.shown.facts() });
    }
  }

  /** Returns the entry that the user reads, or undefined when the page does not answer. */
  whereIs(): Promise<string | undefined> {
    const { showing } = this;
    return new Promise((resolve) => {
      if (!showing) {
        return resolve(undefined);
      }
      const answer = (entryId: string | undefined): void => {
        showing.asking.delete(answer);
        timeout.dispose();
        resolve(entryId);
      };
      const timeout = this.deps.clock.after(WHERE_MS, () => answer(undefined));
      showing.asking.add(answer);
      this.send(showing, { type: 'where' });
    });
  }

  /** Called when the page is hidden and keeps running. It may not notice that it has lost the focus. */
  leftScreen(): void {
    this.hasFocus = false;
    if (this.session) {
      this.deps.activity.pageFocus(this.session.key, false);
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  private onVisibility(): void {
    const { visible } = this.surface;
    this.showing?.feed.setVisible(visible);
    if (visible) {
      return this.isEarly ? this.onReady() : undefined;
    }
    // VS Code has destroyed the page; the next one sends `ready`.
    this.there = this.isEarly = this.hasFocus = false;
    if (this.showing) {
      const { key } = this.showing.shown.session;
      this.showing.hide();
      this.deps.activity.cardSight(key);
      this.deps.activity.pageFocus(key, false);
    }
  }

  private onMessage(message: unknown): void {
    const intent = parseIntent(message);
    if (!intent) {
      // Logged once, because the page could send any number of such messages.
      if (!this.warned) {
        this.deps.log.warn('A message of the session view was not understood and is ignored.');
      }
      this.warned = true;
      return;
    }
    // Messages about the page itself, whatever it shows.
    if (intent.type === 'ready') {
      return this.onReady();
    }
    if (intent.type === 'ping') {
      return this.surface.postMessage({ type: 'pong', pingId: intent.pingId } satisfies ToView);
    }
    if (intent.type === 'typing') {
      return this.deps.activity.typing();
    }
    if (intent.type === 'focus') {
      this.hasFocus = intent.hasFocus;
      return this.session && this.deps.activity.pageFocus(this.session.key, intent.hasFocus);
    }
    const generation = generationOf(message) ?? -1;
    const { showing } = this;
    if (intent.type === 'page_state') {
      const shown = this.generations.get(generation);
      if (shown && 'pageState' in shown) {
        shown.pageState.kept = { state: intent.state, page: this.page };
      }
      return;
    }
    if (showing && generation === this.generation) {
      this.handle(showing, intent);
    } else if (!rulesOf(intent).aboutShowing) {
      // The action belongs to the session that was on the screen then.
      this.generations.get(generation)?.act(intent);
    }
  }

  private handle(showing: PageShowing, intent: FromView): void {
    if (intent.type === 'reading') {
      showing.asking.forEach((answer) => answer(intent.entryId));
    } else if (!showing.feed.handle(intent)) {
      showing.shown.act(intent, showing);
    }
  }

  private onReady(): void {
    this.there = this.surface.visible;
    this.isEarly = !this.there;
    if (this.isEarly) {
      return;
    }
    this.page = {};
    if (this.none) {
      this.beginNone(this.none);
    }
    if (this.showing) {
      this.begin(this.showing);
      if (this.surface.active) {
        this.send(this.showing, { type: 'focus', target: 'composer' });
      }
      this.openMailbox(this.showing);
    }
    this.deps.code.postState((message) => this.sendToPage(message));
  }

  /** Sends all that a page must know of the session, under a new generation. */
  private begin(showing: PageShowing): void {
    const { shown } = showing;
    const { kept } = shown.pageState;
    this.nextGeneration(shown);
    const state = kept && kept.page !== this.page ? { state: kept.state } : {};
    this.send(showing, { type: 'session', sessionKey: shown.session.key, ...state });
    showing.feed.handle({ type: 'ready' });
    this.send(showing, { type: 'page', ...shown.facts() });
    this.send(showing, { type: 'draft', ...(this.deps.drafts.get(shown.session.key) ?? { at: 0, content: [] }) });
  }

  private beginNone(none: NoSession): void {
    this.nextGeneration(none);
    this.sendToPage({ type: 'no_session', ...none.facts(), generation: this.generation } as ToView);
  }

  private nextGeneration(shown: PageTarget | NoSession): void {
    this.generations.set(++this.generation, shown);
    for (const earliest of [...this.generations.keys()].slice(0, -MAX_EARLIER)) {
      this.generations.delete(earliest);
    }
  }

  /** Called after the page got its focus message, because a waiting message may set another focus. */
  private openMailbox(showing: PageShowing): void {
    showing.shown.mailbox.open((message) => this.send(showing, message));
  }

  private send(showing: PageShowing, message: ToView): void {
    if (showing === this.showing && this.surface.visible) {
      this.surface.postMessage({ ...message, generation: this.generation });
    }
  }

  /** Sends a message that every new page gets anyway, so a hidden page can miss it. */
  private sendToPage(message: ToView): void {
    if (!this.owned.disposed && this.surface.visible) {
      this.surface.postMessage(message);
    }
  }
}
