/** The agents that the user can start, and the source of each. Pure. */
import type { Failure } from '../core/model/failure';
import { type AgentIdentity, extensionAgentId, otherAgentId } from '../core/agents/agentIds';
import type { AgentLaunch } from '../core/model/agentLaunch';
import { parseAgents } from './parseAgents';
import { PREDEFINED_AGENTS } from './predefined';
import { resolveReference } from './references';

/**
 * `user`: `acpHost.agents`. `predefined`: the extension's list. `registry`: installed from a registry. `extension`: another extension's provider.
 * `other`: another client's setting. `workspace`: the settings of the workspace, with the user's consent. `demo`: the extension's scripted agent.
 */
export type AgentSource = 'user' | 'predefined' | 'registry' | 'extension' | 'other' | 'workspace' | 'demo';

/** `agentId` is unique in the catalog. */
export interface CatalogEntry extends AgentIdentity {
  readonly launch: AgentLaunch;
  readonly source: AgentSource;
  /** A monochrome SVG, rebuilt from a registry's. */
  readonly icon?: string;
}

/** An agent that was installed from a registry. */
export interface InstalledLaunch {
  readonly launch: AgentLaunch;
  readonly icon?: string;
}

export interface Catalog {
  readonly entries: readonly CatalogEntry[];
  /** The problems in the user's own setting; see `parseAgents`. */
  readonly problems: readonly Failure[];
  /** The number of agents of the workspace that wait for the user's consent. */
  readonly waiting?: number | undefined;
  /** The programs of agents that were found on this machine, by the agent's id. */
  readonly programs?: ReadonlyMap<string, string> | undefined;
}

/** The agents in the settings of the workspace. Their ids are unique. */
export interface WorkspaceLaunches {
  /** The agents that the user has agreed to. */
  readonly agreed: readonly AgentLaunch[];
  readonly waiting: number;
}

export interface CatalogSources {
  /** The user's value of `acpHost.agents`, not validated. */
  readonly userAgents: unknown;
  /** The user's value of `acp.agents`, another client's setting of the same shape. Its invalid entries are ignored. */
  readonly otherClients?: unknown;
  readonly predefined?: readonly AgentLaunch[] | undefined;
  /** Agents that were installed from registries. One with the id of a predefined agent starts in its place. */
  readonly installed?: readonly InstalledLaunch[];
  /** The programs of agents that were found on this machine, by the agent's id. */
  readonly programs?: ReadonlyMap<string, string> | undefined;
  /** Agents of other extensions. `id` is the provider's. */
  readonly extensions?: readonly { readonly id: string; readonly launch: AgentLaunch }[];
  readonly workspace?: WorkspaceLaunches | undefined;
  readonly demo?: AgentLaunch;
}

/** The setting of other clients that is offered as a source. */
export const OTHER_SETTING = 'acp.agents';

/**
 * Lists the user's agents, the predefined ones, those of registries, of other extensions, of another client, then those of the workspace. The demo
 * agent comes first when no agent
 * is configured on this machine, otherwise last. A key in the user's setting replaces the agent with this id or name elsewhere, and `null` hides it.
 * An invalid entry also hides it, because the user did not mean the other agent. An agent whose name is taken gets its source appended.
 */
export function catalogOf(sources: CatalogSources): Catalog {
  const user = parseAgents(sources.userAgents, 'acpHost.agents');
  const others = parseAgents(sources.otherClients, OTHER_SETTING).agents.filter(({ agentId }) => !user.hidden.has(agentId));
  const entries: CatalogEntry[] = [];
  /** The keys of earlier versions, in which each name was one. */
  const keys = new Set([...user.hidden, ...user.broken, ...user.references.map(({ agentId }) => agentId)]);
  const ids = new Set(keys);
  const names = new Set(keys);
  const add = (launch: AgentLaunch, source: AgentSource, icon?: string): void => {
    const { agentId, agentName, earlierId } = launch;
    const key = earlierId ?? agentId;
    if (!ids.has(agentId) && !keys.has(key)) {
      ids.add(agentId);
      keys.add(key);
      names.add(key).add(agentName);
      const about = { agentId, agentName, ...(earlierId !== undefined && { earlierId }) };
      entries.push({ ...about, launch, source, ...(icon !== undefined && { icon }) });
    }
  };
  const apart = (name: string, taken: ReadonlySet<string>, suffix: string): string => (taken.has(name) ? `${name} (${suffix})` : name);
  /** @param suffix distinguishes the agent from another of the same name */
  const addForeign = (launch: AgentLaunch, key: string, suffix: string, source: AgentSource): void => {
    add({ ...launch, agentName: apart(launch.agentName, names, suffix), earlierId: apart(key, keys, suffix) }, source);
  };
  user.agents.forEach((launch) => add(launch, 'user'));
  const installed = new Map((sources.installed ?? []).map((each) => [each.launch.agentId, each]));
  for (const launch of sources.predefined ?? PREDEFINED_AGENTS) {
    const { agentId, agentName } = launch;
    const own = installed.get(agentId);
    installed.delete(agentId);
    add(own ? { ...own.launch, agentName } : launch, own ? 'registry' : 'predefined', own?.icon);
  }
  for (const { launch, icon } of installed.values()) {
    add({ ...launch, agentName: apart(launch.agentName, names, launch.agentId) }, 'registry', icon);
  }
  for (const { id, launch } of sources.extensions ?? []) {
    if (!user.hidden.has(launch.agentName)) {
      addForeign(launch, launch.agentName, id, 'extension');
    }
  }
  for (const launch of others) {
    addForeign({ ...launch, agentId: otherAgentId(OTHER_SETTING, launch.agentId) }, launch.agentId, OTHER_SETTING, 'other');
  }
  for (const launch of sources.workspace?.agreed ?? []) {
    addForeign(launch, launch.agentId, 'workspace', 'workspace');
  }
  const problems = [...user.problems];
  const added = user.references.flatMap((reference): CatalogEntry[] => {
    const isComplete = sources.installed !== undefined && !reference.base.startsWith(extensionAgentId(''));
    const { launch, problem } = resolveReference(reference, entries, 'acpHost.agents', isComplete);
    problems.push(...(problem ? [problem] : []));
    const { agentId, agentName } = reference;
    return launch ? [{ agentId, agentName, launch, source: 'user' }] : [];
  });
  entries.splice(user.agents.length, 0, ...added);
  const before = entries.length;
  if (sources.demo) {
    add(sources.demo, 'demo');
  }
  const none = user.agents.length + added.length === 0 && others.length === 0 && !entries.some(({ source }) => source === 'extension');
  if (entries.length > before && none) {
    entries.unshift(entries.pop()!);
  }
  return { entries, problems, waiting: sources.workspace?.waiting, programs: sources.programs };
}
