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
 * the common beginning and the common end is one hunk: correct, only coarser. Lines that one side alone has do not count.
 */
const MOST_CHANGED_LINES = 1200;

/** What changed between two lists of lines, in order; hunks of one result never touch each other. */
export function diffLines(oldLines: readonly string[], newLines: readonly string[]): Hunk[] {
  let head = 0;
  const shorter = Math.min(oldLines.length, newLines.length);
  while (head < shorter && oldLines[head] === newLines[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shorter - head && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]) {
    tail++;
  }
  const oldEnd = oldLines.length - tail;
  const newEnd = newLines.length - tail;
  if (head === oldEnd && head === newEnd) {
    return [];
  }

  // A line the other side does not have cannot be common: without those the search is short even after a rewrite.
  const oldSet = new Set(oldLines.slice(head, oldEnd));
  const newSet = new Set(newLines.slice(head, newEnd));
  const oldKept = indexes(oldLines, head, oldEnd, newSet);
  const newKept = indexes(newLines, head, newEnd, oldSet);
  const changes = diffArrays(
    oldKept.map((index) => oldLines[index]!),
    newKept.map((index) => newLines[index]!),
    { maxEditLength: MOST_CHANGED_LINES },
  );

  const hunks: Hunk[] = [];
  let [oldAt, newAt] = [head, head];
  const common = (oldIndex: number, newIndex: number) => {
    if (oldIndex > oldAt || newIndex > newAt) {
      hunks.push({ oldStart: oldAt, oldEnd: oldIndex, newStart: newAt, newEnd: newIndex });
    }
    [oldAt, newAt] = [oldIndex + 1, newIndex + 1];
  };
  let [oldSeen, newSeen] = [0, 0];
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed) {
      for (let index = 0; index < count; index++) {
        common(oldKept[oldSeen + index]!, newKept[newSeen + index]!);
      }
    }
    if (!added) {
      oldSeen += count;
    }
    if (!removed) {
      newSeen += count;
    }
  }
  common(oldEnd, newEnd);
  return hunks;
}

function indexes(lines: readonly string[], start: number, end: number, wanted: ReadonlySet<string>): number[] {
  const found: number[] = [];
  for (let index = start; index < end; index++) {
    if (wanted.has(lines[index]!)) {
      found.push(index);
    }
  }
  return found;
}
