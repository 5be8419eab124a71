/** The subagents of a replay, merged into the recorded ones. A conversation is taken as a whole, from the side that has more of it. */
import type { SessionEvent } from '../model/event';
import { isAbsent, type SessionState, type Slot } from '../model/state';
import { subagentOf, type SubagentState } from '../subagents/subagentTree';

/** Returns the events to append after the conversation's own. The cards of new subagents of the session itself are part of that conversation. */
export function layOverSubagents(record: SessionState, replay: SessionState, events: readonly SessionEvent[]): SessionEvent[] {
  const taken = new Map<string, boolean>();
  const isTaken = (subagentId: string): boolean => {
    const known = taken.get(subagentId) ?? hasNews(subagentOf(record, subagentId), subagentOf(replay, subagentId));
    taken.set(subagentId, known);
    return known;
  };
  const restarted = new Set<string>();
  return events.flatMap((event): SessionEvent[] => {
    if (event.type === 'subagent_event') {
      return isTaken(event.subagentId) ? [event] : [];
    }
    if (event.type !== 'subagent_update') {
      return [];
    }
    const { subagentId, parentId } = event;
    if (!subagentOf(record, subagentId)) {
      return parentId === undefined ? [] : [event];
    }
    const isFirst = isTaken(subagentId) && !restarted.has(subagentId);
    restarted.add(subagentId);
    return [isFirst ? { ...event, restarts: true } : event];
  });
}

/** True when the replay has the conversation whole, and another one than the record. */
function hasNews(recorded: SubagentState | undefined, replayed: SubagentState | undefined): boolean {
  if (!recorded || !replayed) {
    return replayed !== undefined;
  }
  const before = recorded.conversation.entries;
  const { entries } = replayed.conversation;
  return entries.length >= before.length && JSON.stringify([...entries].map(shown)) !== JSON.stringify([...before].map(shown));
}

/** Returns the fields that do not differ from one replay to the next. */
function shown(slot: Slot): unknown {
  if (isAbsent(slot)) {
    return slot.entryId;
  }
  switch (slot.kind) {
    case 'message':
      return [slot.role, slot.content];
    case 'tool_call':
      return [slot.toolCallId, slot.title, slot.content, slot.rawOutput];
    default:
      return slot.kind;
  }
}
