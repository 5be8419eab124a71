/** All sessions of the window, and the agents they share. */
import type { AgentLaunch, Disposable, Roots } from '../core/ports';
import { Journal, type JournalFile } from './journal';
import { AgentLink, type Connect } from './link';
import { Session, type SessionPorts } from './session';

export interface SessionsPorts extends Omit<SessionPorts, 'link'> {
  /** A new key, unique over all windows and time: `[a-z0-9-]+`. */
  mintKey(): string;
  connect(launch: AgentLaunch, cwd: string): Connect;
  journal(key: string): JournalFile;
}

export class Sessions implements Disposable {
  private readonly live = new Map<string, { readonly session: Session; readonly journal: Journal; readonly subscription: Disposable }>();
  private readonly links = new Map<string, AgentLink>();
  private readonly listeners = new Set<() => void>();
  private disposed = false;

  constructor(private readonly ports: SessionsPorts) {}

  /** Oldest first; ended ones stay until they are forgotten. */
  get all(): readonly Session[] {
    return [...this.live.values()].map(({ session }) => session);
  }

  get(key: string): Session | undefined {
    return this.live.get(key)?.session;
  }

  /** A new conversation with this agent, starting. */
  create(launch: AgentLaunch, roots: Roots): Session {
    const { clock, log } = this.ports;
    const key = this.ports.mintKey();
    const session = new Session(key, launch, roots, { ...this.ports, link: (...of) => this.link(...of) });
    const header = { acpHostJournal: 1, key, agentName: launch.agentName, cwd: roots.cwd, createdAt: clock.now() } as const;
    const journal = new Journal(this.ports.journal(key), header, session.store, clock, log);
    const subscription = session.store.onEvents(() => this.changed());
    this.live.set(key, { session, journal, subscription });
    session.open();
    this.changed();
    return session;
  }

  /** Something about some session changed; listeners read what they need. */
  onChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Takes an ended session off the list. */
  forget(key: string): void {
    const entry = this.live.get(key);
    if (entry) {
      this.live.delete(key);
      entry.session.dispose();
      entry.subscription.dispose();
      entry.journal.dispose();
      this.changed();
    }
  }

  /** All journals are on disk when this resolves. */
  async flush(): Promise<void> {
    await Promise.all([...this.live.values()].map(({ journal }) => journal.flush()));
  }

  /** Stops every agent; the journals keep what was said. */
  dispose(): void {
    this.disposed = true;
    for (const { session, journal, subscription } of this.live.values()) {
      session.dispose();
      subscription.dispose();
      journal.dispose();
    }
    this.live.clear();
    this.listeners.clear();
  }

  private link(launch: AgentLaunch, cwd: string): AgentLink {
    const key = JSON.stringify([launch, launch.cwd ?? cwd]);
    const found = this.links.get(key);
    if (found) {
      return found;
    }
    const link: AgentLink = new AgentLink(this.ports.connect(launch, launch.cwd ?? cwd), this.ports.log, () => {
      if (this.links.get(key) === link) {
        this.links.delete(key);
      }
    });
    this.links.set(key, link);
    return link;
  }

  private changed(): void {
    if (!this.disposed) {
      this.listeners.forEach((listener) => listener());
    }
  }
}
