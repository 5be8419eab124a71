/** The only line diff, for differences that are shown, merged or reviewed. Its time is bounded for all texts. Pure. */
import { type LineEnds, type NumberedLines, numberLines } from '../../core/fileChanges/textLines';
import { matchesOf, matchNumbers } from './sequences';

/** `[oldStart, oldEnd)` of the old lines became `[newStart, newEnd)` of the new ones. Line indexes from 0; never both empty. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * The most edits of a difference that is searched for. Beyond them, everything between the common beginning and the common end is one change:
 * correct, but coarse. The search costs the square of this number. Lines that occur on one side alone do not count.
 */
export const LINE_EDITS = {
  /** The limit for a difference that the user waits for. */
  shown: 600,
  /** The limit for merges and reviews, where a coarse change may be a conflict. */
  merged: 1200,
} as const;

/** Returns the changes in order. Two changes never touch each other. */
export function diffLines(before: readonly string[], after: readonly string[], edits: number): LineChange[] {
  return changesOf(matchesOf(before, after, edits), after.length, 0);
}

/** The changed lines of a text, and the numbered lines that contain them. */
export interface TextDiff {
  /** The changes in order; no two of them touch. Line indexes count from the beginning of the texts. */
  readonly changes: readonly LineChange[];
  readonly lines: NumberedLines;
}

/** The most lines of both texts, between their common beginning and their common end, that {@link diffTexts} compares: about 20 ms. */
export const MAX_COMPARED_LINES = 40_000;

/** Compares whole texts. Undefined when more than `maxLines` would have to be compared. */
export function diffTexts(before: string, after: string, ends: LineEnds, maxLines = MAX_COMPARED_LINES): TextDiff | undefined {
  const lines = numberLines(before, after, ends, maxLines);
  return lines && { changes: changesOf(matchNumbers(lines.before, lines.after, LINE_EDITS.merged), lines.after.length, lines.head), lines };
}

/** @param shift added to each line index */
function changesOf(matches: Int32Array, afterCount: number, shift: number): LineChange[] {
  const changes: LineChange[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (let index = 0; index <= matches.length; index++) {
    const place = index === matches.length ? afterCount : matches[index]!;
    if (place < 0) {
      continue;
    }
    if (oldStart < index || newStart < place) {
      changes.push({ oldStart: oldStart + shift, oldEnd: index + shift, newStart: newStart + shift, newEnd: place + shift });
    }
    oldStart = index + 1;
    newStart = place + 1;
  }
  return changes;
}

/** Returns the lines without their ends, LF or CRLF. A line end at the end of a text begins no further line. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}
