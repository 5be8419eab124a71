/**
 * Hunks that another program's edits covered together with text around them. When exactly that text is back in its place, such as after the undo of the
 * other session's change, the hunks fit again.
 */
import type { EditBatch } from '../../core/fileChanges/editBatch';
import { type Hunk, movedRange } from '../../core/fileChanges/hunks';

/** One edit that covered hunks. `[start, end)` is the place of its text. */
export interface CoveredHunks {
  readonly start: number;
  readonly end: number;
  /** The text that the edit replaced. */
  readonly text: string;
  /** The hunks in that text, relative to its beginning. */
  readonly hunks: readonly Hunk[];
}

/** The most UTF-16 units of replaced texts that are remembered for a file, and the most edits. */
const MAX_UNITS = 512 * 1024;
const MAX_EDITS = 100;

/** Adds the edits of a batch that covered hunks. @param text before the edits */
export function withCovered(
  known: readonly CoveredHunks[],
  lost: readonly { readonly hunk: Hunk; readonly edit: number }[],
  batch: EditBatch,
  text: string,
): readonly CoveredHunks[] {
  const added = [...new Set(lost.map(({ edit }) => edit))].map((index): CoveredHunks => {
    const { start, end, text: written } = batch.edits[index]!;
    const place = start + batch.shiftBefore(index);
    const gone = lost.filter(({ edit }) => edit === index);
    const hunks = gone.map(({ hunk }) => ({ ...hunk, start: hunk.start - start, end: hunk.end - start }));
    return { start: place, end: place + written.length, text: text.slice(start, end), hunks };
  });
  let units = 0;
  const all = [...known, ...added].slice(-MAX_EDITS).reverse();
  return all.filter((covered) => (units += covered.text.length) <= MAX_UNITS).reverse();
}

/** Returns the places after the edits of a batch, without those that an edit has cut. */
export function movedCovered(known: readonly CoveredHunks[], batch: EditBatch, isByAgent: boolean): readonly CoveredHunks[] {
  return known.flatMap((covered) => {
    const { start, end, placed } = movedRange({ ...covered, placed: true }, batch, isByAgent);
    return placed ? { ...covered, start, end } : [];
  });
}

/** Separates the hunks whose text is back, with their offsets in `text`. */
export function returnedHunks(
  known: readonly CoveredHunks[],
  text: string,
): { readonly back: readonly Hunk[]; readonly covered: readonly CoveredHunks[] } {
  const isBack = (covered: CoveredHunks): boolean => text.slice(covered.start, covered.end) === covered.text;
  const back = known
    .filter(isBack)
    .flatMap(({ start, hunks }) => hunks.map((hunk) => ({ ...hunk, start: start + hunk.start, end: start + hunk.end })));
  return back.length === 0 ? { back, covered: known } : { back, covered: known.filter((covered) => !isBack(covered)) };
}
