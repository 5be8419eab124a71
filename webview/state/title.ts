/** A session's title. */
import type { SessionState } from '../../src/core/model/state';
import { LazySlot } from '../base/lazy';

/** The code that makes a title from the first prompt. It loads with the conversation. */
export const titleChunk = new LazySlot<Pick<typeof import('../../src/text/transcript/sessionTitle'), 'sessionTitle'>>();

/** Returns the title. Until {@link titleChunk} is loaded, the agent's name is used for a session without a title of its own. */
export function titleNow(state: Pick<SessionState, 'name' | 'title' | 'firstPrompt' | 'agentName'>): string {
  return titleChunk.value?.sessionTitle(state) ?? (state.name?.trim() || state.title?.trim() || state.agentName);
}
