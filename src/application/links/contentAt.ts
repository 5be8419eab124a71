import type { ContentBlock, ToolContent } from '../../core/model/content';
import { isAbsent, type Slot } from '../../core/model/state';

/** Returns one content block of an entry, by its index; undefined when there is none. */
export function contentAt(slot: Slot | undefined, index: number): ContentBlock | undefined {
  if (!slot || isAbsent(slot)) {
    return undefined;
  }
  switch (slot.kind) {
    case 'message':
      return slot.content[index];
    case 'compaction':
      return slot.summary[index];
    case 'tool_call':
      return inTool(slot.content[index]);
    case 'permission':
      return inTool(slot.subject.content?.[index]);
    default:
      return undefined;
  }
}

function inTool(content: ToolContent | undefined): ContentBlock | undefined {
  return content?.type === 'content' ? content.content : undefined;
}
