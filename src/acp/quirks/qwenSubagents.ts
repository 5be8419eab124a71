/** Qwen Code sends the work of its subagents in the session itself, marked with the tool call that started them and the kind of the subagent. */
import { type Fields, isRecord, textOf } from '../json/fields';

/** Returns the id of the tool call whose subagent an update belongs to. */
export function qwenStartingToolCall({ _meta: meta, toolCallId }: Fields): string | undefined {
  const id = isRecord(meta) && typeof meta.subagentType === 'string' ? textOf(meta.parentToolCallId) : undefined;
  return id === '' || id === toolCallId ? undefined : id;
}

/** The names of the tool, the older one first. */
const TASK_TOOLS: ReadonlySet<unknown> = new Set(['task', 'agent']);

/** True for a call of the tool that starts a subagent. */
export function isQwenTask({ _meta: meta }: Fields): boolean {
  return isRecord(meta) && TASK_TOOLS.has(meta.toolName);
}
