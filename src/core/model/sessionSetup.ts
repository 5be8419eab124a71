/** What `session/new`, `session/load` and `session/resume` are asked with (protocol page "Session Setup"), from the workbench to the wire. */
import type { Roots } from './ports';

/** A server of the Model Context Protocol that the agent starts and talks to over stdio: the one kind that every agent takes. */
export interface McpServer {
  /** For people. */
  readonly name: string;
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface SessionSetup {
  /** Absolute. */
  readonly cwd: string;
  /** Further roots, absolute; always all of them, since nothing is inherited (RFD "Additional directories"). */
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** Options that only this agent knows; the protocol carries them as `_meta`. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The setup of a session in these folders; of `base`, when there is one, everything else stays. */
export function setupIn({ cwd, additionalDirectories }: Roots, base?: SessionSetup): SessionSetup {
  return { ...base, cwd, additionalDirectories, mcpServers: base?.mcpServers ?? [] };
}
