import type { SessionEvent } from '../../core/model/event';
import type { Settled } from '../../acp/jsonrpc/rpc';
import type { SessionAgent } from '../../core/agents/agentIds';
import type { Instructions } from '../../core/account/instructions';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentConnection } from '../agent/agentConnection';
import type { AgentStart } from '../agent/agentConnections';
import type { ClientServiceDependencies } from '../client/clientServices';
import type { SignInUi } from '../agent/signIn';
import type { ServerSource } from '../../core/mcp/sessionServers';
import type { SandboxMode } from '../../core/sandbox/sandbox';

/** The dependencies of a session that uses an agent. */
export interface AgentDependencies extends ClientServiceDependencies {
  readonly account: SignInUi;
  /** Joins the current process for this launch, or starts one. Refuses a folder that is not trusted; see `AgentConnections.start`. */
  start(wanted: AgentStart, settled: Settled<AgentConnection>): Disposable;
  /** False for a process that later starts do not join, for example because it has old credentials. */
  isCurrent(connection: AgentConnection): boolean;
  /** Retires the agent's running processes. */
  markStale(agentId: string): void;
  /** The user's last choices of this agent's options, by id. A new session starts with them. */
  chosenOptions?(agentId: string): Readonly<Record<string, string | boolean>>;
  /** Reports that the agent has refused a value of one of its options. `current`: the value that stays set, if the agent has named one. */
  optionRefused?(agentId: string, configId: string, refused: string | boolean, current: string | boolean | undefined): void;
  /** The user's setting for the sandbox of this agent. Absent: there is none. */
  sandboxModeOf?(agentId: string, agentName: string): SandboxMode;
  /** Returns the texts for the system prompt of a new session in this folder. Undefined when the settings have none. */
  instructions?(agent: SessionAgent, cwd: string): Promise<Instructions | undefined> | undefined;
  /** Reports a session that the agent has created and that no conversation uses. Absent: it may appear in the agent's list. */
  leftUnprompted?(agent: SessionAgent, sessionId: string): void;
  /** The window's MCP servers. Absent: a session passes only the servers of its setup. */
  readonly servers?: ServerSource;
  /** Stops further joins of the process. Sessions that have joined it continue. */
  retire(connection: AgentConnection): void;
}

/** A session stored by the agent, to be opened by the conversation. */
export interface SessionReference {
  readonly sessionId: string;
  /** The history of the session, when the conversation becomes a fork of it. The conversation begins with these events. */
  readonly fork?: readonly SessionEvent[];
  /** The agent's message with which the forked conversation ends. */
  readonly after?: string;
  readonly title?: string;
  /** ISO 8601 */
  readonly updatedAt?: string;
}
