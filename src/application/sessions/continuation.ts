/** The events with which a new session announces the conversation that it has as an attachment. Pure. */
import type { EventInput } from '../../core/model/event';
import { isNew } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';

/**
 * Returns the events for the new session: it takes the title until its agent sends another one, and names the conversation and its agent in a
 * notice. Returns none for a session without a message, because there is nothing to continue.
 */
export function continuationOf(continued: SessionState, title: string): EventInput[] {
  if (isNew(continued)) {
    return [];
  }
  const failure = { code: 'session.continues', params: { title, agent: continued.agentName } } as const;
  return [
    { type: 'session_info', title },
    { type: 'notice', noticeId: 'continues', severity: 'info', title: '', failure },
  ];
}

/** Returns the notice of a new session that gets an earlier part of another conversation as an attachment. */
export function attachedNotice(): EventInput {
  return { type: 'notice', noticeId: 'attached', severity: 'info', title: '', failure: { code: 'session.attached_before' } };
}
