/**
 * The titles of sessions, for code that is loaded with the first session. The code that reads a prompt's Markdown is loaded later, when a title
 * needs it.
 */
import type { SessionState } from '../../core/model/state';
import { agentTitle, plainTitleOf, shortened } from '../../text/transcript/plainTitle';
import { type InertText, inertLine } from './escape';

type Titles = typeof import('../../text/transcript/sessionTitle');
type FirstPrompt = NonNullable<SessionState['firstPrompt']>;

let titles: Titles | undefined;
/** The prompts whose Markdown was read or will be. */
const readings = new WeakMap<FirstPrompt, { done: boolean; readonly promise: Promise<void> }>();

/**
 * True when the title of such a session is available. Otherwise the prompt's Markdown is read after the current work (sending a prompt to the
 * agent), and then `loaded` is called.
 */
export function ensureTitle(
  { name, title, firstPrompt }: Pick<SessionState, 'name' | 'title' | 'firstPrompt'>,
  loaded: () => void,
): boolean {
  if (name || agentTitle({ title, firstPrompt }) || !firstPrompt || plainTitleOf(firstPrompt) !== undefined) {
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

/**
 * Loads the code that reads Markdown. Before it has resolved, a session without a title from its agent is named after the agent if its prompt
 * contains Markdown.
 */
export async function loadTitles(): Promise<void> {
  titles ??= await import('../../text/transcript/sessionTitle');
}

/** See `sessionTitle` in `text/transcript`. */
export function titleOf(state: Pick<SessionState, 'name' | 'title' | 'firstPrompt' | 'agentName'>): string {
  const { name, title, firstPrompt, agentName } = state;
  return titles
    ? titles.sessionTitle(state)
    : name?.trim() || agentTitle({ title, firstPrompt }) || (firstPrompt && plainTitleOf(firstPrompt)) || agentName;
}

/** Returns a title with at most about `max` UTF-16 units, for a label beside others. A tooltip has the whole title where VS Code shows one. */
export function titleLabel(title: string, max: number): InertText {
  return inertLine(shortened(title.replace(/\s+/g, ' ').trim(), max));
}
