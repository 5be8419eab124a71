// Loaded with `await import()` before the first write that needs it.
//
// The rule is simple on purpose: a line is the smallest unit of a merge. Changes of the user and of the agent are combined when they touch
// different lines, even adjacent ones. They conflict when both changed the same line differently, or both inserted at the same position. An
// applied edit is reduced to the characters that differ. Line endings never count as a change: each line keeps its own, and new lines get the
// file's.
import { diffLines, LINE_EDITS, type LineChange as Hunk } from '../text/diff/lines';
import { linesOf } from '../util/text';
import type { Eol, LineRange, Lines } from '../util/text';
import type { TextEdit } from './buffers';
import { minimizeEdits } from './minimizeEdits';

export { applyEdits } from './minimizeEdits';

/** `edits` turn `theirs` into the merged text; empty when it is merged already. `conflicts` are lines of `theirs`. */
export type Merge = { readonly edits: readonly TextEdit[] } | { readonly conflicts: readonly LineRange[] };

/** A replacement of the lines `[start, end)` of `theirs`. */
interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A group of overlapping hunks of both sides. */
interface Region {
  readonly theirs: Hunk[];
  readonly ours: Hunk[];
}

/** Merges three texts: applies the changes from `base` to `ours` to `theirs`. `eol` ends new lines in `theirs`. */
export function merge(base: string, theirs: string, ours: string, eol: Eol): Merge {
  const [baseLines, theirLines, ourLines] = [linesOf(base), linesOf(theirs), linesOf(ours)];
  const theirHunks = diffLines(baseLines.texts, theirLines.texts, LINE_EDITS.merged);
  const conflicts: LineRange[] = [];
  const edits: LineEdit[] = [];
  let shift = 0;
  for (const region of regionsOf(theirHunks, diffLines(baseLines.texts, ourLines.texts, LINE_EDITS.merged))) {
    const [ourFirst] = region.ours;
    if (ourFirst && region.theirs.length === 0) {
      edits.push({
        start: ourFirst.oldStart + shift,
        end: ourFirst.oldEnd + shift,
        lines: ourLines.texts.slice(ourFirst.newStart, ourFirst.newEnd),
      });
    } else if (ourFirst) {
      const settled = settle(region, theirLines, ourLines);
      if ('first' in settled) {
        conflicts.push(settled);
      } else if (settled.start < settled.end || settled.lines.length > 0) {
        edits.push(settled);
      }
    }
    for (const hunk of region.theirs) {
      shift += hunk.newEnd - hunk.newStart - (hunk.oldEnd - hunk.oldStart);
    }
  }
  return conflicts.length > 0 ? { conflicts } : { edits: minimizeEdits(joinTouching(edits), theirs, theirLines, eol) };
}

/** Returns the lines of `text` that are not in `base`. A deletion is represented by the line after it. */
export function changedLines(base: string, text: string): LineRange[] {
  const { texts } = linesOf(text);
  return diffLines(linesOf(base).texts, texts, LINE_EDITS.merged).map(({ newStart, newEnd }) => rangeOf(newStart, newEnd, texts.length));
}

/** Sorts both sides' hunks, and groups those that overlap into one region. */
function regionsOf(theirs: readonly Hunk[], ours: readonly Hunk[]): Region[] {
  const regions: Region[] = [];
  let last: { region: Region; start: number; end: number } | undefined;
  const waiting = [...theirs.map((hunk) => ({ hunk, side: 'theirs' as const })), ...ours.map((hunk) => ({ hunk, side: 'ours' as const }))];
  // An insertion sorts before a change at the same position, because it goes before that line.
  waiting.sort((a, b) => a.hunk.oldStart - b.hunk.oldStart || a.hunk.oldEnd - b.hunk.oldEnd);
  for (const { hunk, side } of waiting) {
    if (last && overlaps(last, hunk)) {
      last.region[side].push(hunk);
      last.end = Math.max(last.end, hunk.oldEnd);
    } else {
      const region: Region = { theirs: [], ours: [] };
      region[side].push(hunk);
      regions.push(region);
      last = { region, start: hunk.oldStart, end: hunk.oldEnd };
    }
  }
  return regions;
}

function overlaps(a: { start: number; end: number }, b: Hunk): boolean {
  const bothInsertHere = a.start === a.end && b.oldStart === b.oldEnd && a.start === b.oldStart;
  return bothInsertHere || b.oldStart < a.end;
}

/** Resolves a region that both sides changed: an empty edit if they agree, or else the conflicting lines. */
function settle({ theirs, ours }: Region, theirLines: Lines, ourLines: Lines): LineEdit | LineRange {
  const start = Math.min(theirs[0]!.oldStart, ours[0]!.oldStart);
  const end = Math.max(theirs.at(-1)!.oldEnd, ours.at(-1)!.oldEnd);
  const extent = (hunks: readonly Hunk[]) => ({
    from: hunks[0]!.newStart - (hunks[0]!.oldStart - start),
    to: hunks.at(-1)!.newEnd + (end - hunks.at(-1)!.oldEnd),
  });
  const [there, here] = [extent(theirs), extent(ours)];
  const present = theirLines.texts.slice(there.from, there.to);
  const wanted = ourLines.texts.slice(here.from, here.to);
  let head = 0;
  while (head < present.length && head < wanted.length && present[head] === wanted[head]) {
    head++;
  }
  let tail = 0;
  const rest = Math.min(present.length, wanted.length) - head;
  while (tail < rest && present[present.length - 1 - tail] === wanted[wanted.length - 1 - tail]) {
    tail++;
  }
  const [missing, extra] = [present.length - head - tail, wanted.length - head - tail];
  if (missing === 0 && extra === 0) {
    return { start: there.from, end: there.from, lines: [] };
  }
  // Both sides inserted here, and one contains the other: the agent knew the user's lines, or the user copied the agent's.
  if (start === end && missing === 0) {
    return { start: there.from + head, end: there.from + head, lines: wanted.slice(head, head + extra) };
  }
  if (start === end && extra === 0) {
    return { start: there.from, end: there.from, lines: [] };
  }
  return rangeOf(there.from + head, there.to - tail, theirLines.texts.length);
}

/** A position between two lines is represented by the line after it, or by the last line at the end. */
function rangeOf(start: number, end: number, count: number): LineRange {
  const first = Math.min(start + 1, count);
  return { first, last: Math.max(first, end) };
}

/** Two of our hunks become adjacent when the user deleted the lines between them. */
function joinTouching(edits: readonly LineEdit[]): LineEdit[] {
  const joined: LineEdit[] = [];
  for (const edit of edits) {
    const before = joined.at(-1);
    if (before && before.end === edit.start) {
      joined[joined.length - 1] = { start: before.start, end: edit.end, lines: [...before.lines, ...edit.lines] };
    } else {
      joined.push(edit);
    }
  }
  return joined;
}
