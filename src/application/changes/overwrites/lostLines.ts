/** Determines whether the present text of a file still has the lines that were saved before an agent wrote it. Pure. */
import type { TextStep } from '../../../changes/hunks/replayTurn';
import { merge } from '../../../fs/merge';
import type { TextEdit } from '../../../fs/buffers';
import { eolOf, withLineFeeds } from '../../../util/text';

/** A change that the user, another session or another program saved. */
export interface SavedChange {
  /** The text before the change. The agent knew no later one. */
  readonly base: string;
  readonly saved: string;
}

/**
 * `kept`: the present text has all of the change. `lost`: the edits put its lines back and leave all others. `unclear`: the agent changed the same
 * lines, so the text does not show what is missing.
 */
export type Comparison = { readonly type: 'kept' | 'unclear' } | { readonly type: 'lost'; readonly edits: readonly TextEdit[] };

/** UTF-16 units of a text that is compared. */
export const MAX_COMPARED = 2 * 1024 * 1024;
/** The newest steps of a turn, and the newest changes of the user in them, that are compared. */
const MAX_STEPS = 50;
const MAX_CHANGES = 5;

export function compareSaved({ base, saved }: SavedChange, present: string): Comparison {
  if (isSameText(base, saved) || isSameText(saved, present)) {
    return { type: 'kept' };
  }
  if (Math.max(base.length, saved.length, present.length) > MAX_COMPARED) {
    return { type: 'unclear' };
  }
  const merged = merge(base, present, saved, eolOf(present) ?? eolOf(saved) ?? '\n');
  if ('conflicts' in merged) {
    return { type: 'unclear' };
  }
  return merged.edits.length === 0 ? { type: 'kept' } : { type: 'lost', edits: merged.edits };
}

/**
 * Returns the user's changes in a turn that a step of the agent has removed, and that the present text lacks. A change that the user removed is not
 * among them.
 * @param steps the texts of the file in the turn, oldest first
 * @param isSaved true for a text that the user saved
 */
export function changesLostIn(steps: readonly TextStep[], present: string, isSaved: (text: string) => boolean): readonly SavedChange[] {
  const changes: SavedChange[] = [];
  const lost = new Set<SavedChange>();
  /** The text before the user's steps that come one after the other. */
  let base: string | undefined;
  const newest = steps.slice(-MAX_STEPS);
  for (const [index, { author, text }] of newest.entries()) {
    const before = newest[index - 1]?.text;
    if (author !== 'user') {
      base = undefined;
      changes
        .slice(-MAX_CHANGES)
        .filter((change) => compareSaved(change, before!).type === 'kept' && compareSaved(change, text).type === 'lost')
        .forEach((change) => lost.add(change));
      continue;
    }
    const isContinued = base !== undefined;
    base ??= before;
    if (base !== undefined && isSaved(text)) {
      void (isContinued && changes.at(-1)?.base === base && changes.pop());
      changes.push({ base, saved: text });
    }
  }
  return [...lost].filter((change) => compareSaved(change, present).type === 'lost');
}

export function isSameText(one: string, other: string): boolean {
  return one === other || withLineFeeds(one) === withLineFeeds(other);
}
