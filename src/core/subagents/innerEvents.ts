/** Makes events of a subagent's conversation. */
import type { EventInput, SessionEvent } from '../model/event';
import type { SessionState } from '../model/state';
import { isInner } from '../model/innerEvent';
import { subagentOf } from './subagentTree';

/** Returns the id in the session of a tool call, a message, and so on of a subagent. */
export function subagentsId(subagentId: string, id: string): string {
  return `${subagentId}/${id}`;
}

/** The fields that contain the id of an entry. */
const IDS: ReadonlySet<string> = new Set(['toolCallId', 'messageId', 'noticeId', 'compactionId', 'unknownId']);

/** Events that stay those of the session, although a subagent has sent them. */
const OF_SESSION: ReadonlySet<string> = new Set(['terminal_update', 'terminal_output', 'subagent_event', 'background_task']);

/**
 * Returns the events of a subagent's session as events of the session that it belongs to. Terminals stay events of the session, because calls of any
 * conversation can show them, and so do background tasks and those about its own subagents.
 */
export function asSubagentEvents(subagentId: string, events: readonly EventInput[]): EventInput[] {
  const wrapped: EventInput[] = [];
  for (const event of events) {
    if (event.type === 'message_chunk') {
      wrapped.push({ type: 'subagent_event', event: withIds(subagentId, event), subagentId });
    } else if (OF_SESSION.has(event.type)) {
      wrapped.push(event);
    } else if (event.type === 'subagent_update') {
      const { type, subagentId: child, parentId = subagentId, ...rest } = event;
      wrapped.push({ type, subagentId: child, parentId, ...rest });
    } else if (isInner(event)) {
      // The kind of the inner event is near the beginning of a journal's line, where the search looks for it.
      wrapped.push({ type: 'subagent_event', event: withIds(subagentId, event), subagentId });
    }
  }
  return wrapped;
}

/** Returns the event for the conversation of a subagent, if the session has that subagent. The ids of `event` are those of the session. */
export function inSubagent(state: Pick<SessionState, 'subagents'>, subagentId: string | undefined, event: EventInput): EventInput {
  return subagentId !== undefined && subagentOf(state, subagentId) ? { type: 'subagent_event', event, subagentId } : event;
}

/** Returns the event itself, or the one of a subagent's conversation that it carries. Only the outer event has a time. */
export function bodyOf(event: SessionEvent): SessionEvent {
  return event.type === 'subagent_event' ? (event.event as SessionEvent) : event;
}

function withIds(subagentId: string, event: EventInput): EventInput {
  // Text is the most frequent by far, and a literal is several times faster.
  if (event.type === 'message_chunk' && event.meta === undefined && event.extra === undefined) {
    const { role, messageId, content } = event;
    return { type: 'message_chunk', role, messageId: subagentsId(subagentId, messageId), content };
  }
  const copy: Record<string, unknown> = { ...event };
  for (const name of IDS) {
    const id = copy[name];
    if (typeof id === 'string') {
      copy[name] = subagentsId(subagentId, id);
    }
  }
  return copy as unknown as EventInput;
}
