/** A conversation as markdown, for another agent or another reader. Only what was said and done; no bulk. */
import type { ContentBlock } from './content';
import { isAbsent, type Entry, type SessionState } from './state';

/**
 * The conversation, oldest first. When it is longer than `max` UTF-16 units the beginning is left out, and the text says so: what was said
 * last matters most to whoever goes on with it.
 */
export function toMarkdown(state: SessionState, max = Infinity): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = state.entries.length - 1; index >= 0; index--) {
    const slot = state.entries.at(index)!;
    const part = isAbsent(slot) ? '' : entryText(slot);
    if (part === '') {
      continue;
    }
    if (length + part.length > max) {
      parts.push('[…]');
      break;
    }
    length += part.length + 2;
    parts.push(part);
  }
  return parts.reverse().join('\n\n');
}

function entryText(entry: Entry): string {
  switch (entry.kind) {
    case 'message': {
      const text = blocksText(entry.content);
      // Thoughts are the agent's own notes: whoever goes on does not need them.
      return text === '' || entry.role === 'thought' ? '' : `## ${entry.role === 'user' ? 'User' : 'Agent'}\n\n${text}`;
    }
    case 'tool_call': {
      const places = entry.locations.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`)).join(', ');
      return `- ${entry.title ?? entry.name ?? entry.toolKind} (${entry.status})${places ? `: ${places}` : ''}`;
    }
    case 'permission': {
      const chosen = entry.options.find(({ optionId }) => optionId === entry.outcome?.optionId)?.name;
      return `- Asked: ${entry.title} (${chosen ?? entry.outcome?.type ?? 'not answered'})`;
    }
    case 'elicitation':
      return `- Asked: ${entry.message} (${entry.outcome?.type ?? 'not answered'})${entry.outcome?.content ? `: ${JSON.stringify(entry.outcome.content)}` : ''}`;
    case 'compaction':
      return blocksText(entry.summary);
    case 'turn':
      return entry.stopReason === 'end_turn' ? '' : `- The turn ended: ${entry.stopReason}`;
    case 'notice':
    case 'unknown':
      return '';
  }
}

function blocksText(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => {
      switch (block.type) {
        case 'text':
          return block.text;
        case 'resource':
        case 'resource_link':
          return `[${block.uri}]`;
        case 'image':
        case 'audio':
          return `[${block.mimeType}]`;
        case 'unknown':
          return '';
      }
    })
    .join('')
    .trim();
}
