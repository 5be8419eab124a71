/**
 * The agents that the user has worked with, the last one first. An agent counts once it has started a session, so a failed one is not offered
 * again.
 */
import type * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { agentWithId } from '../../core/agents/agentIds';
import type { Session } from '../../session/session';
import { lastAgentKey } from '../../application/shared/ids';

/** The key of the ids, the agent used last first. */
const RECENT_AGENTS = 'recentAgents';
const MAX_RECENT = 5;

type State = Pick<vscode.Memento, 'get' | 'update'>;

/** Stored ids of the agents that worked, see `agentWithId`, the one used last first. @param globalState `ExtensionContext.globalState` */
export function recentAgents(globalState: Pick<State, 'get'>): readonly string[] {
  const last = globalState.get<string>(lastAgentKey);
  return globalState.get<readonly string[]>(RECENT_AGENTS) ?? (last === undefined ? [] : [last]);
}

/**
 * Returns {@link recentAgents}. The agent of the session that the user started last is the first one already while it starts.
 * @param latest that session, if there is one in this window
 */
export function lastAgents(
  globalState: Pick<State, 'get'>,
  entries: readonly CatalogEntry[],
  latest: Pick<Session, 'agentId' | 'store'> | undefined,
): readonly string[] {
  const recent = recentAgents(globalState);
  return latest?.store.state.status === 'starting' && countsAsRecent(latest.agentId, entries)
    ? [latest.agentId, ...recent.filter((id) => id !== latest.agentId)]
    : recent;
}

/** False for the demo agent of a user with agents of their own. */
function countsAsRecent(agentId: string, entries: readonly CatalogEntry[]): boolean {
  return agentWithId(entries, agentId)?.source !== 'demo' || !entries.some(({ source }) => source === 'user');
}

/** Remembers the session's agent as the last one, once it has started the session. The demo agent does not replace one of the user's own. */
export function rememberWhenReady(
  session: Pick<Session, 'agentId' | 'store'>,
  entries: readonly CatalogEntry[],
  globalState: State,
  remembered: () => void = () => undefined,
): void {
  const { agentId, store } = session;
  if (!countsAsRecent(agentId, entries)) {
    return;
  }
  const entry = agentWithId(entries, agentId);
  const remember = (): void => {
    const others = recentAgents(globalState).filter((id) => id !== agentId && id !== entry?.earlierId);
    void globalState.update(lastAgentKey, agentId);
    void globalState.update(RECENT_AGENTS, [agentId, ...others].slice(0, MAX_RECENT));
    remembered();
  };
  if (store.state.status === 'ready') {
    remember();
    return;
  }
  const subscription = store.onEvents((_, events) => {
    if (events.some(({ type }) => type === 'session_ready')) {
      subscription.dispose();
      remember();
    }
  });
}
