/**
 * The line of an event in a journal: JSON and a line feed. Events that were made from a frame of a kept agent have its number, and further lines say
 * up to which frame the journal is complete (docs/decisions/processes/keeper.md).
 */
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

/** Adds the number of the frame to lines of events. */
export function linesOfFrame(lines: string, frame: number): string {
  return lines.replace(/\}\n/g, `,"frame":${frame}}\n`);
}

/** A position in the frames of a kept agent. */
export interface KeptMark {
  /** The keeper's id. */
  readonly id: string;
  /** All events of the frames up to this number are in the journal before this line. */
  readonly frame: number;
  /** True when the events of later frames before this line do not count, because the keeper sends the frames again. */
  readonly isCut?: true;
}

/** @param mark undefined when the session has left its kept agent */
export function markLine(mark: KeptMark | undefined): string {
  return JSON.stringify({ kept: mark ?? null }) + '\n';
}
