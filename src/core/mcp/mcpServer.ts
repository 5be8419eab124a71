/** The servers of the Model Context Protocol that a client passes to an agent (protocol page "Session Setup"). */

/** The name of the editor's own server towards agents. The rules of users and the prompts of agents contain it. */
export const EDITOR_SERVER = 'vscode';

/** A value that variables of a definition were replaced by. Only redaction uses it: it is never sent as such. */
export interface InsertedValue {
  /** The name of the variable or the input. */
  readonly name: string;
  readonly value: string;
  /** True when the user typed it as a password. */
  readonly isPassword: boolean;
}

/** A server that the agent starts and uses over stdio. */
export interface McpStdioServer {
  readonly type: 'stdio';
  /** A name for display. */
  readonly name: string;
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** The values may be secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly inserted?: readonly InsertedValue[];
}

/** A server that the agent reaches at an address. */
export interface McpRemoteServer {
  readonly type: 'http' | 'sse';
  readonly name: string;
  readonly url: string;
  /** The values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly inserted?: readonly InsertedValue[];
}

/** A server of the client itself. Its messages travel on the connection to the agent (RFD "MCP over ACP", unstable). */
export interface McpAcpServer {
  readonly type: 'acp';
  readonly name: string;
  /** Unique on a connection. The client chooses it. */
  readonly serverId: string;
}

export type McpServer = McpStdioServer | McpRemoteServer | McpAcpServer;

/** The kinds of servers that an agent takes. */
export type McpCapabilities = { readonly [Type in McpServer['type']]: boolean };
