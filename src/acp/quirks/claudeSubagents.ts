/** claude-agent-acp before 0.71 sends the work of its subagents in the session itself, marked with the tool call that started them. */
import type { AgentInfo } from '../../core/model/content';
import { type Fields, isRecord, textOf } from '../json/fields';

/** Returns the id of the tool call whose subagent an update belongs to. */
export function startingToolCall(update: Fields): string | undefined {
  const id = textOf(claudeMeta(update).parentToolUseId);
  return id === '' || id === update.toolCallId ? undefined : id;
}

/** The names of the tool, the older one first. */
const TASK_TOOLS: ReadonlySet<unknown> = new Set(['Task', 'Agent']);

/** True for a call of the tool that starts a subagent. Versions that announce subagents show such a call only where it started none. */
export function isClaudeTask(update: Fields, agent: AgentInfo | undefined): boolean {
  return TASK_TOOLS.has(claudeMeta(update).toolName) && !announces(agent);
}

/** True for the answer of a call that started a subagent in the background: text for the model, which the agent sends as the subagent's message. */
export function isLaunchAnswer(messageId: string, content: readonly unknown[]): boolean {
  const [first] = content;
  return messageId.endsWith(':reply') && isRecord(first) && textOf(first.text)?.startsWith('Async agent launched successfully.') === true;
}

function announces(agent: AgentInfo | undefined): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(agent?.version ?? '') ?? [];
  return agent?.name?.includes('claude-agent-acp') === true && (Number(major) > 0 || Number(minor) >= 71);
}

function claudeMeta({ _meta: meta }: Fields): Fields {
  return isRecord(meta) && isRecord(meta.claudeCode) ? meta.claudeCode : {};
}
