/**
 * The modules of the page and the time when each is loaded. The first paint needs the frame, the composer and the mirror. The code that every
 * conversation needs is loaded at once beside it. The rest is loaded when the page is idle or a conversation needs it. Loading a module never moves
 * the layout.
 */
import type { Entries } from '../src/core/model/state';
import { composerParts } from './composer/lateComposer';
import { mentionParts } from './composer/mentions/mentionParts';
import { Late } from './late';
import { optionParts } from './options/optionParts';
import { elicitationParts, toolParts } from './transcript/entryParts';

/** Messages, tool calls as lines, turns, plans, and with them Markdown. `esbuild.mjs` preloads the file in the page's HTML. */
export const conversationParts = new Late(() => import('./transcript/conversationParts'));
export const queueParts = new Late(() => import('./queue/queueView'));
export const findParts = new Late(() => import('./find/findBar'));
export const signInParts = new Late(() => import('./signIn/card'));
/** Needed only while a conversation is empty. */
export const startParts = new Late(() => import('./start/startPage'));
/** Needed only in a page without a session. */
export const welcomeParts = new Late(() => import('./start/welcome'));
export const toastParts = new Late(() => import('./toasts/toastsView'));

/** Needed only while the extension host does not answer. */
export const disconnectedParts = new Late(() => import('./connection/disconnected'));

type AnyPart = Pick<Late<unknown>, 'now' | 'load'>;

const rare: readonly AnyPart[] = [
  mentionParts,
  composerParts,
  queueParts,
  optionParts,
  toolParts,
  elicitationParts,
  toastParts,
  signInParts,
  findParts,
  disconnectedParts,
];

/** Loads the modules that are not needed yet, one after the other, each when the page is idle. */
export function loadWhenIdle(whenIdle: (callback: () => void) => void): void {
  const next = (index: number): void => {
    const part = rare[index];
    if (part) {
      whenIdle(() => void part.load().then(() => next(index + 1)));
    }
  };
  next(0);
}

/** Resolves when all modules are loaded that the page loads by itself. */
export async function whole(): Promise<void> {
  await Promise.all([conversationParts, ...rare].map((part) => part.load()));
}

/** Returns the modules that must be loaded before the conversation can be rendered completely. */
export function partsFor(entries: Entries): readonly AnyPart[] {
  const parts = new Set<AnyPart>([conversationParts]);
  for (let index = 0; index < entries.length && parts.size < 3; index++) {
    const part = partOf(entries.at(index)!.kind);
    if (part) {
      parts.add(part);
    }
  }
  return [...parts];
}

function partOf(kind: string): AnyPart | undefined {
  switch (kind) {
    case 'message':
    case 'turn':
    case 'notice':
    case 'compaction':
      return undefined;
    case 'elicitation':
      return elicitationParts;
    default:
      return toolParts;
  }
}
