/** The difference of two texts as edits of whole lines, by the extension's common line diff. */
import type { TextEdit } from '../../core/fileChanges/hunks';
import { diffTexts } from '../../text/diff/lines';

/** A difference between two texts: `[start, end)` of the new one replaced `oldText`. */
export interface TextChange {
  readonly oldStart: number;
  readonly oldText: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the changes in order, as whole lines with their ends. Beyond the limits of {@link diffTexts}, the whole text is one change. */
export function textChanges(before: string, after: string): TextChange[] {
  if (before === after) {
    return [];
  }
  const diff = isOneLine(before) && isOneLine(after) ? undefined : diffTexts(before, after, 'exact');
  if (!diff) {
    return [{ oldStart: 0, oldText: before, start: 0, end: after.length }];
  }
  const { head, beforeStarts, afterStarts } = diff.lines;
  return diff.changes.map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const start = beforeStarts[oldStart - head]!;
    const oldText = before.slice(start, beforeStarts[oldEnd - head]);
    return { oldStart: start, oldText, start: afterStarts[newStart - head]!, end: afterStarts[newEnd - head]! };
  });
}

/**
 * Returns edits that turn `before` into `after`, in ascending order; each refers to `before`. Where a block has as many lines as it replaces, each
 * line replaces the line at its position.
 * @param unit lines: one edit per line, so that a formatter's change of a line stays with that line; runs: one edit per run of changed lines
 * @returns undefined when the texts differ in too many lines
 */
export function lineEdits(before: string, after: string, unit: 'lines' | 'runs', offset = 0): TextEdit[] | undefined {
  const diff = diffTexts(before, after, 'exact');
  if (!diff) {
    return undefined;
  }
  const { head, before: old, after: now, beforeStarts, afterStarts } = diff.lines;
  const edits: TextEdit[] = [];
  const push = (first: number, end: number, otherFirst: number, otherEnd: number): void => {
    const text = after.slice(afterStarts[otherFirst], afterStarts[otherEnd]);
    edits.push({ start: offset + beforeStarts[first]!, end: offset + beforeStarts[end]!, text });
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of diff.changes) {
    const [first, end, shift] = [oldStart - head, oldEnd - head, newStart - oldStart];
    if (oldEnd - oldStart !== newEnd - newStart) {
      push(first, end, newStart - head, newEnd - head);
      continue;
    }
    for (let line = first; line < end; ) {
      let next = line + 1;
      if (old[line] !== now[line + shift]) {
        while (unit === 'runs' && next < end && old[next] !== now[next + shift]) {
          next++;
        }
        push(line, next, line + shift, next + shift);
      }
      line = next;
    }
  }
  return edits;
}

/**
 * Maps an offset of `before` to `after`, whose lines are the same with other ends. Hunks may begin and end within a line, where only its end has
 * changed.
 */
export function offsetsIn(before: string, after: string): (offset: number) => number {
  const [starts, others] = [startsOf(before), startsOf(after)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.min(others[low]! + (offset - starts[low]!), after.length);
  };
}

/** True for a text of one line, and for the empty text. */
function isOneLine(text: string): boolean {
  const feed = text.indexOf('\n');
  return feed < 0 || feed === text.length - 1;
}

/** Returns the offsets at which the lines begin. */
function startsOf(text: string): number[] {
  const starts = [0];
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) {
    starts.push(feed + 1);
  }
  return starts;
}
