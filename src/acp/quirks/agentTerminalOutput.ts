/**
 * Agents report the commands that they run themselves in `_meta` of the tool call. `terminal_output_delta` always adds output. `terminal_output` adds
 * output in pi and in agents that follow Zed, but is the whole output so far in claude-agent-acp.
 */
import type { AgentInfo } from '../../core/model/content';

/** For `clientCapabilities._meta`. `terminal_output` is not declared, because codex-acp then sends chunks under that key. */
export const AGENT_TERMINAL_CAPABILITY = { terminal_output_delta: true };

/** True when `terminal_output` of this agent replaces the output so far. */
export function replacesOutput(agent: AgentInfo | undefined): boolean {
  return agent?.name !== undefined && /(?:^|\/)claude-agent-acp$/.test(agent.name);
}
