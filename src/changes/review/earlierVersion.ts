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
  if (isUnclearReturn({ after }, before)) {
    // The first version, or its size, identifies the user's content at the path that it was moved to.
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

/** True for a deleted file that exists again, of unknown origin. An undo must not replace it, so it counts as shared. */
export function isUnclearReturn({ after }: Pick<ReviewFile, 'after'>, before: FileState): boolean {
  return after.kind === 'none' && before.kind === 'unknown';
}

/**
 * True when another author may have written the file before the turn. Its hunks have then not followed the disk. The copy of its earlier state was late,
 * or there is no copy and the size is not the one that the last turn left.
 * @param known the waiting file, before the turn is added
 * @param before the state before the turn
 * @param present the text after the turn
 */
export function mayMissWrites(
  { hunks, after }: Pick<ReviewFile, 'hunks' | 'after'>,
  before: FileState,
  present: string | undefined,
): boolean {
  if (before.kind !== 'unknown' || hunks?.text === present) {
    return false;
  }
  const left = after.kind === 'file' || after.kind === 'unknown' ? after.size : undefined;
  return before.reason === 'late' || left === undefined || before.size !== left;
}
