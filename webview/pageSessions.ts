/**
 * The sessions that the page shows, one after the other. The host says which; what belongs to a session comes back with it, and what was under
 * way for another one reaches nobody. Without a document: what is on the screen is the business of who opens views.
 */
import { generationOf } from '../src/core/protocol/generation';
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
  /** What waits to be saved is saved now. */
  flush(): void;
}

/** The host's end for one session: drops what a session that is not shown asks for, and keeps its part of what is saved. */
class SessionHost implements ViewHost {
  private state: object;
  private generation: number | undefined;
  /** What was posted before the page was told what it shows. */
  private early: FromView[] = [];
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
    if (!this.isShown && message.type !== 'draft') {
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
  }
}

interface Kept {
  readonly host: SessionHost;
  readonly view: SessionView;
}

export class PageSessions {
  /** By key; the one that was shown last at the end. */
  private readonly kept = new Map<string, Kept>();
  /** What an earlier page saved of sessions that this one has not shown yet. */
  private readonly saved: Map<string, unknown>;
  private shown: { readonly key: string; readonly generation: number | undefined } & Kept;
  /** Of the window, for whichever session is shown. */
  private readonly facts = new Map<string, ToView>();

  /** @param key of the session that the host made the page for @param open makes the view of a session that is shown for the first time */
  constructor(
    private readonly host: PageHost,
    key: string,
    private readonly open: (host: ViewHost) => SessionView,
  ) {
    const state = host.load();
    const last = typeof state === 'object' && state !== null ? (state as { shown?: unknown }).shown : undefined;
    const first = typeof last === 'string' ? last : key;
    this.saved = savedIn(state, first);
    this.shown = { key: first, generation: undefined, ...this.keptOf(first) };
    this.shown.view.show(false);
    host.onMessage((message) => this.receive(message));
    host.post({ type: 'ready' });
  }

  /** The key of the session that is shown. */
  get key(): string {
    return this.shown.key;
  }

  /** The page goes: all that is to be saved is saved. */
  flush(): void {
    this.shown.view.flush();
  }

  private receive(message: ToView): void {
    const generation = generationOf(message);
    if (message.type === 'session') {
      if (generation !== undefined && generation > (this.shown.generation ?? -1)) {
        this.begin(message.sessionKey, generation);
      }
    } else if (generation === undefined) {
      if (message.type === 'code_theme' || message.type === 'editor' || message.type === 'appearance') {
        this.facts.set(message.type, message);
        this.shown.view.receive(message);
      }
    } else if (generation === this.shown.generation) {
      this.shown.view.receive(message);
    }
  }

  private begin(key: string, generation: number): void {
    if (key !== this.shown.key) {
      this.shown.view.hide();
      this.shown.host.isShown = false;
      this.shown = { key, generation, ...this.keptOf(key) };
      this.shown.host.isShown = true;
      this.shown.host.begin(generation);
      this.shown.view.show(true);
      this.facts.forEach((fact) => this.shown.view.receive(fact));
      this.save();
    } else {
      this.shown = { ...this.shown, generation };
      this.shown.host.begin(generation);
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
    this.host.save({ shown: this.shown.key, sessions });
  }
}

/** By key, as `save` put it; of version 0.1.0, which knew one session, what it saved is that one's. */
function savedIn(state: unknown, key: string): Map<string, unknown> {
  const sessions: unknown = typeof state === 'object' && state !== null && 'sessions' in state ? state.sessions : [[key, state]];
  const pairs = Array.isArray(sessions) ? (sessions as unknown[]) : [];
  return new Map(pairs.filter((pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string').slice(-MOST_KEPT));
}
