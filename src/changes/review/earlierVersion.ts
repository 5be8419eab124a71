/** Determines the version of a file that an undo of all its changes restores, when several turns changed it. Pure, except for reading the texts. */
import { applyEdit } from '../../core/fileChanges/hunks';
import { type FileState, sameState } from '../../core/fileChanges/records';
import type { ReviewFile } from './reviewFile';

/**
 * Returns the version before the first turn, if only turns wrote the file. Otherwise returns the version before the newest turn, because it has the
 * user's text in between.
 * @param known the waiting file, before the newest turn is added
 * @param before the state before the newest turn
 * @param textOf reads the text of a state; undefined where it has none
 */
export async function earlierVersion(
  { before: first, after, hunks }: ReviewFile,
  before: FileState,
  textOf: (state: FileState) => Promise<string | undefined>,
): Promise<FileState> {
  if (first.kind === 'unknown' && before.kind === 'unknown' && after.kind === 'none') {
    // Neither can be restored. The size of the first identifies the user's content at the path that it was moved to.
    return first;
  }
  const isAsLeft = sameState(after, before);
  if (!hunks) {
    return isAsLeft ? first : before;
  }
  if (!isAsLeft && (await textOf(before)) !== hunks.text) {
    return before;
  }
  const baseline = hunks.undoEdits(hunks.hunks.map(({ hunkId }) => hunkId)).reduce(applyEdit, hunks.text);
  return (await textOf(first)) === baseline ? first : before;
}

/**
 * True when another author may have written the file before the turn: its hunks have not followed the disk, and the copy of its earlier state was
 * late.
 * @param present the text after the turn
 */
export function mayMissWrites({ text }: { readonly text: string }, before: FileState, present: string | undefined): boolean {
  return before.kind === 'unknown' && before.reason === 'late' && text !== present;
}
