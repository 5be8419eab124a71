/**
 * The sessions that the page shows, one after the other, as the host selects them. A session's data returns with it, and late messages for another
 * session are dropped. Has no document; the caller that creates views handles the screen.
 */
import { generationOf } from '../../src/core/protocol/generation';
import { MAX_PAGE_STATE } from '../../src/core/protocol/messages/pageState';
import type { FromView, ToView } from '../../src/core/protocol/view';
import type { PageHost, ViewHost } from '../base/host';

/**
 * The most sessions of which the page keeps drafts, forms, folds and positions. The least recently shown is dropped first; the host has its draft.
 */
export const MAX_KEPT = 10;

/** A session's view, whether shown or hidden. */
export interface SessionView {
  /** The view is shown. @param again true when it, or another session, was shown before */
  show(again: boolean): void;
  /** Called only while the view is shown. */
  receive(message: ToView): void;
  /** The view is hidden and saves its state. */
  hide(): void;
  /** The stored state was replaced by that of a later page. */
  adopt(): void;
  /** Saves pending changes now. */
  flush(): void;
}

/** The message that shows the welcome page instead of a session. */
export type NoSession = Extract<ToView, { readonly type: 'no_session' }>;

/** The fields of a session's draft, which the host stores separately. */
const DRAFT_FIELDS: ReadonlySet<string> = new Set(['draft', 'attachments', 'mentions', 'at']);

/** The host interface of one session. Drops requests of a hidden session, and stores its part of the page's state. */
class SessionHost implements ViewHost {
  private state: object;
  private generation: number | undefined;
  /** Messages posted before the host has sent the session's generation. */
  private early: FromView[] = [];
  /** This session's state as the host has it, as JSON. */
  private emitted = '{}';
  isShown = true;

  constructor(
    private readonly page: PageHost,
    kept: unknown,
    private readonly changed: () => void,
  ) {
    this.state = typeof kept === 'object' && kept !== null ? kept : {};
  }

  /** The session is shown with this generation. */
  begin(generation: number): void {
    this.generation = generation;
    this.early.splice(0).forEach((message) => this.post(message));
  }

  post(message: FromView): void {
    // The user's own text is never dropped: the host identifies its session by the generation.
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
    // The page passes messages on: see SessionView.receive.
  }

  load(): object {
    return this.state;
  }

  /** Merges the fields of one of several savers into one object. */
  save(part: unknown): void {
    this.state = { ...this.state, ...(part as object) };
    this.changed();
    this.emit();
  }

  /** Sends the host the state that another page needs to continue. */
  private emit(): void {
    const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
    const worth = Object.entries(this.state).filter(([name, value]) => !DRAFT_FIELDS.has(name) && !isEmpty(value));
    const whole = JSON.stringify(Object.fromEntries(worth));
    // An edited message may contain pictures. It then stays in this page's own state.
    const state = whole.length <= MAX_PAGE_STATE ? whole : JSON.stringify(Object.fromEntries(worth.filter(([name]) => name !== 'edit')));
    if (state !== this.emitted && state.length <= MAX_PAGE_STATE) {
      this.emitted = state;
      this.post({ type: 'page_state', state });
    }
  }

  /** Replaces the state by that of a later page. */
  adopt(state: string): void {
    const draft = Object.fromEntries(Object.entries(this.state).filter(([name]) => DRAFT_FIELDS.has(name)));
    this.emitted = state;
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

interface CurrentSession extends Kept {
  readonly key: string;
  readonly generation: number | undefined;
}

/** Messages about the window, independent of the session. */
const OF_WINDOW: ReadonlySet<ToView['type']> = new Set(['code_theme', 'editor', 'appearance', 'live_context', 'composer']);

export class PageSessions {
  /** By key; the session shown last is at the end. */
  private readonly kept = new Map<string, Kept>();
  /** State that an earlier page saved for sessions not shown here yet. */
  private readonly saved: Map<string, unknown>;
  private shown: CurrentSession | undefined;
  /** The newest generation that the host has sent. */
  private generation = -1;
  /** The latest messages about the window, for every session that is shown. */
  private readonly facts = new Map<string, ToView>();

  /**
   * @param key of the session that the host made the page for; undefined: the host will send it
   * @param open creates the view of a session that is shown for the first time
   * @param showNone shows the welcome page instead of a session
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

  /** The page may be closed: saves and sends all pending state. */
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

  /** Hides the current session. */
  private leave(): void {
    if (this.shown) {
      const { view, host } = this.shown;
      view.hide();
      host.isShown = false;
      this.shown = undefined;
    }
  }

  /** Moves the session to the end, and drops the least recently shown ones. */
  private keptOf(key: string): Kept {
    const known = this.kept.get(key) ?? this.make(key);
    this.kept.delete(key);
    this.kept.set(key, known);
    this.saved.delete(key);
    for (const oldest of [...this.saved.keys(), ...this.kept.keys()].slice(0, -MAX_KEPT)) {
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

/** Returns the saved states by key. Version 0.1.0 had only one session, so its state belongs to `key`. */
function savedIn(state: unknown, key: string | undefined): Map<string, unknown> {
  const sessions: unknown = typeof state === 'object' && state !== null && 'sessions' in state ? state.sessions : [[key, state]];
  const pairs = Array.isArray(sessions) ? (sessions as unknown[]) : [];
  return new Map(pairs.filter((pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string').slice(-MAX_KEPT));
}
