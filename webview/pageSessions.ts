/**
 * The sessions that the page shows, one after the other. The host says which; what belongs to a session comes back with it, and what was under
 * way for another one reaches nobody. Without a document: what is on the screen is the business of who opens views.
 */
import { generationOf } from '../src/core/protocol/generation';
import { MAX_PAGE_STATE } from '../src/core/protocol/pageState';
import type { FromView, ToView } from '../src/core/protocol/view';
import type { PageHost, ViewHost } from './host';

/** Sessions of which the page keeps drafts, forms, folds and places; those that were shown longest ago go first. The host has their drafts. */
export const MOST_KEPT = 10;

/** A session's view, while it is shown and while it is not. */
export interface SessionView {
  /** It comes onto the screen. `again`: it was there before, or another session was. */
  show(again: boolean): void;
  /** Only while it is shown. */
  receive(message: ToView): void;
  /** It leaves the screen, and is saved. */
  hide(): void;
  /** What is kept of it was replaced by what a later page has kept. */
  adopt(): void;
  /** What waits to be saved is saved now. */
  flush(): void;
}

/** What is shown in place of a session. */
export type NoSession = Extract<ToView, { readonly type: 'no_session' }>;

/** What a session's draft is kept in: the host has a way of its own for it. */
const DRAFT_FIELDS: ReadonlySet<string> = new Set(['draft', 'attachments', 'mentions', 'at']);

/** The host's end for one session: drops what a session that is not shown asks for, and keeps its part of what is saved. */
class SessionHost implements ViewHost {
  private state: object;
  private generation: number | undefined;
  /** What was posted before the page was told what it shows. */
  private early: FromView[] = [];
  /** What the host has of this session's state, as JSON. */
  private told = '{}';
  isShown = true;

  constructor(
    private readonly page: PageHost,
    kept: unknown,
    private readonly changed: () => void,
  ) {
    this.state = typeof kept === 'object' && kept !== null ? kept : {};
  }

  /** It is shown under this number. */
  begin(generation: number): void {
    this.generation = generation;
    this.early.splice(0).forEach((message) => this.post(message));
  }

  post(message: FromView): void {
    // The user's own text is never lost: the host knows whose it is by the number.
    if (!this.isShown && message.type !== 'draft' && message.type !== 'page_state') {
      return;
    }
    if (this.generation === undefined) {
      this.early.push(message);
    } else {
      this.page.post({ ...message, generation: this.generation });
    }
  }

  onMessage(): void {
    // Told by the page: SessionView.receive.
  }

  load(): object {
    return this.state;
  }

  /** Several save: each its own fields of one object, by name. */
  save(part: unknown): void {
    this.state = { ...this.state, ...(part as object) };
    this.changed();
    this.tell();
  }

  /** Tells the host what another page would need to go on with. */
  private tell(): void {
    const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
    const worth = Object.entries(this.state).filter(([name, value]) => !DRAFT_FIELDS.has(name) && !isEmpty(value));
    const whole = JSON.stringify(Object.fromEntries(worth));
    // A message that is edited may hold pictures: it is this page's own then.
    const state = whole.length <= MAX_PAGE_STATE ? whole : JSON.stringify(Object.fromEntries(worth.filter(([name]) => name !== 'edit')));
    if (state !== this.told && state.length <= MAX_PAGE_STATE) {
      this.told = state;
      this.post({ type: 'page_state', state });
    }
  }

  /** What a later page has kept, in place of what was kept here. */
  adopt(state: string): void {
    const draft = Object.fromEntries(Object.entries(this.state).filter(([name]) => DRAFT_FIELDS.has(name)));
    this.told = state;
    this.state = { ...stateIn(state), ...draft };
    this.changed();
  }
}

function stateIn(json: string): object {
  try {
    const state: unknown = JSON.parse(json);
    return typeof state === 'object' && state !== null ? state : {};
  } catch {
    return {};
  }
}

interface Kept {
  readonly host: SessionHost;
  readonly view: SessionView;
}

interface Shown extends Kept {
  readonly key: string;
  readonly generation: number | undefined;
}

/** Messages about the window, whatever the page shows. */
const OF_WINDOW: ReadonlySet<ToView['type']> = new Set(['code_theme', 'editor', 'appearance', 'live_context', 'composer']);

