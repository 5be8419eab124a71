/**
 * What agents list themselves, for the sessions view: of those that run, and of others when the user asks. No process is started unasked. Knows nothing of
 * VS Code.
 */
import type { ListedSession } from '../../acp/dialect';
import type { Disposable } from '../../core/model/ports';
import { Listeners } from '../../util/listeners';
import type { AgentListState } from './tree';

/** An agent that may have a list. */
export interface ListingAgent {
  readonly agentName: string;
  /** It has said so when it last ran. */
  readonly lists: boolean;
  /** A session of it runs in this window. */
  readonly running: boolean;
}

export interface AgentListsDependencies {
  agents(): readonly ListingAgent[];
  /** Of its first `count` sessions, or a few more, those that we do not have. `asked`: by the user, who may be asked in turn. @throws Fault */
  list(agentName: string, count: number, asked: boolean): Promise<{ readonly sessions: readonly ListedSession[]; readonly done: boolean }>;
}

/** Sessions that are asked for at once. */
const AT_ONCE = 50;

interface AgentList {
  readonly sessions: readonly ListedSession[];
  /** It was asked for so many. */
  readonly count: number;
  readonly state: AgentListState | 'done';
}

export class AgentLists implements Disposable {
  private readonly lists = new Map<string, AgentList>();
  private readonly listeners = new Listeners<[]>();
  private disposed = false;

  constructor(private readonly ports: AgentListsDependencies) {}

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  /** Those that can be asked for a list, or for more of it. */
  rows(): readonly { readonly agentName: string; readonly state: AgentListState }[] {
    return this.ports.agents().flatMap(({ agentName, lists }) => {
      const state = this.lists.get(agentName)?.state ?? 'idle';
      return lists && state !== 'done' ? [{ agentName, state }] : [];
    });
  }

  sessions(): readonly { readonly agentName: string; readonly listed: ListedSession }[] {
    return [...this.lists].flatMap(([agentName, { sessions }]) => sessions.map((listed) => ({ agentName, listed })));
  }

  /** Those that run are asked, each once. */
  loadRunning(): void {
    for (const { agentName, lists, running } of this.ports.agents()) {
      if (lists && running && !this.lists.has(agentName)) {
        void this.load(agentName, false);
      }
    }
  }

  /** What it has beyond what is there. Never rejects: the row says that it failed. */
  async load(agentName: string, asked: boolean): Promise<void> {
    const { sessions: known = [], count = 0, state } = this.lists.get(agentName) ?? {};
    if (state === 'loading') {
      return;
    }
    const next = count + AT_ONCE;
    this.set(agentName, { sessions: known, count, state: 'loading' });
    try {
      const { sessions, done } = await this.ports.list(agentName, next, asked);
      this.set(agentName, { sessions, count: next, state: done ? 'done' : 'more' });
    } catch {
      this.set(agentName, { sessions: known, count, state: 'failed' });
    }
  }

  /** It is no longer there. */
  remove(agentName: string, sessionId: string): void {
    const list = this.lists.get(agentName);
    if (list) {
      this.set(agentName, { ...list, sessions: list.sessions.filter((listed) => listed.sessionId !== sessionId) });
    }
  }

  /** They are asked again where they run. */
  forget(): void {
    this.lists.clear();
    this.loadRunning();
    this.listeners.call();
  }

  dispose(): void {
    this.disposed = true;
    this.listeners.clear();
  }

  private set(agentName: string, list: AgentList): void {
    if (!this.disposed) {
      this.lists.set(agentName, list);
      this.listeners.call();
    }
  }
}
