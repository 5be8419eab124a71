import type { SessionEvent } from '../core/model/event';
import type { Settled } from '../acp/jsonrpc/rpc';
import type { Disposable } from '../core/model/ports';
import type { AgentConnection } from './agent/agentConnection';
import type { AgentStart } from './agent/agentConnections';
import type { ClientServiceDependencies } from './clientServices';
import type { AccountPort } from './agent/signIn';

/** What a session needs from the rest of the product to be with an agent. */
export interface AgentDependencies extends ClientServiceDependencies {
  readonly account: AccountPort;
  /** The running agent for this launch, started when none runs that is up to date. Refused where a folder is not trusted; see `AgentConnections.start`. */
  start(wanted: AgentStart, settled: Settled<AgentConnection>): Disposable;
  /** False for an agent that was started before something that only later ones know of. */
  isCurrent(connection: AgentConnection): boolean;
  /** Agents of this name that run are not up to date any more. */
  outdate(agentName: string): void;
  /** What the user chose last of this agent's options, by their ids: a new session begins with it. */
  chosenOptions?(agentName: string): Readonly<Record<string, string | boolean>>;
  /** Reports that the agent has refused a value of one of its options. `current`: the value that stays set, if the agent has named one. */
  optionRefused?(agentName: string, configId: string, refused: string | boolean, current: string | boolean | undefined): void;
  /** It lives on for those who are there; nobody else joins it. */
  retire(connection: AgentConnection): void;
}

/** A session that the agent keeps, for the conversation to become. */
export interface SessionReference {
  readonly sessionId: string;
  /** The conversation becomes a fork of that session instead, and begins with these events, which are what was said in it. */
  readonly fork?: readonly SessionEvent[];
  readonly title?: string;
  /** ISO 8601 */
  readonly updatedAt?: string;
}
