/** Makes the agent forget the end of the conversation (RFD "Session Rewind"). The record keeps it. */
import type { Failure } from '../../core/model/failure';
import { isBusy } from '../../core/model/select';
import type { AgentAttachment } from '../agent/agentAttachment';
import { messageBefore } from '../state/agentMemory';
import type { SessionStore } from '../state/store';

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
