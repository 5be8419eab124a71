/** Relates the events of agents to the entries of the conversation. */
import type { SessionEvent } from '../model/event';
import { entryIdOf, type Entry } from '../model/state';

/** Returns the time of an entry's last update, in ms since the epoch. */
export function timeOf(slot: Entry): number {
  return 'updatedAt' in slot ? slot.updatedAt : slot.at;
}

/** Returns the id of the entry that an event is about; undefined for an event that is not about an agent's entry. */
export function entryIdOfEvent(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'message':
    case 'message_chunk':
      return entryIdOf.message(event.role, event.messageId);
    case 'tool_call_update':
    case 'tool_call_content_chunk':
      return entryIdOf.toolCall(event.toolCallId);
    case 'compaction_update':
    case 'compaction_chunk':
      return entryIdOf.compaction(event.compactionId);
    case 'notice':
      return entryIdOf.notice(event.noticeId);
    case 'subagent_update':
      return event.parentId === undefined ? entryIdOf.subagent(event.subagentId) : undefined;
    case 'session_message':
    case 'session_message_chunk':
      return entryIdOf.sessionMessage(event.messageId);
    case 'unknown':
      return entryIdOf.unknown(event.unknownId);
    default:
      return undefined;
  }
}

/** Returns the event for an entry of this id. */
export function renamed(event: SessionEvent, entryId: string): SessionEvent {
  const id = entryId.slice(entryId.indexOf(':') + 1);
  switch (event.type) {
    case 'message':
    case 'message_chunk':
    case 'session_message':
    case 'session_message_chunk':
      return { ...event, messageId: id };
    case 'tool_call_update':
    case 'tool_call_content_chunk':
      return { ...event, toolCallId: id };
    case 'compaction_update':
    case 'compaction_chunk':
      return { ...event, compactionId: id };
    case 'notice':
      return { ...event, noticeId: id };
    case 'unknown':
      return { ...event, unknownId: id };
    default:
      return event;
  }
}
