/** The events with which a fork begins that ends before a message of the user. Pure. */
import type { SessionEvent } from '../core/model/event';
import { conversationBefore } from '../core/model/select';
import { EMPTY_STATE, isAbsent, type SessionState } from '../core/model/state';
import { reduce } from '../core/reduce/reduce';

/** Returns the events before this message of the user; undefined when they do not give the conversation before it, such as after a replay. */
export function eventsBefore(state: SessionState, events: readonly SessionEvent[], entryId: string): readonly SessionEvent[] | undefined {
  const entry = state.entries.get(entryId);
  const before = conversationBefore(state, entryId);
  if (!entry || !before || isAbsent(entry) || entry.kind !== 'message') {
    return undefined;
  }
  const { messageId, role } = entry;
  const first = events.findIndex(
    (event) =>
      (event.type === 'turn_started' && event.turnId === messageId) ||
      ((event.type === 'message' || event.type === 'message_chunk') && event.role === role && event.messageId === messageId),
  );
  const cut = events.slice(0, Math.max(0, first));
  const { entries } = cut.reduce(reduce, EMPTY_STATE);
  const isSame =
    entries.length === before.entries.length && [...entries].every((each, index) => each.entryId === before.entries.at(index)!.entryId);
  return first >= 0 && isSame ? cut : undefined;
}
