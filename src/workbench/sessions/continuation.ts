/** The events by which a new session says that it continues another one. Pure. */
import type { UnstampedEvent } from '../../core/model/event';
import { isNew } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';

/**
 * Returns the events for the new session: it takes the title, until its agent gives another one, and names the conversation and its agent in a notice. Returns
 * none for a session without a message, which leaves nothing to continue.
 */
export function continuationOf(continued: SessionState, title: string): UnstampedEvent[] {
  if (isNew(continued)) {
    return [];
  }
  const failure = { code: 'session.continues', params: { title, agent: continued.agentName } } as const;
  return [
    { type: 'session_info', title },
    { type: 'notice', noticeId: 'continues', severity: 'info', title: '', failure },
  ];
}
