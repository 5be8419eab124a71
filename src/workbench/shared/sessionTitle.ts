/** What sessions are called, for what is loaded with the first of them: reading a prompt's Markdown comes late, with the first that needs it. */
import type { SessionState } from '../../core/model/state';
import { plainTitleOf } from '../../text/transcript/plainTitle';

type Titles = typeof import('../../text/transcript/sessionTitle');
type FirstPrompt = NonNullable<SessionState['firstPrompt']>;

let titles: Titles | undefined;
/** The prompts whose Markdown is read, or will be. */
const readings = new WeakMap<FirstPrompt, { done: boolean; readonly promise: Promise<void> }>();

/**
 * True when the title of such a session is at hand. Otherwise its prompt's Markdown is read after what goes on now (a prompt is on its way to the
 * agent), and `loaded` is told.
 */
export function readsTitles(
  { name, title, firstPrompt }: Pick<SessionState, 'name' | 'title' | 'firstPrompt'>,
  loaded: () => void,
): boolean {
  if (name || title || !firstPrompt || plainTitleOf(firstPrompt) !== undefined) {
    return true;
  }
  let reading = readings.get(firstPrompt);
  if (!reading) {
    const started = { done: false, promise: readLater(firstPrompt).then(() => void (started.done = true)) };
    reading = started;
    readings.set(firstPrompt, reading);
  }
  if (!reading.done) {
    void reading.promise.then(loaded);
  }
  return reading.done;
}

async function readLater(firstPrompt: FirstPrompt): Promise<void> {
  await loadTitles();
  await new Promise((resolve) => setImmediate(resolve));
  titles?.sessionTitle({ firstPrompt, agentName: '' });
}

/** Until it resolves a session is called by its agent's name where the agent gives no title and its prompt has Markdown in it. */
export async function loadTitles(): Promise<void> {
  titles ??= await import('../../text/transcript/sessionTitle');
}

/** See `sessionTitle` in `text/transcript`. */
export function titleOf(state: Pick<SessionState, 'name' | 'title' | 'firstPrompt' | 'agentName'>): string {
  const { name, title, firstPrompt, agentName } = state;
  return titles ? titles.sessionTitle(state) : name?.trim() || title?.trim() || (firstPrompt && plainTitleOf(firstPrompt)) || agentName;
}
