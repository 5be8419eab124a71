/** A session's title. */
import type { SessionState } from '../src/core/model/state';
import { conversationChunk } from './chunks';

/** Returns the title. The code that makes a title from the first prompt loads with the conversation. Before that, the agent's name is used. */
export function titleNow(state: Pick<SessionState, 'name' | 'title' | 'firstPrompt' | 'agentName'>): string {
  return conversationChunk.value?.sessionTitle(state) ?? (state.name?.trim() || state.title?.trim() || state.agentName);
}
