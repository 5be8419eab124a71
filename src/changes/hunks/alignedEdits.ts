/**
 * Edits of an editor that have the same result as the undo of a hunk, but another place. An editor may delete the line break before a line in place
 * of the one after it. Such an edit cuts the hunk, so the hunk would lose its text but remain. Pure.
 */
import { EditBatch } from '../../core/fileChanges/editBatch';
import { firstEndingAt, type Hunk, type SetAsideHunk, type TextEdit } from '../../core/fileChanges/hunks';
import { isInPlace } from './setAside';

/** The most UTF-16 units between the two places. */
const MAX_DISTANCE = 1000;
/** A batch of more edits is not the revert of one block. */
const MAX_EDITS = 50;

/** Moves each edit to the hunk that it undoes or brings back. The result of the batch stays the same. @param text before the edits */
export function alignedEdits(batch: EditBatch, hunks: readonly Hunk[], setAside: readonly SetAsideHunk[], text: string): EditBatch {
  const { edits } = batch;
  if (edits.length > MAX_EDITS) {
    return batch;
  }
  let isMoved = false;
  const aligned = edits.map((edit, index) => {
    const from = edits[index - 1]?.end ?? 0;
    const to = edits[index + 1]?.start ?? text.length;
    const same = reversalsNear(edit, hunks, setAside, text).find(
      (each) => each.start >= from && each.end <= to && isSame(edit, each, text),
    );
    isMoved ||= same !== undefined;
    return same ?? edit;
  });
  return isMoved ? new EditBatch(aligned) : batch;
}

/** Returns the edits near `edit` that undo a hunk, or that bring an undone one back. */
function reversalsNear(edit: TextEdit, hunks: readonly Hunk[], setAside: readonly SetAsideHunk[], text: string): readonly TextEdit[] {
  const reversals: TextEdit[] = [];
  const isNear = ({ start, end }: Hunk): boolean =>
    Math.abs(start - edit.start) <= MAX_DISTANCE && Math.abs(end - edit.end) <= MAX_DISTANCE && (start !== edit.start || end !== edit.end);
  for (
    let index = firstEndingAt(hunks, edit.start - MAX_DISTANCE);
    index < hunks.length && hunks[index]!.start <= edit.end + MAX_DISTANCE;
    index++
  ) {
    const hunk = hunks[index]!;
    if (isNear(hunk)) {
      reversals.push({ start: hunk.start, end: hunk.end, text: hunk.oldText });
    }
  }
  for (const hunk of setAside) {
    if (hunk.status === 'undone' && isNear(hunk) && isInPlace(hunk, text)) {
      reversals.push({ start: hunk.start, end: hunk.end, text: hunk.newText });
    }
  }
  return reversals;
}

/** True when both edits have the same result. */
function isSame(one: TextEdit, other: TextEdit, text: string): boolean {
  if (one.text.length - (one.end - one.start) !== other.text.length - (other.end - other.start)) {
    return false;
  }
  const start = Math.min(one.start, other.start);
  const end = Math.max(one.end, other.end);
  const after = (edit: TextEdit): string => text.slice(start, edit.start) + edit.text + text.slice(edit.end, end);
  return after(one) === after(other);
}
