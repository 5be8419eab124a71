/** The facts about each agent: its entries in the registries, in the catalog and on the disk, joined by the agent's identity. Pure. */
import type { CatalogEntry } from '../../../agent/catalog';
import type { InstalledAgent, RegistryAgent } from '../../../registry/types';
import { compareVersions } from '../../../registry/versions';

export interface AgentFacts {
  /** The agent's id in the catalog, also before it is installed. Unique in the list. */
  readonly key: string;
  readonly agentId: string;
  readonly name: string;
  readonly registry?: RegistryAgent;
  readonly installed?: InstalledAgent;
  readonly entry?: CatalogEntry;
}

export interface AgentSources {
  readonly registry: readonly RegistryAgent[];
  readonly installed: readonly InstalledAgent[];
  readonly entries: readonly CatalogEntry[];
}

/** Joins the sources. The order: agents that can be updated, installed ones, those of the user, then the others by name; refused entries last. */
export function agentFacts({ registry, installed, entries }: AgentSources): readonly AgentFacts[] {
  const found = new Map<string, AgentFacts>();
  for (const agent of registry) {
    const { agentId } = agent;
    // A refused duplicate may have the identity of another entry.
    const key = found.has(agentId) ? `${agentId} ${agent.origin} ${agent.id}` : agentId;
    found.set(key, { key, agentId, name: agent.name || agent.id, registry: agent });
  }
  const join = (agentId: string, name: string, more: Partial<AgentFacts>): void => {
    found.set(agentId, { key: agentId, agentId, name, ...found.get(agentId), ...more });
  };
  installed.forEach((agent) => join(agent.agentId, agent.name, { installed: agent }));
  entries.forEach((entry) => join(entry.agentId, entry.agentName, { entry, name: entry.agentName }));
  return [...found.values()].sort((a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name));
}

/** True when the registry has a newer version than the one that starts, and the user wants updates. */
export function hasUpdate(facts: Pick<AgentFacts, 'registry' | 'installed'>): boolean {
  return facts.installed?.pinned === false && newerVersion(facts) !== undefined;
}

/** The version in the registry that is newer than the installed one, also when the user does not want updates. */
export function newerVersion({ registry, installed }: Pick<AgentFacts, 'registry' | 'installed'>): string | undefined {
  const isOffered = registry !== undefined && installed !== undefined && registry.problem === undefined && registry.ways.length > 0;
  return isOffered && compareVersions(registry.version, installed.current.version) > 0 ? registry.version : undefined;
}

function rankOf(facts: AgentFacts): number {
  const { registry, installed, entry } = facts;
  if (hasUpdate(facts)) {
    return 0;
  }
  if (installed) {
    return 1;
  }
  if (entry && entry.source !== 'predefined') {
    return 2;
  }
  return registry?.problem ? 5 : registry?.ways.length === 0 ? 4 : 3;
}
