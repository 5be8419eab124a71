/**
 * The page that shows a session, and can be switched to another without being made anew; in whatever holds it. Knows nothing of VS Code. Each
 * showing of a session has a number, the generation, which every message carries (`core/protocol/generation.ts`).
 */
import { generationOf } from '../../core/protocol/generation';
import { parseIntent } from '../../core/protocol/intent';
import type { Clock, Disposable, Log } from '../../core/model/ports';
import type { FromView, ToView, UnsentPrompt } from '../../core/protocol/view';
import { ViewFeed } from '../../session/view/feed';
import type { Finder } from '../../session/view/finder';
import type { SessionStore } from '../../session/store';
import { DisposableStore, toDisposable } from '../../util/disposable';
import type { Mailbox } from './mailbox';

/** What holds the page: a panel, or a view in the side bar. */
export interface PageSurface {
  /** Nothing comes of it while the page is not there. */
  postMessage(message: unknown): void;
  onDidReceiveMessage(listener: (message: unknown) => void): Disposable;
  /** A hidden page is destroyed; it says `ready` when it is there again. */
  readonly visible: boolean;
  /** It is where the keyboard is, or would be given it. */
  readonly active: boolean;
  onDidChangeVisibility(listener: () => void): Disposable;
}

/** A session, as far as its page is concerned. */
export interface PageSession {
  readonly key: string;
  readonly store: SessionStore;
}

/** What pages keep of a session besides its draft (`page_state`): the newest, and the page it is from. Lives as long as the session is known. */
export interface PageStateSlot {
  kept?: { readonly state: string; readonly page: object };
}

/** A session that is to be shown. */
export interface Shown {
  readonly session: PageSession;
  readonly pageState: PageStateSlot;
  /** What waits for a page of this session. */
  readonly mailbox: Mailbox;
  /** What the page cannot know of the session's folder. */
  facts(): Omit<Extract<ToView, { type: 'page' }>, 'type'>;
  /** Does what the user wants of this session. */
  act(intent: FromView): void;
}

/** What is shown in place of a session. */
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
    /** Without `card` the page no longer shows a card of this session. */
    cardSight(sessionKey: string, card?: Pick<Extract<FromView, { type: 'card_sight' }>, 'permissionId' | 'sight'>): void;
  };
  /** What every page is told of the window, whatever it shows. */
  readonly code: {
    tell(send: (message: ToView) => void): void;
    watch(send: (message: ToView) => void): Disposable;
  };
  readonly drafts: { get(sessionKey: string): UnsentPrompt | undefined };
}

/** ms that a page gets to say where its user is. */
const WHERE_MS = 500;
/** Generations whose session still hears what the user did there: it can be on its way when the page is switched. */
const MOST_EARLIER = 8;

/** One showing of a session. */
class Showing implements Disposable {
  readonly owned = new DisposableStore();
  /** Its code is loaded with the first search. */
  finder: Promise<Finder> | undefined;
  /** Who waits to hear where the user is. */
  readonly asking = new Set<(entryId: string | undefined) => void>();
  readonly feed: ViewFeed;

  constructor(
    readonly shown: Shown,
    clock: Clock,
    send: (showing: Showing, message: ToView) => void,
  ) {
    this.feed = this.owned.add(new ViewFeed(shown.session.store, (message) => send(this, message), clock));
    this.owned.add(toDisposable(() => shown.mailbox.close()));
    this.owned.add(toDisposable(() => this.asking.forEach((answer) => answer(undefined))));
  }

  dispose(): void {
    this.owned.dispose();
  }
}

export class SessionPage implements Disposable {
  private readonly owned = new DisposableStore();
  private showing: Showing | undefined;
  private none: NoSession | undefined;
  private generation = 0;
  /** By generation, oldest first; the newest is the one that is shown. */
  private readonly generations = new Map<number, Shown | NoSession>();
  /** Stands for the page that is there: a new one knows nothing of what this one keeps in memory. */
  private page: object = {};
  /** It has said `ready` and was not hidden since. */
  private there = false;
  /** It has said `ready` while VS Code still called it hidden, and could be told nothing. */
  private isEarly = false;
  private hasFocus = false;
  private warned = false;

  constructor(
    private readonly surface: PageSurface,
    private readonly ports: PageDependencies,
  ) {
    this.owned.add(ports.code.watch((message) => this.sendToPage(message)));
    this.owned.add(surface.onDidChangeVisibility(() => this.onVisibility()));
    this.owned.add(surface.onDidReceiveMessage((message) => this.onMessage(message)));
    this.owned.add(toDisposable(() => this.detach()));
  }

  /** The page has said that it is there, and was not hidden since. */
  get isThere(): boolean {
    return this.there;
  }

  /** The session that it shows. */
  get session(): PageSession | undefined {
    return this.showing?.shown.session;
  }

  /** Shows this session, in place of the one that it shows. */
  switchTo(shown: Shown): void {
    this.detach();
    this.attach(shown);
  }

  /** Shows no session, but what one can begin with. */
  showNone(none: NoSession): void {
    this.detach();
    this.none = none;
    if (this.there) {
      this.beginNone(none);
    }
  }

  /** Shows this session; none is shown yet. */
  attach(shown: Shown): void {
    this.none = undefined;
    this.showing = new Showing(shown, this.ports.clock, (showing, message) => this.send(showing, message));
    this.showing.feed.setVisible(this.surface.visible);
    if (this.there) {
      this.begin(this.showing);
      this.openMailbox(this.showing);
      this.ports.activity.pageFocus(shown.session.key, this.hasFocus);
    }
  }

