/** What a session is called. */
import type { SessionState } from '../src/core/model/state';
import { conversationParts } from './parts';

/** The prompt that a title is made of is read by what comes with the conversation: before that, the agent's name stands for it. */
export function titleNow(state: Pick<SessionState, 'title' | 'firstPrompt' | 'agentName'>): string {
  return conversationParts.now?.sessionTitle(state) ?? (state.title?.trim() || state.agentName);
}
