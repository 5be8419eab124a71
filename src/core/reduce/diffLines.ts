/** The lines of a tool call's or request's diffs in their files: one for each change, stored with its texts, once it was found. */
import type { ToolContent } from '../model/content';
import type { DiffLocated } from '../model/event';
import { isAbsent, type PermissionEntry, type SessionState, type ToolCallEntry } from '../model/state';
import { upsertEntry } from './messages';

/**
 * Adds the lines to their changes. A later update of the agent replaces the change together with its line, so a line never belongs to other texts.
 */
export function reduceDiffLocated(state: SessionState, event: DiffLocated): SessionState {
  const { entryId } = event;
  const slot = state.entries.get(entryId);
  if (!slot || isAbsent(slot)) {
    return state;
  }
  switch (slot.kind) {
    case 'tool_call':
      return upsertEntry<ToolCallEntry>(state, entryId, (old) => ({ ...old!, content: located(old!.content, event) }));
    case 'permission':
      return slot.subject.content === undefined
        ? state
        : upsertEntry<PermissionEntry>(state, entryId, (old) => ({
            ...old!,
            subject: { ...old!.subject, content: located(old!.subject.content ?? [], event) },
          }));
    default:
      return state;
  }
}

function located(contents: readonly ToolContent[], { lines, fits = [] }: DiffLocated): readonly ToolContent[] {
  return contents.map((content, index) => {
    const ofContent = (each: { readonly content: number }): boolean => each.content === index;
    if (content.type !== 'diff' || !(lines.some(ofContent) || fits.some(ofContent))) {
      return content;
    }
    return {
      ...content,
      changes: content.changes.map((change, at) => {
        const ofChange = (each: { readonly content: number; readonly change: number }): boolean => ofContent(each) && each.change === at;
        const [line, fit] = [lines.find(ofChange), fits.find(ofChange)];
        const { content: _content, change: _change, ...found } = fit ?? {};
        return line || fit ? { ...change, ...(line && { line: line.line }), ...found } : change;
      }),
    };
  });
}
