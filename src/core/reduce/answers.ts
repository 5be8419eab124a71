/** The content that counts as an answer: blank text does not, and a turn can end without any. Pure. */
import type { ContentBlock } from '../model/content';
import type { SessionEvent } from '../model/event';
import { isAbsent, type SessionState, type Slot } from '../model/state';

/** True for text without a visible character and without annotations, which may have a meaning of their own. */
export function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && !block.annotations && block.text.trim() === '';
}

/** True for a message or a thought without content to show. Its entry exists, because an exported conversation may fill it later. */
export function isBlankMessage(slot: Slot): boolean {
  return !isAbsent(slot) && slot.kind === 'message' && slot.content.every(isBlank);
}

/** True when the event gives the user something: text, a tool call, a plan, a question or a notice of the agent. Thoughts and usage do not. */
function isAnswer(event: SessionEvent): boolean {
  switch (event.type) {
    case 'message_chunk':
      return event.role === 'agent' && !isBlank(event.content);
    case 'message':
      return event.role === 'agent' && event.content?.every(isBlank) === false;
    case 'notice':
      // Our own notices have a failure.
      return !event.failure;
    case 'tool_call_update':
    case 'plan_update':
    case 'permission_requested':
    case 'elicitation_requested':
    case 'compaction_update':
    case 'compaction_chunk':
    case 'subagent_update':
    case 'session_message':
    case 'unknown':
      return true;
    default:
      return false;
  }
}

/** Records that `event` answers the running turn. Reads the event alone, because a view may not have the entry's body. */
export function withAnswer(state: SessionState, event: SessionEvent): SessionState {
  return state.turn && !state.turn.answered && isAnswer(event) ? { ...state, turn: { ...state.turn, answered: true } } : state;
}
