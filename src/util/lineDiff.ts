// Brings in the diffing library: import this file with `await import()` from code that runs at the start.
import { diffArrays } from 'diff';

/** `[oldStart, oldEnd)` of the old lines became `[newStart, newEnd)` of the new ones. Line indexes from 0; never both empty. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * The search takes time and memory with the square of the number of changed lines. Beyond this many, whatever lies between
 * the common beginning and the common end is one hunk: correct, only coarser.
 */
const MOST_CHANGED_LINES = 3000;

/** What changed between two lists of lines, in order; hunks of one result never touch each other. */
export function diffLines(oldLines: readonly string[], newLines: readonly string[]): Hunk[] {
  let head = 0;
  const shorter = Math.min(oldLines.length, newLines.length);
  while (head < shorter && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]) tail++;
  const oldMiddle = oldLines.slice(head, oldLines.length - tail);
  const newMiddle = newLines.slice(head, newLines.length - tail);
  if (oldMiddle.length === 0 && newMiddle.length === 0) return [];

  const whole: Hunk = { oldStart: head, oldEnd: head + oldMiddle.length, newStart: head, newEnd: head + newMiddle.length };
  if (oldMiddle.length === 0 || newMiddle.length === 0) return [whole];
  const changes = diffArrays(oldMiddle, newMiddle, { maxEditLength: MOST_CHANGED_LINES });
  if (!changes) return [whole];

  const hunks: Hunk[] = [];
  let oldAt = head;
  let newAt = head;
  let open: { oldStart: number; newStart: number } | undefined;
  const close = () => {
    if (open) hunks.push({ ...open, oldEnd: oldAt, newEnd: newAt });
    open = undefined;
  };
  for (const { added, removed, count } of changes) {
    if (added || removed) open ??= { oldStart: oldAt, newStart: newAt };
    else close();
    if (!added) oldAt += count;
    if (!removed) newAt += count;
  }
  close();
  return hunks;
}
