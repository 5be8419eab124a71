/**
 * The agents that the user has worked with, the last one first. An agent counts once it has started a session, so a failed one is not offered
 * again.
 */
import type * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import type { Session } from '../../session/session';
import { lastAgentKey } from '../shared/ids';

/** The key of the names, the agent used last first. */
const RECENT_AGENTS = 'recentAgents';
const MAX_RECENT = 5;

type State = Pick<vscode.Memento, 'get' | 'update'>;

/** Names of the agents that worked, the one used last first. @param globalState `ExtensionContext.globalState` */
export function recentAgents(globalState: Pick<State, 'get'>): readonly string[] {
  const last = globalState.get<string>(lastAgentKey);
  return globalState.get<readonly string[]>(RECENT_AGENTS) ?? (last === undefined ? [] : [last]);
}

/** Remembers the session's agent as the last one, once it has started the session. The demo agent does not replace one of the user's own. */
export function rememberWhenReady(
  session: Pick<Session, 'agentName' | 'store'>,
  entries: readonly CatalogEntry[],
  globalState: State,
  remembered: () => void = () => undefined,
): void {
  const { agentName, store } = session;
  const isDemo = entries.some((entry) => entry.agentName === agentName && entry.source === 'demo');
  if (isDemo && entries.some(({ source }) => source === 'user')) {
    return;
  }
  const remember = (): void => {
    const others = recentAgents(globalState).filter((name) => name !== agentName);
    void globalState.update(lastAgentKey, agentName);
    void globalState.update(RECENT_AGENTS, [agentName, ...others].slice(0, MAX_RECENT));
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
