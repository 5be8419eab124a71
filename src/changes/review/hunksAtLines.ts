/** Finds the pending change at a line. Lines count from 0. Pure. */
import type { Hunk } from '../../core/fileChanges/hunks';
import type { LiveHunks } from '../hunks/liveHunks';

/** Lines `[first, end)`; where they are equal, the place before line `first`. */
export interface LineSpan {
  readonly first: number;
  readonly end: number;
}

/** Returns the hunks that share a line with the span. An empty hunk or span only has to touch. */
export function hunksAt(live: LiveHunks, span: LineSpan): readonly Hunk[] {
  return live.hunks.filter((hunk) => {
    const own = live.linesOf(hunk);
    const isPlace = own.first === own.end || span.first === span.end;
    return isPlace ? own.first <= span.end && span.first <= own.end : own.first < span.end && span.first < own.end;
  });
}

/** Returns the hunk under the cursor. A deletion is at the line that follows it, or at the last line. */
export function hunkAtLine(live: LiveHunks, line: number): Hunk | undefined {
  return (
    live.hunks.find((hunk) => {
      const { first, end } = live.linesOf(hunk);
      return first <= line && line < end;
    }) ?? hunksAt(live, { first: line, end: line + 1 })[0]
  );
}

/** Returns the hunk at a line of the baseline. An insertion is at the line that follows it, or at the last line. */
export function hunkAtBaselineLine(live: LiveHunks, line: number): Hunk | undefined {
  const spans = baselineSpans(live);
  const at =
    spans.find(({ first, end }) => first <= line && line < end) ??
    spans.find(({ first, end }) => first === end && (first === line || first === line + 1));
  return at?.hunk;
}

/** Returns the line of the present text for a line of the baseline; within a hunk, the hunk's first line. */
export function presentLineOf(live: LiveHunks, line: number): number {
  const before = baselineSpans(live).findLast(({ first }) => first <= line);
  if (!before) {
    return line;
  }
  const { first, end } = live.linesOf(before.hunk);
  return line < before.end ? first : end + line - before.end;
}

/** Returns the lines of each hunk in the baseline. */
function baselineSpans(live: LiveHunks): readonly (LineSpan & { readonly hunk: Hunk })[] {
  let shift = 0;
  return live.hunks.map((hunk) => {
    const own = live.linesOf(hunk);
    const first = own.first + shift;
    const end = first + (hunk.oldText === '' ? 0 : feedsIn(hunk.oldText) + (hunk.oldText.endsWith('\n') ? 0 : 1));
    shift = end - own.end;
    return { first, end, hunk };
  });
}

function feedsIn(text: string): number {
  return text.split('\n').length - 1;
}

/** Returns the first hunk that begins below the line, or above it; undefined when there is none on that side. */
export function hunkBeside(live: LiveHunks, line: number, direction: 1 | -1): Hunk | undefined {
  return direction > 0
    ? live.hunks.find((hunk) => live.linesOf(hunk).first > line)
    : live.hunks.findLast((hunk) => live.linesOf(hunk).first < line);
}
