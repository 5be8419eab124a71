/** Makes the agent forget the end of the conversation (RFD "Session Rewind"). The record keeps it. */
import type { Failure } from '../../core/model/failure';
import { isBusy } from '../../core/model/select';
import { isAbsent, type SessionState } from '../../core/model/state';
import type { AgentAttachment } from '../agent/agentAttachment';
import type { SessionStore } from '../state/store';

/** The first character of the ids that the client makes for messages without one. */
const OWN_ID = '~';

/** The kinds of entries that the agent's memory does not contain. */
const REMARKS: ReadonlySet<string> = new Set(['turn', 'notice', 'compaction', 'permission', 'elicitation']);

/**
 * Makes the agent forget this message of the user and everything after it. Resolves to the failure when the agent did not do so.
 *
 * @param attachment the agent; undefined when it does not run
 */
export async function rewindBefore(
  attachment: AgentAttachment | undefined,
  store: SessionStore,
  entryId: string,
): Promise<Failure | undefined> {
  const { state } = store;
  const { sessionId } = state;
  const agent = attachment?.agent;
  const last = messageBefore(state, entryId);
  if (!attachment || !agent?.dialect.rewindSession || sessionId === undefined || last === undefined || isBusy(state)) {
    return { code: 'session.not_ready' };
  }
  const failure = await new Promise<Failure | undefined>((resolve) =>
    attachment.request<void>(
      agent,
      (dialect, settled) => dialect.rewindSession!(sessionId, last, settled),
      (outcome) => resolve(outcome.ok ? undefined : outcome.failure),
    ),
  );
  if (!failure) {
    store.append({ type: 'notice', noticeId: `rewound-${store.seq}`, severity: 'info', title: '', failure: { code: 'session.rewound' } });
  }
  return failure;
}

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
