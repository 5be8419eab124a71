/** claude-agent-acp before 0.100 sends the work of its subagents in the session itself, marked with the tool call that started them. */
import { type Fields, isRecord, textOf } from '../json/fields';

/** Returns the id of the tool call whose subagent an update belongs to. */
export function startingToolCall({ _meta: meta, toolCallId }: Fields): string | undefined {
  const claude = isRecord(meta) && isRecord(meta.claudeCode) ? meta.claudeCode : {};
  const id = textOf(claude.parentToolUseId);
  return id === '' || id === toolCallId ? undefined : id;
}
