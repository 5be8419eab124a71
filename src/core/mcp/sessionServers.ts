/** The MCP servers that the window adds to a session: the request, the answer, and the reasons for servers that the agent does not get. */
import type { McpCapabilities, McpServer } from './mcpServer';

/** The session's folders: `core/model/roots.ts`, whose pins are optional. This folder cannot import that one, which imports the servers. */
interface SessionFolders {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

/** The session that asks for its servers. */
export interface ServerRequest {
  /** The session's key in this window. */
  readonly key: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly roots: SessionFolders;
  /** The kinds of servers that the agent takes. */
  readonly capabilities: McpCapabilities;
}

/** The reasons why an agent does not get a server. */
export const LEFT_OUT_REASONS = [
  /** The agent does not take servers of this kind. */
  'unsupported',
  /** An earlier server has the name, by which agents find servers. */
  'duplicate_name',
  /** The server comes from the workspace, and the user has not agreed to its present text. */
  'not_agreed',
  /** The workspace is not trusted. */
  'restricted',
  /** The user has not entered a value. `detail`: the input's id. */
  'input_missing',
  /** The user has not signed in at the server. */
  'sign_in',
  /** `detail`: the variable that has no value. */
  'variable_unknown',
  /** `detail`: the member that is not valid. */
  'invalid',
  /** `detail`: the program that does not exist. */
  'not_found',
  /** `detail`: the file that cannot be read. */
  'unreadable',
  /** The user has switched the server off for this agent or session. */
  'switched_off',
  /** The server could not be prepared. `detail`: the error. */
  'failed',
] as const;

export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export interface LeftOut {
  readonly name: string;
  readonly reason: LeftOutReason;
  readonly detail?: string;
}

export interface ServersOfSession {
  readonly servers: readonly McpServer[];
  readonly leftOut: readonly LeftOut[];
}

/** The part of an `AbortSignal` that this layer can name. The session passes a whole one. */
export interface AbortState {
  readonly aborted: boolean;
}

/** The window's servers for sessions. */
export interface ServerSource {
  /** The session starts its agent, and asks for its servers when the agent is ready: time to look for them. */
  prepare?(): void;
  /** True when `resolve` may return something. Loads and reads nothing, because every session asks. */
  isActive(request: ServerRequest): boolean;
  /** Returns the servers. It never waits for the user: a server that needs an answer is left out. May be called again for the same session. */
  resolve(request: ServerRequest, signal: AbortState): Promise<ServersOfSession>;
  /** Returns the window's own server as the agent of the session has it. It contains a token. */
  addressOf?(key: string): McpServer | undefined;
  /** Serves the agent of an earlier window at the address that it has. Rejects when that is not possible. */
  continue?(request: ServerRequest, earlier: McpServer): Promise<void>;
  /**
   * The session has left its agent. Called after `resolve` and `continue` only.
   * @param isLeft true when a later window may continue the session
   */
  ended(key: string, isLeft?: boolean): void;
}
