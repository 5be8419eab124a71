/** The agents that the user can start, and the source of each. Pure. */
import type { Failure } from '../core/model/failure';
import type { AgentLaunch } from '../core/model/ports';
import { parseAgents } from './parseAgents';
import { PREDEFINED_AGENTS } from './predefined';

/**
 * `user`: `acpHost.agents`. `predefined`: the extension's list. `extension`: another extension's provider. `other`: another client's setting.
 * `demo`: the extension's scripted agent.
 */
export type AgentSource = 'user' | 'predefined' | 'extension' | 'other' | 'demo';

export interface CatalogEntry {
  /** Unique in the catalog. */
  readonly agentName: string;
  readonly launch: AgentLaunch;
  readonly source: AgentSource;
}

export interface Catalog {
  readonly entries: readonly CatalogEntry[];
  /** The problems in the user's own setting; see `parseAgents`. */
  readonly problems: readonly Failure[];
}

export interface CatalogSources {
  /** The user's value of `acpHost.agents`, not validated. */
  readonly userAgents: unknown;
  /** The user's value of `acp.agents`, another client's setting of the same shape. Its invalid entries are ignored. */
  readonly otherClients?: unknown;
  readonly predefined?: readonly AgentLaunch[];
  /** Agents of other extensions. `id` distinguishes two of the same name. */
  readonly extensions?: readonly { readonly id: string; readonly launch: AgentLaunch }[];
  readonly demo?: AgentLaunch;
}

/** The setting of other clients that is offered as a source. */
export const OTHER_SETTING = 'acp.agents';

/**
 * Lists the user's agents, the predefined ones, those of other extensions, then those of another client. The demo agent comes first when no agent
 * is configured on this machine, otherwise last. A name in the user's setting replaces the same name elsewhere, and `null` hides it. An invalid
 * entry also hides the name, because the user did not mean the other agent.
 */
export function catalogOf(sources: CatalogSources): Catalog {
  const user = parseAgents(sources.userAgents, 'acpHost.agents');
  const others = parseAgents(sources.otherClients, OTHER_SETTING).agents.filter(({ agentName }) => !user.hidden.has(agentName));
  const entries: CatalogEntry[] = [];
  const taken = new Set([...user.hidden, ...user.broken]);
  const add = (launch: AgentLaunch, source: AgentSource): void => {
    if (!taken.has(launch.agentName)) {
      taken.add(launch.agentName);
      entries.push({ agentName: launch.agentName, launch, source });
    }
  };
  user.agents.forEach((launch) => add(launch, 'user'));
  (sources.predefined ?? PREDEFINED_AGENTS).forEach((launch) => add(launch, 'predefined'));
  for (const { id, launch } of sources.extensions ?? []) {
    if (!user.hidden.has(launch.agentName)) {
      add(taken.has(launch.agentName) ? { ...launch, agentName: `${launch.agentName} (${id})` } : launch, 'extension');
    }
  }
  for (const launch of others) {
    const agentName = taken.has(launch.agentName) ? `${launch.agentName} (${OTHER_SETTING})` : launch.agentName;
    add({ ...launch, agentName }, 'other');
  }
  if (sources.demo && !taken.has(sources.demo.agentName)) {
    const demo: CatalogEntry = { agentName: sources.demo.agentName, launch: sources.demo, source: 'demo' };
    const none = user.agents.length === 0 && others.length === 0 && !entries.some(({ source }) => source === 'extension');
    entries.splice(none ? 0 : entries.length, 0, demo);
  }
  return { entries, problems: user.problems };
}
