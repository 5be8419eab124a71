import type { AgentIdentity } from '../agents/agentIds';
import type { Endpoint, ProcessEndpoint } from '../agents/endpoint';

/** An agent and how it is reached. */
export type AgentLaunch = LaunchedAgent & Endpoint;

/** The launch settings of an agent's process; a resolved `acpHost.agents` entry. */
export type ProcessLaunch = LaunchedAgent & ProcessEndpoint;

/** A program between the client and the agent, see `acpHost.agents.*.proxies`. */
export interface ProxyLaunch extends Pick<ProcessEndpoint, 'command' | 'args' | 'env'> {
  /** The name for the user. No two proxies of an agent have the same. */
  readonly name: string;
}

interface LaunchedAgent extends AgentIdentity {
  /** Request timeout in ms, see `acpHost.agents.*.timeoutMs`. The defaults when absent. */
  readonly timeoutMs?: number;
  /** The protocol version of `acpHost.agents.*.protocol`. Absent: `auto`. */
  readonly protocol?: 1 | 2;
  /**
   * The program by which saved credentials recognize the agent, when the command contains a version or a folder of one. Versions in its words are
   * ignored. Only the extension's own catalog sets it.
   */
  readonly credentialProgram?: readonly string[];
  /** The programs that messages pass, the first one next to the client. Absent: there are none. */
  readonly proxies?: readonly ProxyLaunch[];
  /** True for the process of a proxy, which runs under the rules of its agent. */
  readonly isProxy?: boolean;
  /** The session's folders, when the process runs in a sandbox. Part of the launch, so that other sessions get a process of their own. */
  readonly sandbox?: { readonly folders: readonly string[] };
}
