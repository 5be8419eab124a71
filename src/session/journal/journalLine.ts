/** The line of an event in a journal: JSON and a line feed. */
import type { MessageChunk, SessionEvent } from '../../core/model/event';

export function lineOf(seq: number, event: SessionEvent): string {
  return (event.type === 'subagent_event' && textLine(seq, event)) || JSON.stringify({ seq, event }) + '\n';
}

/**
 * Returns the line of a subagent's text, the most frequent event of a session with subagents. `JSON.stringify` takes a third more time for the two
 * nested objects than for text of the session, and this takes less. Undefined for an event with other fields.
 */
function textLine(
  seq: number,
  { event, subagentId, at, meta, extra }: Extract<SessionEvent, { type: 'subagent_event' }>,
): string | undefined {
  if (event.type !== 'message_chunk' || meta !== undefined || extra !== undefined) {
    return undefined;
  }
  const chunk = event as MessageChunk;
  const { role, messageId, content } = chunk;
  if (content.type !== 'text' || content.annotations || chunk.meta !== undefined || chunk.extra !== undefined) {
    return undefined;
  }
  const text = `{"type":"message_chunk","role":"${role}","messageId":${JSON.stringify(messageId)},"content":{"type":"text","text":${JSON.stringify(content.text)}}}`;
  return `{"seq":${seq},"event":{"type":"subagent_event","event":${text},"subagentId":${JSON.stringify(subagentId)},"at":${at}}}\n`;
}
