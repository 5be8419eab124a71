/**
 * The modules of the page and the time when each is loaded. The first paint needs the frame, the composer and the mirror. The code that every
 * conversation needs is loaded at once beside it. The rest is loaded when the page is idle or a conversation needs it. Loading a module never moves
 * the layout.
 */
import type { Entries } from '../src/core/model/state';
import { composerChunk } from './composer/lazyComposer';
import { mentionChunk } from './composer/mentions/lazyMentions';
import { type Lazy, lazy } from './lazy';
import { optionChunk } from './options/lazyOptionList';
import { elicitationChunk, subagentChunk, toolChunk } from './transcript/lazyEntries';

/** Messages, tool calls as lines, turns, plans, and with them Markdown. `esbuild.mjs` preloads the file in the page's HTML. */
export const conversationChunk = lazy(() => import('./transcript/conversationChunk'));
export const queueChunk = lazy(() => import('./queue/queueView'));
export const findChunk = lazy(() => import('./find/findBar'));
export const signInChunk = lazy(() => import('./signIn/card'));
/** Needed only while a conversation is empty. */
export const startChunk = lazy(() => import('./start/startPage'));
/** Needed only in a page without a session. */
export const welcomeChunk = lazy(() => import('./start/welcome'));
export const toastChunk = lazy(() => import('./toasts/toastsView'));

/** Needed only while the extension host does not answer. */
export const disconnectedChunk = lazy(() => import('./connection/disconnected'));

type AnyChunk = Pick<Lazy<unknown>, 'value' | 'load'>;

const rare: readonly AnyChunk[] = [
  mentionChunk,
  composerChunk,
  queueChunk,
  optionChunk,
  toolChunk,
  elicitationChunk,
  subagentChunk,
  toastChunk,
  signInChunk,
  findChunk,
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

/** Returns the modules that must be loaded before the conversation can be rendered completely. */
export function chunksFor(entries: Entries): readonly AnyChunk[] {
  const chunks = new Set<AnyChunk>([conversationChunk]);
  for (let index = 0; index < entries.length && chunks.size < 4; index++) {
    const chunk = chunkOf(entries.at(index)!.kind);
    if (chunk) {
      chunks.add(chunk);
    }
  }
  return [...chunks];
}

function chunkOf(kind: string): AnyChunk | undefined {
  switch (kind) {
    case 'message':
    case 'turn':
    case 'notice':
    case 'compaction':
      return undefined;
    case 'subagent':
    case 'session_message':
      return subagentChunk;
    case 'elicitation':
      return elicitationChunk;
    default:
      return toolChunk;
  }
}
