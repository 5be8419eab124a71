/** Formats a conversation as markdown, for another agent or another reader. Contains only messages and actions, without bulk. */
import { sanitizeMarkdown } from '../markdown/sanitize';
import type { ContentBlock } from '../../core/model/content';
import { codeSpan, proseLine } from '../markdown/fence';
import { isAbsent, type Entry, type PermissionEntry, type SessionState } from '../../core/model/state';
import { subagentName, subagentOf, subagentStatus } from '../../core/subagents/subagentTree';
import { requestsOf } from '../../core/approval/requests';

/**
 * Returns the conversation, oldest first. When it is longer than `max` UTF-16 units, the beginning is left out with a note, because the newest part
 * matters most for continuing it.
 */
export function toMarkdown(state: SessionState, max = Infinity): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = state.entries.length - 1; index >= 0; index--) {
    const slot = state.entries.at(index)!;
    const part = isAbsent(slot) ? '' : entryText(slot, state);
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

function entryText(entry: Entry, state: SessionState): string {
  switch (entry.kind) {
    case 'message': {
      const text = blocksText(entry.content);
      // Thoughts are the agent's own notes and are not needed to continue.
      return text === '' || entry.role === 'thought' ? '' : `## ${entry.role === 'user' ? 'User' : 'Agent'}\n\n${text}`;
    }
    case 'tool_call': {
      const places = entry.locations.map(({ path, line }) => codeSpan(line === undefined ? path : `${path}:${line}`)).join(', ');
      const title = proseLine(entry.title || entry.name || entry.toolKind);
      const answers = requestsOf(entry, state.entries).map((request) => {
        const asked = proseLine(request.title);
        return `; asked${asked === '' || asked === title ? '' : ` “${asked}”`}: ${answerText(request)}`;
      });
      return `- ${title} (${entry.status}${answers.join('')})${places ? `: ${places}` : ''}`;
    }
    case 'permission':
      // A request on its tool call's card is part of the call.
      return entry.onToolCall ? '' : `- Asked: ${proseLine(entry.title)} (${answerText(entry)})`;
    case 'elicitation':
      return `- Asked: ${proseLine(entry.message)} (${entry.outcome?.type ?? 'not answered'})${entry.outcome?.content ? `: ${codeSpan(JSON.stringify(entry.outcome.content))}` : ''}`;
    case 'compaction':
      return blocksText(entry.summary);
    case 'turn':
      return entry.unanswered
        ? '- The turn ended without an answer'
        : entry.stopReason === 'end_turn'
          ? ''
          : `- The turn ended: ${proseLine(entry.stopReason)}`;
    case 'subagent': {
      const child = subagentOf(state, entry.subagentId);
      return child ? `- Subagent: ${proseLine(subagentName(child))} (${subagentStatus(child, false)})` : '';
    }
    case 'session_message': {
      const text = blocksText(entry.content);
      return text === '' ? '' : `## Message between agents\n\n${text}`;
    }
    case 'notice':
    case 'unknown':
      return '';
  }
}

function answerText({ options, outcome }: PermissionEntry): string {
  const chosen = options.find(({ optionId }) => optionId === outcome?.optionId);
  return proseLine(chosen?.name || chosen?.optionId || outcome?.type || 'not answered');
}

/** Returns the blocks as one text. A code block that is left open ends with the message, as it did there. */
function blocksText(blocks: readonly ContentBlock[]): string {
  const text = blocks
    .map((block) => {
      switch (block.type) {
        case 'text':
          return block.text;
        case 'resource':
        case 'resource_link':
          return `[${block.uri.replace(/\s+/g, ' ')}]`;
        case 'image':
        case 'audio':
          return `[${block.mimeType.replace(/\s+/g, ' ')}]`;
        case 'unknown':
          return '';
      }
    })
    .join('');
  return sanitizeMarkdown(text).trim();
}
