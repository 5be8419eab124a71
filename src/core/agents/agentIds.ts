/** The ids of agents: their prefixes, and how data that was stored under a name of an earlier version finds its agent. */

/** The identity of an agent. */
export interface AgentIdentity {
  /** Unique and stable: the key of an entry in `acpHost.agents`, the name of a predefined agent, or an id with a prefix. */
  readonly agentId: string;
  /** The display name, which may change and need not be unique. */
  readonly agentName: string;
  /** The name under which earlier versions stored the agent's data. Absent: they used the id. */
  readonly earlierId?: string;
}

/** The ids under which an agent's data may be stored. */
export type AgentKey = Pick<AgentIdentity, 'agentId' | 'earlierId'>;

/** The agent of a session: the one that runs it, or the one that its journal names. */
export type SessionAgent = Pick<AgentIdentity, 'agentId' | 'agentName'>;

/** The id of the demo agent. */
export const DEMO_AGENT_ID = 'acp-host/demo';

/** The id of an agent that another extension provides. @param providerId the provider's own id, which is unique */
export function extensionAgentId(providerId: string): string {
  return `extension/${providerId}`;
}

/** The id of an agent in another client's setting. The prefix keeps it apart from the user's own agent of the same key. */
export function otherAgentId(setting: string, key: string): string {
  return `${setting}/${key}`;
}

/** The id of an agent in a workspace's settings. @param scope identifies the workspace, because another one may have the same key */
export function workspaceAgentId(scope: string, key: string): string {
  return `workspace/${scope}/${key}`;
}

/** The agent as it was stored. Versions before ids stored the name alone. */
export interface StoredAgent {
  readonly agentId?: string | undefined;
  readonly agentName: string;
}

/** The stored id; the name in data of earlier versions. */
export function storedIdOf({ agentId, agentName }: StoredAgent): string {
  return agentId ?? agentName;
}

/** True when the stored data belongs to the agent. A name only counts in data without an id, and only if it was the agent's key. */
export function belongsTo(stored: StoredAgent, { agentId, earlierId }: AgentKey): boolean {
  const storedId = storedIdOf(stored);
  return storedId === agentId || (stored.agentId === undefined && storedId === earlierId);
}

/** Finds the agent of stored data; see {@link belongsTo}. */
export function agentOf<T extends AgentKey>(agents: readonly T[], stored: StoredAgent): T | undefined {
  return agents.find(({ agentId }) => agentId === storedIdOf(stored)) ?? agents.find((agent) => belongsTo(stored, agent));
}

/** Finds the agent with this id, or the one that had it as its name in earlier versions. */
export function agentWithId<T extends AgentKey>(agents: readonly T[], storedId: string): T | undefined {
  return agents.find(({ agentId }) => agentId === storedId) ?? agents.find(({ earlierId }) => earlierId === storedId);
}

/** Finds the agent that the user means: by its id, its name in earlier versions, or its display name. */
export function agentNamed<T extends AgentIdentity>(agents: readonly T[], idOrName: string): T | undefined {
  return agentWithId(agents, idOrName) ?? agents.find(({ agentName }) => agentName === idOrName);
}

/** The id of an agent that was installed from a registry. @param id unique in the registry @param origin the registry's address; absent for the public one */
export function registryAgentId(id: string, origin?: string): string {
  return origin === undefined ? `registry/${id}` : `registry/${id}@${origin}`;
}
