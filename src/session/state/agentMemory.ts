/** The part of a conversation that the agent remembers up to a message. Pure. */
import { isAbsent, type SessionState } from '../../core/model/state';

/** The first character of the ids that the client makes for messages without one. */
const OWN_ID = '~';

/** The kinds of entries that the agent's memory does not contain. */
const REMARKS: ReadonlySet<string> = new Set(['turn', 'notice', 'compaction', 'permission', 'elicitation']);

/** The notices after which the agent no longer remembers some or all of the messages above. */
const FORGOTTEN: ReadonlySet<string> = new Set(['session.rewound', 'session.restarted']);

/**
 * Returns the id of the agent's last message before this entry. Undefined when it has none of its own, or when a tool call or another message comes
 * after it, which the agent would forget, too. Undefined also when the agent has forgotten it.
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
    if (!REMARKS.has(entry.kind) || (entry.kind === 'notice' && FORGOTTEN.has(entry.failure?.code ?? ''))) {
      return undefined;
    }
  }
  return undefined;
}
