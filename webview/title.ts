/** What a session is called. */
import type { SessionState } from '../src/core/model/state';
import { conversationParts } from './parts';

/** The prompt that a title is made of is read by what comes with the conversation: before that, the agent's name stands for it. */
export function titleNow(state: Pick<SessionState, 'name' | 'title' | 'firstPrompt' | 'agentName'>): string {
  return conversationParts.now?.sessionTitle(state) ?? (state.name?.trim() || state.title?.trim() || state.agentName);
}
