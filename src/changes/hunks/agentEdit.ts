/** What an agent's edit makes of the pending changes: only the lines around it are compared anew. */
import { applyEdit, baselineOf, type Hunk, mapHunks, type TextEdit } from '../../core/fileChanges/hunks';
import { textChanges } from './lineEdits';

/**
 * The baseline stays as it is. A hunk that the edit did not touch stays the same; one that it changed keeps its id and is to be reviewed again.
 * @param text before the edit
 * @param by the turn that made it
 * @param mint a new hunk's id
 */
export function editByAgent(text: string, hunks: readonly Hunk[], edit: TextEdit, by: string, mint: () => number): readonly Hunk[] {
  const { start, end } = regionOf(text, hunks, edit);
  const isInside = (hunk: Hunk): boolean => hunk.start >= start && hunk.end <= end;
  const oldText = baselineOf(text, hunks.filter(isInside), start, end);
  const shift = edit.text.length - (edit.end - edit.start);
  const present = applyEdit(text, edit);
  const editedEnd = edit.start + edit.text.length;
  const earlier = mapHunks(hunks.filter(isInside), edit, text);
  const known = [...earlier.hunks, ...earlier.lost.map((hunk) => ({ ...hunk, start: edit.start, end: editedEnd }))];
  const taken = new Set<number>();
  const changed = textChanges(oldText, present.slice(start, end + shift)).map((change): Hunk => {
    const range = { start: start + change.start, end: start + change.end };
    const same = known.find(
      (hunk) =>
        hunk.start === range.start &&
        hunk.end === range.end &&
        hunk.oldText === change.oldText &&
        !earlier.touched.includes(hunk.hunkId) &&
        !taken.has(hunk.hunkId),
    );
    if (same && earlier.hunks.includes(same)) {
      taken.add(same.hunkId);
      return same;
    }
    const parts = known.filter((hunk) => meets(hunk, range));
    const id = parts.find(({ hunkId }) => !taken.has(hunkId))?.hunkId ?? mint();
    taken.add(id);
    const isOfEdit = parts.length === 0 || meets({ start: edit.start, end: editedEnd }, range);
    const turns = [...parts.flatMap((hunk) => hunk.by), ...(isOfEdit ? [by] : [])];
    return {
      hunkId: id,
      ...range,
      oldText: change.oldText,
      reviewed: false,
      edited: parts.some((hunk) => hunk.edited),
      by: [...new Set(turns)],
    };
  });
  return [
    ...hunks.filter((hunk) => hunk.end < start || (hunk.end === start && !isInside(hunk))),
    ...changed,
    ...hunks
      .filter((hunk) => !isInside(hunk) && hunk.start >= end)
      .map((hunk) => ({ ...hunk, start: hunk.start + shift, end: hunk.end + shift })),
  ];
}

function meets(one: { readonly start: number; readonly end: number }, other: { readonly start: number; readonly end: number }): boolean {
  return one.start <= other.end && other.start <= one.end;
}

/** The whole lines of an edit, with all hunks that they touch. */
function regionOf(text: string, hunks: readonly Hunk[], edit: TextEdit): { readonly start: number; readonly end: number } {
  let start = lineStart(text, edit.start);
  let end = lineEnd(text, edit.end);
  for (let grown = true; grown; ) {
    grown = false;
    for (const hunk of hunks) {
      if (hunk.start <= end && hunk.end >= start && (hunk.start < start || hunk.end > end)) {
        start = Math.min(start, lineStart(text, hunk.start));
        end = Math.max(end, lineEnd(text, hunk.end));
        grown = true;
      }
    }
  }
  return { start, end };
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** At the beginning of a line that is where the one before it ends. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') {
    return at;
  }
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}
