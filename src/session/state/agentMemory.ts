/** The part of a conversation that the agent remembers up to a message. Pure. */
import { isAbsent, type SessionState } from '../../core/model/state';

/** The first character of the ids that the client makes for messages without one. */
const OWN_ID = '~';

/** The kinds of entries that the agent's memory does not contain. */
const REMARKS: ReadonlySet<string> = new Set(['turn', 'notice', 'compaction', 'permission', 'elicitation']);

/**
 * Returns the id of the agent's last message before this entry. Undefined when it has none of its own, or when a tool call or another message comes
 * after it, which the agent would forget, too.
 */
export function messageBefore(state: SessionState, entryId: string): string | undefined {
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
