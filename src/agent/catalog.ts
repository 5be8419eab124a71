/** Which agents the user can start, and from where each comes. Pure. */
import type { Failure } from '../core/model/failure';
import type { AgentLaunch } from '../core/model/ports';
import { parseAgents } from './parseAgents';
import { PREDEFINED_AGENTS } from './predefined';

/** user: `acpHost.agents`; predefined: in code; extension: another extension's provider; other: another client's setting; demo: ours, scripted. */
export type AgentSource = 'user' | 'predefined' | 'extension' | 'other' | 'demo';

export interface CatalogEntry {
  /** Unique in the catalog. */
  readonly agentName: string;
  readonly launch: AgentLaunch;
  readonly source: AgentSource;
}

export interface Catalog {
  /** In the order offered. */
  readonly entries: readonly CatalogEntry[];
  /** What is wrong with the user's own setting; see `parseAgents`. */
  readonly problems: readonly Failure[];
}

export interface CatalogSources {
  /** The user's value of `acpHost.agents`, unchecked. */
  readonly userAgents: unknown;
  /** The user's value of `acp.agents`, another client's setting of the same shape; its bad entries are its own affair. */
  readonly otherClients?: unknown;
  readonly predefined?: readonly AgentLaunch[];
  /** Of other extensions; `id` tells two of one name apart. */
  readonly extensions?: readonly { readonly id: string; readonly launch: AgentLaunch }[];
  readonly demo?: AgentLaunch;
}

/** The setting of other clients that is offered as a source. */
export const OTHER_SETTING = 'acp.agents';

/**
 * The user's agents, the predefined ones, those of other extensions, then those of another client; the demo agent comes first when nobody configured an agent on
 * this machine, else last. A name in the user's setting takes the place of the same name elsewhere, `null` hides it there, and a broken
 * entry leaves it out: starting something else under the name would not be what was meant.
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
