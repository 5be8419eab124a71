/** The point at which a fork ends, so that the agent's memory ends before a message of the user. Pure. */
import type { SessionEvent } from '../core/model/event';
import { conversationBefore } from '../core/model/select';
import { EMPTY_STATE, isAbsent, type SessionState } from '../core/model/state';
import { reduce } from '../core/reduce/reduce';

/** The first character of the ids that the client makes for messages without one. */
const OWN_ID = '~';

/** The kinds of entries that the agent's memory does not contain. */
const REMARKS: ReadonlySet<string> = new Set(['turn', 'notice', 'compaction', 'permission', 'elicitation']);

/**
 * Returns the id of the agent's last message before this entry. Undefined when it has none of its own, or when a tool call or another message comes
 * after it, which the fork would not contain.
 */
export function forkPointBefore(state: SessionState, entryId: string): string | undefined {
  for (let index = state.entries.indexOf(entryId) - 1; index >= 0; index--) {
    const entry = state.entries.at(index)!;
    if (isAbsent(entry)) {
      return undefined;
    }
    if (entry.kind === 'message') {
      return entry.role === 'agent' && !entry.messageId.startsWith(OWN_ID) ? entry.messageId : undefined;
    }
    if (!REMARKS.has(entry.kind)) {
      return undefined;
    }
  }
  return undefined;
}

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
