/** Hunks of a text of which the line ends alone were changed. */
import type { Hunk, SetAsideHunk } from '../../core/fileChanges/hunks';
import { offsetsIn } from './lineEdits';

/** Returns the pending and the set-aside hunks for `text`, which differs from `before` in its line ends alone. */
export function withLineEnds(
  pending: readonly Hunk[],
  setAside: readonly SetAsideHunk[],
  before: string,
  text: string,
): readonly [readonly Hunk[], readonly SetAsideHunk[]] {
  const moved = offsetsIn(before, text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const ended = (part: string): string => withoutReturns(part).replaceAll('\n', eol);
  const hunks = pending
    .map((hunk) => ({ ...hunk, start: moved(hunk.start), end: moved(hunk.end), oldText: ended(hunk.oldText) }))
    // A line whose end alone was changed has no change left.
    .filter(({ start, end, oldText }) => text.slice(start, end) !== oldText);
  const setAsideHunks = setAside.map((hunk) => ({
    ...hunk,
    start: moved(hunk.start),
    end: moved(hunk.end),
    oldText: ended(hunk.oldText),
    newText: ended(hunk.newText),
  }));
  return [hunks, setAsideHunks];
}

export function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}
