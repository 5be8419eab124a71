/** The lines of a document that show its pending changes. Lines count from 0. Pure. */
import type { LiveHunks } from '../hunks/liveHunks';
import type { LineSpan } from './hunksAtLines';

export interface ChangedLines {
  /** Added and replaced lines, in order, without overlaps. */
  readonly written: readonly LineSpan[];
  /** The lines before which lines were removed, in order. At the end of the document, the number of its lines. */
  readonly removedBefore: readonly number[];
}

/** @param all the hunks of each session that changed the document */
export function changedLines(all: readonly LiveHunks[]): ChangedLines {
  const spans = all.flatMap((live) => live.hunks.map((hunk) => live.linesOf(hunk))).sort((one, other) => one.first - other.first);
  const written: LineSpan[] = [];
  for (const { first, end } of spans.filter((span) => span.first < span.end)) {
    const before = written.at(-1);
    if (before && first <= before.end) {
      written[written.length - 1] = { first: before.first, end: Math.max(before.end, end) };
    } else {
      written.push({ first, end });
    }
  }
  const removedBefore = new Set(spans.filter((span) => span.first === span.end).map(({ first }) => first));
  return { written, removedBefore: [...removedBefore] };
}
