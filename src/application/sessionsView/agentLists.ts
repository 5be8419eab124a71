/**
 * The sessions that agents list themselves, for the sessions view. Running agents are asked; others only when the user asks. No process is started
 * without the user's request. Independent of VS Code.
 */
import type { ListedSession, RemoteStatus } from '../../acp/dialect';
import type { AgentIdentity, AgentKey } from '../../core/agents/agentIds';
import type { Disposable } from '../../core/platform/disposable';
import { Listeners } from '../../core/platform/listeners';
import type { AgentListState } from './tree';

/** An agent that may be able to list its sessions. */
export interface ListingAgent extends Pick<AgentIdentity, 'agentId' | 'agentName'> {
  /** True when the agent announced session lists when it last ran. */
  readonly lists: boolean;
  /** True when a session of the agent runs in this window. */
  readonly running: boolean;
  /** True when the agent announced that it reports the status of its sessions. */
  readonly reportsStatus?: boolean;
}

/** The statuses of an agent's sessions, by its ids of them. */
export type RemoteStatuses = ReadonlyMap<string, RemoteStatus>;

export interface AgentListsDependencies {
  agents(): readonly ListingAgent[];
  /**
   * Returns those of the agent's first `count` sessions, or a few more, that have no record here. @param requested true when the user requested the
   * list, and may therefore be asked to sign in @throws Fault
   */
  list(
    agentId: string,
    count: number,
    requested: boolean,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly done: boolean; readonly all?: readonly ListedSession[] }>;
  /** Asks a running agent for the statuses of these sessions. Absent: no status is shown. @throws Fault */
  statuses?(agentId: string, sessionIds: readonly string[]): Promise<RemoteStatuses>;
  /** ms since the epoch */
  now?(): number;
}

/** The sessions that are stored here, or were. */
export interface RecordedSessions {
  find(agent: AgentKey, sessionId: string): Promise<readonly unknown[]>;
  isUnprompted(agent: AgentKey, sessionId: string, updatedAt?: string): Promise<boolean>;
}

/**
 * Returns the sessions of an agent's list that are rows of their own. A session with a record here is left out, whatever its page or folder, and so
 * is one that was created here and left without a message.
 */
export async function unrecorded(
  records: RecordedSessions,
  agent: AgentKey,
  listed: readonly ListedSession[],
): Promise<readonly ListedSession[]> {
  const isHidden = async ({ sessionId, updatedAt }: ListedSession): Promise<boolean> =>
    (await records.find(agent, sessionId)).length > 0 || records.isUnprompted(agent, sessionId, updatedAt);
  const hidden = await Promise.all(listed.map(isHidden));
  return listed.filter((_, index) => !hidden[index]);
}

/** ms after which an agent is asked again for the statuses that the view shows. */
const STATUS_MS = 30_000;

/** The number of sessions requested at once. */
const PAGE_SIZE = 50;

interface AgentList {
  readonly sessions: readonly ListedSession[];
  /** The number of sessions that were requested. */
  readonly count: number;
  readonly state: AgentListState | 'done';
  /** The ids of all sessions in the list, with those that have a record here. */
  readonly ids?: readonly string[];
}

export class AgentLists implements Disposable {
  private readonly lists = new Map<string, AgentList>();
  private readonly statuses = new Map<string, { readonly at: number; readonly of: RemoteStatuses }>();
  private readonly listeners = new Listeners<[]>();
  private disposed = false;

  constructor(private readonly deps: AgentListsDependencies) {}

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  /** The agents that can be asked for a list, or for more of it. */
  rows(): readonly { readonly agentId: string; readonly agentName: string; readonly state: AgentListState }[] {
    return this.deps.agents().flatMap(({ agentId, agentName, lists }) => {
      const state = this.lists.get(agentId)?.state ?? 'idle';
      return lists && state !== 'done' ? [{ agentId, agentName, state }] : [];
    });
  }

  sessions(): readonly { readonly agentId: string; readonly listed: ListedSession }[] {
    return [...this.lists].flatMap(([agentId, { sessions }]) => sessions.map((listed) => ({ agentId, listed })));
  }

  /** Returns the status of a session at its agent, as last reported; undefined when the agent does not run. */
  statusOf(agentId: string, sessionId: string): RemoteStatus | undefined {
    return this.statuses.get(agentId)?.of.get(sessionId);
  }

  /** Asks each running agent once for its list, and from time to time for the statuses of the sessions in it. */
  loadRunning(): void {
    for (const { agentId, lists, running, reportsStatus } of this.deps.agents()) {
      if (lists && running && !this.lists.has(agentId)) {
        void this.load(agentId, false);
      }
      if (!running) {
        this.statuses.delete(agentId);
      } else if (reportsStatus) {
        void this.loadStatuses(agentId);
      }
    }
  }

  private async loadStatuses(agentId: string): Promise<void> {
    const { statuses, now = Date.now } = this.deps;
    const ids = this.lists.get(agentId)?.ids ?? [];
    const { at, of = new Map() } = this.statuses.get(agentId) ?? {};
    if (!statuses || ids.length === 0 || (at !== undefined && now() - at < STATUS_MS)) {
      return;
    }
    // The statuses so far are kept until the agent has answered, and while it does not answer.
    this.statuses.set(agentId, { at: now(), of });
    try {
      const next = await statuses(agentId, ids);
      if (!this.disposed && this.statuses.has(agentId)) {
        this.statuses.set(agentId, { at: now(), of: next });
        this.listeners.call();
      }
    } catch {
      // The rows show no status that the agent did not report.
      this.statuses.set(agentId, { at: now(), of: new Map() });
    }
  }

  /** Loads the next sessions of the agent's list. Never rejects: the row reports a failure. */
  async load(agentId: string, requested: boolean): Promise<void> {
    const { sessions: known = [], count = 0, state } = this.lists.get(agentId) ?? {};
    if (state === 'loading') {
      return;
    }
    const next = count + PAGE_SIZE;
    this.set(agentId, { sessions: known, count, state: 'loading' });
    try {
      const { sessions, done, all = sessions } = await this.deps.list(agentId, next, requested);
      this.set(agentId, { sessions, count: next, state: done ? 'done' : 'more', ids: all.map(({ sessionId }) => sessionId) });
      this.statuses.delete(agentId);
      this.loadRunning();
    } catch {
      this.set(agentId, { sessions: known, count, state: 'failed' });
    }
  }

  /** Removes a session that was deleted. */
  remove(agentId: string, sessionId: string): void {
    const list = this.lists.get(agentId);
    if (list) {
      this.set(agentId, { ...list, sessions: list.sessions.filter((listed) => listed.sessionId !== sessionId) });
    }
  }

  /** Forgets all lists. Running agents are asked again. */
  forget(): void {
    this.lists.clear();
    this.statuses.clear();
    this.loadRunning();
    this.listeners.call();
  }

  dispose(): void {
    this.disposed = true;
    this.listeners.clear();
  }

  private set(agentId: string, list: AgentList): void {
    if (!this.disposed) {
      this.lists.set(agentId, list);
      this.listeners.call();
    }
  }
}
