/** Messages between sessions that the recipient's conversation has, too. Its card is near, so a task is shown once. */
import { entryIdOf, type SessionState } from '../model/state';
import type { SessionMessageEntry } from '../model/subagent';
import { subagentsId } from './innerEvents';
import { subagentOf } from './subagentTree';

/**
 * True when only the recipient's card shows the message.
 * @param sender the subagent whose conversation has the message; undefined for the session's own
 */
export function isReceived(
  { messageId, recipientId }: SessionMessageEntry,
  sender: string | undefined,
  state: Pick<SessionState, 'subagents'>,
): boolean {
  const recipient = recipientId === undefined || recipientId === sender ? undefined : subagentOf(state, recipientId);
  const id = sender === undefined ? messageId : messageId.slice(subagentsId(sender, '').length);
  return (
    recipient !== undefined && recipient.conversation.entries.indexOf(entryIdOf.sessionMessage(subagentsId(recipient.subagentId, id))) >= 0
  );
}
