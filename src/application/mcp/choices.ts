/** The servers that the user has switched off: for a session, and for new sessions of the agent. */
import type { ConsentStorage } from './consents';

const KEY = 'mcpChoices';
const MAX_SESSIONS = 200;
const MAX_SERVERS = 500;

interface Stored {
  readonly agents: Readonly<Record<string, readonly string[]>>;
  readonly sessions: Readonly<Record<string, readonly string[]>>;
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
    const { agents, sessions } = this.stored();
    const { [sessionKey]: _, ...others } = sessions;
    const kept = off.slice(0, MAX_SERVERS);
    const newest = [...Object.entries(others), [sessionKey, kept] as const].slice(-MAX_SESSIONS);
    await this.storage.update(KEY, { agents: { ...agents, [agentId]: kept }, sessions: Object.fromEntries(newest) });
  }

  private stored(): Stored {
    const { agents = {}, sessions = {} } = (this.storage.get(KEY) ?? {}) as Partial<Stored>;
    return { agents, sessions };
  }
}
