/** Finds the pending change at a line. Lines count from 0. Pure. */
import type { Hunk } from '../../core/fileChanges/hunks';
import type { LiveHunks } from '../hunks/liveHunks';

/** Lines `[first, end)`; where they are equal, the place before line `first`. */
export interface LineSpan {
  readonly first: number;
  readonly end: number;
}

/** The hunks that share a line with the span, or touch it where the hunk or the span has no line of its own. */
export function hunksAt(live: LiveHunks, span: LineSpan): readonly Hunk[] {
  return live.hunks.filter((hunk) => {
    const own = live.linesOf(hunk);
    const isPlace = own.first === own.end || span.first === span.end;
    return isPlace ? own.first <= span.end && span.first <= own.end : own.first < span.end && span.first < own.end;
  });
}

/** The hunk under the cursor. A deletion is at the line before which it was, and at the last line. */
export function hunkAtLine(live: LiveHunks, line: number): Hunk | undefined {
  return (
    live.hunks.find((hunk) => {
      const { first, end } = live.linesOf(hunk);
      return first <= line && line < end;
    }) ?? hunksAt(live, { first: line, end: line + 1 })[0]
  );
}

/** The first that begins below the line, or above it; undefined when there is none on that side. */
export function hunkBeside(live: LiveHunks, line: number, direction: 1 | -1): Hunk | undefined {
  return direction > 0
    ? live.hunks.find((hunk) => live.linesOf(hunk).first > line)
    : live.hunks.findLast((hunk) => live.linesOf(hunk).first < line);
}
