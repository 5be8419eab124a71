/** The servers that the user has switched off: for a session, and for new sessions of the agent. */
import type { ConsentStorage } from './consents';

const KEY = 'mcpChoices';
const MAX_SESSIONS = 200;
const MAX_SERVERS = 500;

interface Stored {
  readonly agents: Readonly<Record<string, readonly string[]>>;
  readonly sessions: Readonly<Record<string, readonly string[]>>;
  /** The names of the only servers of a session that began with a preset. */
  readonly only: Readonly<Record<string, readonly string[]>>;
}

export class ServerChoices {
  constructor(private readonly storage: ConsentStorage) {}

  /** The keys of the servers that this session does not get. A session without a choice of its own has the agent's last one. */
  off(agentId: string, sessionKey: string): ReadonlySet<string> {
    const { agents, sessions } = this.stored();
    const own = Object.hasOwn(sessions, sessionKey) ? sessions[sessionKey] : undefined;
    return new Set(own ?? (Object.hasOwn(agents, agentId) ? agents[agentId] : undefined) ?? []);
  }

  /** Records the choice for this session and for new sessions of its agent. */
  async choose(agentId: string, sessionKey: string, off: readonly string[]): Promise<void> {
    const { agents, sessions, only } = this.stored();
    const kept = off.slice(0, MAX_SERVERS);
    const { [sessionKey]: _, ...others } = only;
    const stored: Stored = { agents: { ...agents, [agentId]: kept }, sessions: withNewest(sessions, sessionKey, kept), only: others };
    await this.storage.update(KEY, stored);
  }

  /** Returns the names of the servers to which a preset limits this session; undefined without a limit. */
  only(sessionKey: string): ReadonlySet<string> | undefined {
    const { only } = this.stored();
    return Object.hasOwn(only, sessionKey) ? new Set(only[sessionKey]) : undefined;
  }

  /** Limits this session to the servers of these names. Servers that were switched off for the agent are on again. */
  async limit(sessionKey: string, names: readonly string[]): Promise<void> {
    const { agents, sessions, only } = this.stored();
    const stored: Stored = {
      agents,
      sessions: withNewest(sessions, sessionKey, []),
      only: withNewest(only, sessionKey, names.slice(0, MAX_SERVERS)),
    };
    await this.storage.update(KEY, stored);
  }

  private stored(): Stored {
    const { agents = {}, sessions = {}, only = {} } = (this.storage.get(KEY) ?? {}) as Partial<Stored>;
    return { agents, sessions, only };
  }
}

/** Adds the newest session, and drops the oldest ones. */
function withNewest(all: Stored['sessions'], sessionKey: string, value: readonly string[]): Stored['sessions'] {
  const { [sessionKey]: _, ...others } = all;
  return Object.fromEntries([...Object.entries(others), [sessionKey, value] as const].slice(-MAX_SESSIONS));
}
