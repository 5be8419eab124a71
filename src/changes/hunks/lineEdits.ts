/** What became of a text as edits of lines, by the line diff that everything else uses. */
import type { TextEdit } from '../../core/fileChanges/hunks';
import { diffLines, LINE_EDITS, type LineChange } from '../../text/diff/lines';

/** Lines with their ends, so that a line whose end alone changed has changed. Together they are the text. */
export function linesWithEnds(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', start)) {
    lines.push(text.slice(start, feed + 1));
    start = feed + 1;
  }
  if (start < text.length) {
    lines.push(text.slice(start));
  }
  return lines;
}

/** A difference between two texts: what stands at `[start, end)` of the new one was `oldText`. */
export interface TextChange {
  readonly oldStart: number;
  readonly oldText: string;
  readonly start: number;
  readonly end: number;
}

/** In order; whole lines. */
export function textChanges(before: string, after: string): TextChange[] {
  return changesOf(linesWithEnds(before), linesWithEnds(after), (change) => [change]);
}

/**
 * Edits that make `after` of `before`, the last place first, so that each of them refers to `before` as well. Where as many lines came as went,
 * each became the one in its place: what a formatter does to a line stays with that line.
 * @param offset where `before` begins in the text that is edited
 */
export function lineEdits(before: string, after: string, offset = 0): TextEdit[] {
  return changesOf(linesWithEnds(before), linesWithEnds(after), eachLine)
    .map(({ oldStart, oldText, start, end }) => ({
      start: offset + oldStart,
      end: offset + oldStart + oldText.length,
      text: after.slice(start, end),
      oldText,
    }))
    .filter(({ text, oldText }) => text !== oldText)
    .map(({ start, end, text }) => ({ start, end, text }))
    .reverse();
}

/** Where a place of `before` is in `after`, whose lines are the same with other ends. Hunks may begin and end within a line, where only its end has changed. */
export function placesIn(before: string, after: string): (offset: number) => number {
  const [lines, others] = [linesWithEnds(before), linesWithEnds(after)];
  const known = new Map<number, number>();
  const placeOf = (offset: number): number => {
    let line = 0;
    let [from, to] = [0, 0];
    while (line < lines.length && from + lines[line]!.length <= offset) {
      from += lines[line]!.length;
      to += others[line]!.length;
      line++;
    }
    return Math.min(to + (offset - from), after.length);
  };
  return (offset) => known.get(offset) ?? (known.set(offset, placeOf(offset)), known.get(offset)!);
}

function eachLine({ oldStart, oldEnd, newStart, newEnd }: LineChange): LineChange[] {
  const count = oldEnd - oldStart;
  return count === newEnd - newStart
    ? Array.from({ length: count }, (_, index) => ({
        oldStart: oldStart + index,
        oldEnd: oldStart + index + 1,
        newStart: newStart + index,
        newEnd: newStart + index + 1,
      }))
    : [{ oldStart, oldEnd, newStart, newEnd }];
}

function changesOf(
  before: readonly string[],
  after: readonly string[],
  split: (change: LineChange) => readonly LineChange[],
): TextChange[] {
  const [oldStarts, newStarts] = [startsOf(before), startsOf(after)];
  return diffLines(before, after, LINE_EDITS.merged)
    .flatMap(split)
    .map(({ oldStart, oldEnd, newStart, newEnd }) => ({
      oldStart: oldStarts[oldStart]!,
      oldText: before.slice(oldStart, oldEnd).join(''),
      start: newStarts[newStart]!,
      end: newStarts[newEnd]!,
    }));
}

/** Where each line begins, and the end. */
function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) {
    starts.push(starts.at(-1)! + line.length);
  }
  return starts;
}
