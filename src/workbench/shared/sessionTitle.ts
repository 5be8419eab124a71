/** What sessions are called, for what is loaded with the first of them: reading a prompt's Markdown comes late, with the first that shows a title. */
import type { SessionState } from '../../core/model/state';

type Titles = typeof import('../../text/transcript/sessionTitle');

let titles: Titles | undefined;

/** True when the titles of such sessions are read; what loads that is told by `loaded`, once. */
export function readsTitles(
  { name, title, firstPrompt }: Pick<SessionState, 'name' | 'title' | 'firstPrompt'>,
  loaded: () => void,
): boolean {
  if (titles || name || title || !firstPrompt) {
    return true;
  }
  void loadTitles().then(loaded);
  return false;
}

/** Until it resolves a session is called by its agent's name where the agent gives no title. */
export async function loadTitles(): Promise<void> {
  titles ??= await import('../../text/transcript/sessionTitle');
}

/** See `sessionTitle` in `text/transcript`. */
export function titleOf(state: Pick<SessionState, 'name' | 'title' | 'firstPrompt' | 'agentName'>): string {
  return titles ? titles.sessionTitle(state) : state.name?.trim() || state.title?.trim() || state.agentName;
}
