/** The lines of a tool call's or request's diffs in their files: one for each change, stored with its texts, once it was found. */
import type { ToolContent } from '../model/content';
import type { DiffLine, DiffLocated } from '../model/event';
import { isAbsent, type PermissionEntry, type SessionState, type ToolCallEntry } from '../model/state';
import { upsertEntry } from './messages';

/**
 * Adds the lines to their changes. A later update of the agent replaces the change together with its line, so a line never belongs to other texts.
 */
export function reduceDiffLocated(state: SessionState, { entryId, lines }: DiffLocated): SessionState {
  const slot = state.entries.get(entryId);
  if (!slot || isAbsent(slot)) {
    return state;
  }
  switch (slot.kind) {
    case 'tool_call':
      return upsertEntry<ToolCallEntry>(state, entryId, (old) => ({ ...old!, content: withLines(old!.content, lines) }));
    case 'permission':
      return slot.subject.content === undefined
        ? state
        : upsertEntry<PermissionEntry>(state, entryId, (old) => ({
            ...old!,
            subject: { ...old!.subject, content: withLines(old!.subject.content ?? [], lines) },
          }));
    default:
      return state;
  }
}

function withLines(contents: readonly ToolContent[], lines: readonly DiffLine[]): readonly ToolContent[] {
  return contents.map((content, index) => {
    const own = lines.filter((each) => each.content === index);
    return content.type !== 'diff' || own.length === 0
      ? content
      : {
          ...content,
          changes: content.changes.map((change, at) => {
            const found = own.find((each) => each.change === at);
            return found ? { ...change, line: found.line } : change;
          }),
        };
  });
}
