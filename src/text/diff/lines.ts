/**
 * What changed between two lists of lines: the one line diff, for what is shown and for what is merged. It brings in the diffing library: code that
 * runs at the start reaches it with `await import()`. Pure.
 */
import { matchesOf } from './sequences';

/** `[oldStart, oldEnd)` of the old lines became `[newStart, newEnd)` of the new ones. Line indexes from 0; never both empty. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Edits up to which a difference is searched for; beyond them, what lies between the common beginning and the common end is one change: correct, only
 * coarser. The search costs the square of it; lines that one side alone has do not count.
 */
export const LINE_EDITS = {
  /** While somebody waits for a difference to look at. */
  shown: 600,
  /** Where a coarse change may be a conflict. */
  merged: 1200,
} as const;

/** In order; two changes never touch each other. */
export function diffLines(before: readonly string[], after: readonly string[], edits: number): LineChange[] {
  const matches = matchesOf(before, after, edits);
  const changes: LineChange[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (let index = 0; index <= before.length; index++) {
    const place = index === before.length ? after.length : matches[index]!;
    if (place < 0) {
      continue;
    }
    if (oldStart < index || newStart < place) {
      changes.push({ oldStart, oldEnd: index, newStart, newEnd: place });
    }
    oldStart = index + 1;
    newStart = place + 1;
  }
  return changes;
}

/** Lines without their ends, LF or CRLF. An end of line at the end of a text begins no further line. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}