export class PageSessions {
  /** By key; the one that was shown last at the end. */
  private readonly kept = new Map<string, Kept>();
  /** What an earlier page saved of sessions that this one has not shown yet. */
  private readonly saved: Map<string, unknown>;
  private shown: Shown | undefined;
  /** The newest number that the host has told. */
  private generation = -1;
  /** Of the window, for whichever session is shown. */
  private readonly facts = new Map<string, ToView>();

  /**
   * @param key of the session that the host made the page for; undefined: it will say what to show
   * @param open makes the view of a session that is shown for the first time
   * @param showNone puts what one can begin with into the place of a session
   */
  constructor(
    private readonly host: PageHost,
    key: string | undefined,
    private readonly open: (host: ViewHost) => SessionView,
    private readonly showNone: (none: NoSession, post: (message: FromView) => void) => void = () => undefined,
  ) {
    const state = host.load();
    const last = typeof state === 'object' && state !== null ? (state as { shown?: unknown }).shown : undefined;
    const first = typeof last === 'string' ? last : key;
    this.saved = savedIn(state, first);
    if (first !== undefined) {
      this.shown = { key: first, generation: undefined, ...this.keptOf(first) };
      this.shown.view.show(false);
    }
    host.onMessage((message) => this.receive(message));
    host.post({ type: 'ready' });
  }

  /** The key of the session that is shown. */
  get key(): string | undefined {
    return this.shown?.key;
  }

  /** The page may go: all that is to be saved is saved and told. */
  flush(): void {
    this.shown?.view.flush();
  }

  private receive(message: ToView): void {
    const generation = generationOf(message);
    if (message.type === 'session' || message.type === 'no_session') {
      if (generation === undefined || generation <= this.generation) {
        return;
      }
      this.generation = generation;
      if (message.type === 'session') {
        this.begin(message.sessionKey, generation, message.state);
      } else {
        this.leave();
        this.showNone(message, (intent) => this.host.post({ ...intent, generation }));
        this.save();
      }
    } else if (generation === undefined) {
      if (OF_WINDOW.has(message.type)) {
        this.facts.set(message.type, message);
        this.shown?.view.receive(message);
      }
    } else if (generation === this.generation && this.shown) {
      if (message.type === 'where') {
        this.flush();
      }
      this.shown.view.receive(message);
    }
  }

  private begin(key: string, generation: number, state: string | undefined): void {
    if (key === this.shown?.key) {
      this.shown = { ...this.shown, generation };
      this.shown.host.begin(generation);
      this.adopt(this.shown, state);
      return;
    }
    const again = this.shown !== undefined || this.kept.size > 0;
    this.leave();
    this.shown = { key, generation, ...this.keptOf(key) };
    const { host, view } = this.shown;
    host.isShown = true;
    host.begin(generation);
    this.adopt(this.shown, state);
    view.show(again);
    this.facts.forEach((fact) => view.receive(fact));
    this.save();
  }

  private adopt({ host, view }: Kept, state: string | undefined): void {
    if (state !== undefined) {
      host.adopt(state);
      view.adopt();
    }
  }

  /** Nothing is shown. */
  private leave(): void {
    if (this.shown) {
      const { view, host } = this.shown;
      view.hide();
      host.isShown = false;
      this.shown = undefined;
    }
  }

  /** Puts it last, and lets go of those that were shown longest ago. */
  private keptOf(key: string): Kept {
    const known = this.kept.get(key) ?? this.make(key);
    this.kept.delete(key);
    this.kept.set(key, known);
    this.saved.delete(key);
    for (const oldest of [...this.saved.keys(), ...this.kept.keys()].slice(0, -MOST_KEPT)) {
      this.saved.delete(oldest);
      this.kept.delete(oldest);
    }
    return known;
  }

  private make(key: string): Kept {
    const host = new SessionHost(this.host, this.saved.get(key), () => this.save());
    return { host, view: this.open(host) };
  }

  private save(): void {
    const sessions = [...this.saved, ...[...this.kept].map(([key, { host }]) => [key, host.load()] as const)];
    this.host.save({ ...(this.shown && { shown: this.shown.key }), sessions });
  }
}

/** By key, as `save` put it; of version 0.1.0, which knew one session, what it saved is that one's. */
function savedIn(state: unknown, key: string | undefined): Map<string, unknown> {
  const sessions: unknown = typeof state === 'object' && state !== null && 'sessions' in state ? state.sessions : [[key, state]];
  const pairs = Array.isArray(sessions) ? (sessions as unknown[]) : [];
  return new Map(pairs.filter((pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string').slice(-MOST_KEPT));
}
