/** Reads the limits of the agent's account (RFD "Quotas and Limits"). */
import type { EventInput } from '../../core/model/event';
import type { SessionStore } from '../state/store';
import type { AgentAttachment } from './agentAttachment';

/** An agent that cannot tell its limits now changes nothing. */
export function readQuota(attachment: AgentAttachment | undefined, store: SessionStore): void {
  const { sessionId } = store.state;
  const agent = attachment?.agent;
  if (!attachment || !agent?.dialect.readQuota || sessionId === undefined) {
    return;
  }
  attachment.request<EventInput>(
    agent,
    (dialect, settled) => dialect.readQuota!(sessionId, settled),
    (outcome) => outcome.ok && store.append(outcome.value),
  );
}
