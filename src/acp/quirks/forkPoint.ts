/**
 * The agents that fork a session after one of their messages: claude-agent-acp and codex-acp read the message's id from `_meta`, without a capability.
 * Another agent would ignore it and fork the whole conversation.
 */
import type { AgentInfo } from '../../core/model/content';

const AGENTS: ReadonlySet<string> = new Set([
  '@agentclientprotocol/claude-agent-acp',
  'claude-agent-acp',
  '@agentclientprotocol/codex-acp',
  'codex-acp',
]);

export function forksAtMessage(agent: AgentInfo | undefined): boolean {
  return agent?.name !== undefined && AGENTS.has(agent.name);
}

/** @param messageId the last message that the fork contains */
export function forkPointMeta(messageId: string): object {
  return { jetbrains: { air: { fork: { version: 1, messageId } } } };
}
