/** The parameters of `session/new`, `session/load` and `session/resume` (protocol page "Session Setup"), from the workbench to the wire. */
import type { Instructions } from '../account/instructions';
import type { McpServer } from '../mcp/mcpServer';
import type { Roots } from './roots';

export interface SessionSetup {
  /** Absolute. */
  readonly cwd: string;
  /** Further roots, absolute. Always all of them, since nothing is inherited (RFD "Additional directories"). */
  readonly additionalDirectories: readonly string[];
  /** In a request: only servers that the agent takes. */
  readonly mcpServers: readonly McpServer[];
  /** Texts for the system prompt. Only for an agent that takes them. */
  readonly instructions?: Instructions;
  /** The initial values of the agent's options, for an agent that takes them with the request. It ignores unknown ones. */
  readonly values?: Readonly<Record<string, string | boolean>>;
  /** Values of the agent's options in place of the user's last choices, for a new session. Never in a request itself. */
  readonly preferred?: Readonly<Record<string, string | boolean>>;
  /** Options that only this agent knows; the protocol carries them as `_meta`. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Returns the setup of a session in these folders. Everything else comes from `base`, when there is one. */
export function setupIn({ cwd, additionalDirectories }: Roots, base?: SessionSetup): SessionSetup {
  return { ...base, cwd, additionalDirectories, mcpServers: base?.mcpServers ?? [] };
}