  /** Shows nothing that is new any more; the page stays as it is until another session is attached. */
  detach(): void {
    const { showing } = this;
    this.showing = undefined;
    if (showing) {
      showing.dispose();
      this.ports.activity.cardSight(showing.shown.session.key);
      this.ports.activity.pageFocus(showing.shown.session.key, false);
    }
  }

  /** What {@link Shown.facts} says has changed. */
  tellFacts(): void {
    if (this.showing && this.there) {
      this.send(this.showing, { type: 'page', ...this.showing.shown.facts() });
    }
  }

  /** The entry that the user reads; undefined when the page cannot tell. */
  whereIs(): Promise<string | undefined> {
    const { showing } = this;
    return new Promise((resolve) => {
      if (!showing) {
        return resolve(undefined);
      }
      const answer = (entryId: string | undefined): void => {
        showing.asking.delete(answer);
        late.dispose();
        resolve(entryId);
      };
      const late = this.ports.clock.after(WHERE_MS, () => answer(undefined));
      showing.asking.add(answer);
      this.send(showing, { type: 'where' });
    });
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
    // The page is destroyed; the next one says `ready`.
    this.there = this.isEarly = this.hasFocus = false;
    if (this.showing) {
      const { shown, finder } = this.showing;
      shown.mailbox.close();
      this.ports.activity.cardSight(shown.session.key);
      this.ports.activity.pageFocus(shown.session.key, false);
      void finder?.then((each) => each.stop());
    }
  }

  private onMessage(message: unknown): void {
    const intent = parseIntent(message);
    if (!intent) {
      // Once: the page could send any number of them.
      if (!this.warned) {
        this.ports.log.warn('A message of the session view was not understood and is ignored.');
      }
      this.warned = true;
      return;
    }
    // Of the page, whatever it shows.
    if (intent.type === 'ready') {
      return this.onReady();
    }
    if (intent.type === 'ping') {
      return this.surface.postMessage({ type: 'pong', pingId: intent.pingId } satisfies ToView);
    }
    if (intent.type === 'typing') {
      return this.ports.activity.typing();
    }
    if (intent.type === 'focus') {
      this.hasFocus = intent.hasFocus;
      return this.session && this.ports.activity.pageFocus(this.session.key, intent.hasFocus);
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
    } else if (!isAboutShowing(intent)) {
      // The user did it in the session that was on the screen then.
      this.generations.get(generation)?.act(intent);
    }
  }

  private handle(showing: Showing, intent: FromView): void {
    if (intent.type === 'find') {
      void this.openFinder(showing).then((finder) => !showing.owned.disposed && finder.find(intent.findId, intent));
    } else if (intent.type === 'card_sight') {
      this.ports.activity.cardSight(showing.shown.session.key, intent);
    } else if (intent.type === 'reading') {
      showing.asking.forEach((answer) => answer(intent.entryId));
    } else if (!showing.feed.handle(intent)) {
      showing.shown.act(intent);
    }
  }

  private openFinder(showing: Showing): Promise<Finder> {
    const { store } = showing.shown.session;
    return (showing.finder ??= import('../../session/view/finder').then(({ Finder }) =>
      showing.owned.add(new Finder(store, this.ports.clock, (findId, found) => this.send(showing, { type: 'found', findId, ...found }))),
    ));
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
    this.ports.code.tell((message) => this.sendToPage(message));
  }

  /** All that a page has to know of the session, under a number of its own. */
  private begin(showing: Showing): void {
    const { shown } = showing;
    const { kept } = shown.pageState;
    this.nextGeneration(shown);
    const state = kept && kept.page !== this.page ? { state: kept.state } : {};
    this.send(showing, { type: 'session', sessionKey: shown.session.key, ...state });
    showing.feed.handle({ type: 'ready' });
    this.send(showing, { type: 'page', ...shown.facts() });
    this.send(showing, { type: 'draft', ...(this.ports.drafts.get(shown.session.key) ?? { at: 0, content: [] }) });
  }

  private beginNone(none: NoSession): void {
    this.nextGeneration(none);
    this.sendToPage({ type: 'no_session', ...none.facts(), generation: this.generation } as ToView);
  }

  private nextGeneration(shown: Shown | NoSession): void {
    this.generations.set(++this.generation, shown);
    for (const earliest of [...this.generations.keys()].slice(0, -MOST_EARLIER)) {
      this.generations.delete(earliest);
    }
  }

  /** After the focus of a page that is merely shown again: what waits may ask for another place. */
  private openMailbox(showing: Showing): void {
    showing.shown.mailbox.open((message) => this.send(showing, message));
  }

  private send(showing: Showing, message: ToView): void {
    if (showing === this.showing && this.surface.visible) {
      this.surface.postMessage({ ...message, generation: this.generation });
    }
  }

  /** What every new page is told anyway: a hidden one is not there. */
  private sendToPage(message: ToView): void {
    if (!this.owned.disposed && this.surface.visible) {
      this.surface.postMessage(message);
    }
  }
}

/** Asks for something that only the page of that showing could use. */
function isAboutShowing({ type }: FromView): boolean {
  return (
    type === 'resync' ||
    type === 'drawn' ||
    type === 'bodies' ||
    type === 'terminals' ||
    type === 'bulk' ||
    type === 'find' ||
    type === 'reading' ||
    type === 'card_sight' ||
    type === 'files' ||
    type === 'find_mentions' ||
    type === 'start_page'
  );
}
