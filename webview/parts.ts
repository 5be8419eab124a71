/**
 * What of the page is loaded when. With its first paint: the frame, the composer, the mirror. At once beside it: what any conversation needs. When
 * the page has nothing else to do, or a conversation that is opened has need of it: the rest. Nothing is drawn that would move when a part comes.
 */
import type { Entries } from '../src/core/model/state';
import { composerParts } from './composer/lateComposer';
import { mentionParts } from './composer/mentions/mentionParts';
import { Late } from './late';
import { optionParts } from './options/optionParts';
import { elicitationParts, toolParts } from './transcript/entryParts';

/** Messages, tool calls as lines, turns, plans: with them markdown. `esbuild.mjs` has the page's document ask for it. */
export const conversationParts = new Late(() => import('./transcript/conversationParts'));
export const queueParts = new Late(() => import('./queue/queueView'));
export const findParts = new Late(() => import('./find/findBar'));
export const signInParts = new Late(() => import('./signIn/card'));
/** Only while a conversation is empty. */
export const startParts = new Late(() => import('./start/startPage'));
/** Only in a page without a session. */
export const welcomeParts = new Late(() => import('./start/welcome'));
export const toastParts = new Late(() => import('./toasts/toastsView'));

/** Only while the extension host does not answer. */
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

/** Loads what is not needed yet, one after the other, each when the page has nothing else to do. */
export function loadWhenIdle(whenIdle: (callback: () => void) => void): void {
  const next = (index: number): void => {
    const part = rare[index];
    if (part) {
      whenIdle(() => void part.load().then(() => next(index + 1)));
    }
  };
  next(0);
}

/** Resolves when everything is there that is loaded without being asked for. */
export async function whole(): Promise<void> {
  await Promise.all([conversationParts, ...rare].map((part) => part.load()));
}

/** What must be there for a conversation to be drawn whole. */
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
