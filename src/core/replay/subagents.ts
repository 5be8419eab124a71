/** The subagents of a replay, merged into the recorded ones: the conversation of each is merged like that of the session. */
import type { EventInput, SessionEvent } from '../model/event';
import type { SessionState } from '../model/state';
import { bodyOf } from '../subagents/innerEvents';
import { conversationView, subagentOf } from '../subagents/subagentTree';

/** The merge of two conversations. */
type LayOver = (
  record: SessionState,
  replay: SessionState,
  events: readonly SessionEvent[],
) => { readonly events: readonly SessionEvent[]; readonly differs: boolean };

/** Returns the events to append after the conversation's own. The cards of new subagents of the session itself are part of that conversation. */
export function layOverSubagents(
  record: SessionState,
  replay: SessionState,
  events: readonly SessionEvent[],
  layOver: LayOver,
): ReturnType<LayOver> {
  const added: SessionEvent[] = [];
  const updates: SessionEvent[] = [];
  const replayed = new Map<string, SessionEvent[]>();
  for (const event of events) {
    if (event.type === 'subagent_event') {
      const inner = replayed.get(event.subagentId) ?? [];
      if (!subagentOf(record, event.subagentId)) {
        added.push(event);
      } else if (inner.push({ ...bodyOf(event), at: event.at }) === 1) {
        replayed.set(event.subagentId, inner);
      }
    } else if (event.type === 'subagent_update') {
      const isKnown = subagentOf(record, event.subagentId) !== undefined;
      if (isKnown) {
        updates.push(event);
      } else if (event.parentId !== undefined) {
        added.push(event);
      }
    }
  }
  let differs = false;
  const merged = [...replayed].flatMap(([subagentId, inner]): SessionEvent[] => {
    const recorded = subagentOf(record, subagentId);
    const child = subagentOf(replay, subagentId);
    if (!recorded || !child) {
      return [];
    }
    const laid = layOver(conversationView(record, recorded), child.conversation, inner);
    differs ||= laid.differs;
    return laid.events.map(({ at, ...event }) => ({ type: 'subagent_event', at, event: event as EventInput, subagentId }));
  });
  // New cards come before the merged conversations that place them.
  return { events: [...added, ...merged, ...updates], differs };
}
