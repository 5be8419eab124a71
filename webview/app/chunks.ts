/**
 * The modules of the page and the time when each is loaded. The first paint needs the frame, the composer and the mirror. The code that every
 * conversation needs is loaded at once beside it. The rest is loaded when the page is idle or a conversation needs it. Loading a module never moves
 * the layout.
 */
import { changesChunk } from '../changes/lazyChangesBar';
import { composerChunk } from '../composer/lazyComposer';
import { mentionChunk } from '../composer/mentions/lazyMentions';
import { type Lazy, lazy } from '../base/lazy';
import { unresponsiveChunk } from '../failures/lazyUnresponsive';
import { findChunk } from '../find/lazyFind';
import { moreItemsChunk } from '../header/lazyMoreItems';
import { reconnectingChunk } from '../header/lazyReconnecting';
import { taskChunk } from '../tasks/lazyTasks';
import { optionChunk } from '../options/lazyOptionList';
import { queueChunk } from '../queue/lazyQueue';
import { signInChunk } from '../signIn/lazySignIn';
import { titleChunk } from '../state/title';
import { elicitationChunk } from '../transcript/elicitation/lazyElicitation';
import { limitWaitChunk } from '../transcript/entries/lazyLimitWait';
import { messageMenuChunk } from '../transcript/entries/lazyMessageMenu';
import { entriesChunk } from '../transcript/list/lazyEntries';
import { subagentChunk } from '../transcript/list/lazySubagents';
import { floodChunk } from '../composer/lazyFloodCard';
import { toolChunk } from '../transcript/toolCalls/lazyToolCalls';

/** Messages, tool calls as lines, turns, the parts above the message box, and with them Markdown. `esbuild.mjs` preloads the file in the page's HTML. */
export const conversationChunk = lazy(() => import('./conversationChunk'));
entriesChunk.fill(conversationChunk);
titleChunk.fill(conversationChunk);

/** Menus, bars and the usage, which need no file of their own. */
const controlsChunk = lazy(() => import('./controlsChunk'));
composerChunk.fill(controlsChunk);
messageMenuChunk.fill(controlsChunk);
limitWaitChunk.fill(controlsChunk);
moreItemsChunk.fill(controlsChunk);
reconnectingChunk.fill(controlsChunk);
unresponsiveChunk.fill(controlsChunk);
changesChunk.fill(controlsChunk);
floodChunk.fill(controlsChunk);

const subagentsChunk = lazy(() => import('../transcript/subagents/subagentChunk'));
subagentChunk.fill(subagentsChunk);

/** Needed only while a conversation is empty. */
export const startChunk = lazy(() => import('../start/startPage'));
/** Needed only in a page without a session. */
export const welcomeChunk = lazy(() => import('../start/welcome'));
export const toastChunk = lazy(() => import('../toasts/toastsView'));

/** Needed only while the extension host does not answer. */
export const disconnectedChunk = lazy(() => import('../connection/disconnected'));

const rare: readonly Pick<Lazy<unknown>, 'load'>[] = [
  mentionChunk,
  controlsChunk,
  queueChunk,
  optionChunk,
  toolChunk,
  elicitationChunk,
  subagentsChunk,
  toastChunk,
  signInChunk,
  findChunk,
  taskChunk,
  disconnectedChunk,
];

/** Loads the modules that are not needed yet, one after the other, each when the page is idle. */
export function loadWhenIdle(whenIdle: (callback: () => void) => void): void {
  const next = (index: number): void => {
    const chunk = rare[index];
    if (chunk) {
      whenIdle(() => void chunk.load().then(() => next(index + 1)));
    }
  };
  next(0);
}

/** Resolves when all modules are loaded that the page loads by itself. */
export async function whole(): Promise<void> {
  await Promise.all([conversationChunk, ...rare].map((chunk) => chunk.load()));
}
