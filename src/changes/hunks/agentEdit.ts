/** Computes the pending changes after an agent's edits. Only the lines around the edits are compared again, each region once. */
import { EditBatch } from '../../core/fileChanges/editBatch';
import { baselineOf, type Hunk, mapHunks } from '../../core/fileChanges/hunks';
import { textChanges } from './lineEdits';

export interface AgentEdit {
  readonly text: string;
  /** The hunks of `text`, in order. */
  readonly hunks: readonly Hunk[];
  readonly batch: EditBatch;
  /** The text after the edits. */
  readonly present: string;
  /** True when the edits are blocks of a line diff, so that a block without hunks need not be compared again. */
  readonly areBlocks: boolean;
  /** The turn that made the edits. */
  readonly by: string;
  /** Returns a new hunk's id. */
  mint(): number;
}

/** Whole lines with all hunks and edits that touch them; `hunks` and `edits` are index ranges. */
interface Region {
  start: number;
  end: number;
  firstHunk: number;
  endHunk: number;
  firstEdit: number;
  endEdit: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Hunks whose id and turns a changed range of a region takes over. */
interface KnownRange extends Range {
  readonly hunks: readonly Hunk[];
  readonly by: readonly string[];
  readonly isEdited: boolean;
  /** True when no edit touched the hunk, so that it may stay the same. */
  readonly isUntouched: boolean;
  /** Hunks whose ids are used already. */
  used: number;
}

/**
 * Returns the hunks after the edits. The baseline does not change. A hunk that no edit touches stays the same; one that an edit changed keeps its id
 * and must be reviewed again.
 */
export function editByAgent(edit: AgentEdit): readonly Hunk[] {
  const { text, hunks, batch } = edit;
  const result: Hunk[] = [];
  let next = 0;
  const pushMoved = (to: number, shift: number): void => {
    for (; next < to; next++) {
      const hunk = hunks[next]!;
      result.push(shift === 0 ? hunk : { ...hunk, start: hunk.start + shift, end: hunk.end + shift });
    }
  };
  for (const region of regionsOf(text, hunks, batch)) {
    pushMoved(region.firstHunk, batch.shiftBefore(region.firstEdit));
    pushChanged(result, edit, region);
    next = region.endHunk;
  }
  pushMoved(hunks.length, batch.shiftBefore(batch.edits.length));
  return result;
}

function pushChanged(result: Hunk[], edit: AgentEdit, region: Region): void {
  const { text, present, batch, by } = edit;
  const shift = batch.shiftBefore(region.firstEdit);
  if (edit.areBlocks && region.firstHunk === region.endHunk && region.endEdit === region.firstEdit + 1) {
    // A block is whole lines, and the region may include a line beside it.
    const block = batch.edits[region.firstEdit]!;
    const [from, oldText] = [block.start + shift, text.slice(block.start, block.end)];
    result.push({ hunkId: edit.mint(), start: from, end: from + block.text.length, oldText, reviewed: false, edited: false, by: [by] });
    return;
  }
  const [start, end] = [region.start + shift, region.end + batch.shiftBefore(region.endEdit)];
  const inside = edit.hunks.slice(region.firstHunk, region.endHunk);
  const edits = new EditBatch(batch.edits.slice(region.firstEdit, region.endEdit));
  const written = edits.edits.map((each, index): Range => {
    const at = each.start + shift + edits.shiftBefore(index);
    return { start: at, end: at + each.text.length };
  });
  const known = knownRanges(inside, edits, written, text, shift);
  let [firstKnown, firstWritten] = [0, 0];
  for (const change of textChanges(baselineOf(text, inside, region.start, region.end), present.slice(start, end))) {
    const range = { start: start + change.start, end: start + change.end };
    while (firstKnown < known.length && known[firstKnown]!.end < range.start) {
      firstKnown++;
    }
    while (firstWritten < written.length && written[firstWritten]!.end < range.start) {
      firstWritten++;
    }
    let endKnown = firstKnown;
    while (endKnown < known.length && known[endKnown]!.start <= range.end) {
      endKnown++;
    }
    const isOfEdit = endKnown === firstKnown || (firstWritten < written.length && written[firstWritten]!.start <= range.end);
    result.push(changedHunk(edit, range, change.oldText, known.slice(firstKnown, endKnown), isOfEdit));
  }
}

/** @param parts the known ranges that the changed range meets */
function changedHunk(edit: AgentEdit, range: Range, oldText: string, parts: readonly KnownRange[], isOfEdit: boolean): Hunk {
  let owner: KnownRange | undefined;
  let isEdited = false;
  const by = new Set<string>();
  for (const part of parts) {
    const [hunk] = part.hunks;
    if (part.isUntouched && part.used === 0 && part.start === range.start && part.end === range.end && hunk!.oldText === oldText) {
      part.used++;
      return { ...hunk!, start: range.start, end: range.end };
    }
    owner ??= part.used < part.hunks.length ? part : undefined;
    isEdited ||= part.isEdited;
    part.by.forEach(by.add, by);
  }
  if (isOfEdit) {
    by.add(edit.by);
  }
  const hunkId = owner ? owner.hunks[owner.used++]!.hunkId : edit.mint();
  return { hunkId, start: range.start, end: range.end, oldText, reviewed: false, edited: isEdited, by: [...by] };
}

/** Returns the ranges in order. The hunks that one edit covers share the range of its text. */
function knownRanges(inside: readonly Hunk[], edits: EditBatch, written: readonly Range[], text: string, shift: number): KnownRange[] {
  const { hunks, touched, lost } = mapHunks(inside, edits, text);
  const known = hunks.map((hunk): KnownRange => {
    return {
      start: hunk.start + shift,
      end: hunk.end + shift,
      hunks: [hunk],
      by: hunk.by,
      isEdited: hunk.edited,
      isUntouched: !touched.has(hunk.hunkId),
      used: 0,
    };
  });
  const covered = new Map<number, Hunk[]>();
  lost.forEach(({ hunk, edit }) => void (covered.get(edit)?.push(hunk) ?? covered.set(edit, [hunk])));
  for (const [edit, gone] of covered) {
    const by = [...new Set(gone.flatMap((hunk) => hunk.by))];
    known.push({ ...written[edit]!, hunks: gone, by, isEdited: gone.some(({ edited }) => edited), isUntouched: false, used: 0 });
  }
  return known.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Returns the regions in order. No two of them touch. */
function regionsOf(text: string, hunks: readonly Hunk[], { edits }: EditBatch): readonly Region[] {
  const regions: Region[] = [];
  for (const [index, edit] of edits.entries()) {
    const last = regions.at(-1);
    const firstHunk = last?.endHunk ?? 0;
    // The lines of the last region are known. A text may be a single line with thousands of edits.
    let region: Region = {
      start: last && edit.start <= last.end ? last.end : lineStart(text, edit.start),
      end: last && edit.end <= last.end ? last.end : lineEnd(text, edit.end),
      firstHunk,
      endHunk: firstHunk,
      firstEdit: index,
      endEdit: index + 1,
    };
    while (hunks[region.firstHunk] && hunks[region.firstHunk]!.end < region.start) {
      region.firstHunk++;
    }
    region.endHunk = region.firstHunk;
    for (let isGrowing = true; isGrowing; ) {
      isGrowing = grow(region, text, hunks);
      const before = regions.at(-1);
      if (before && before.end >= region.start) {
        regions.pop();
        region = {
          start: Math.min(before.start, region.start),
          end: Math.max(before.end, region.end),
          firstHunk: before.firstHunk,
          endHunk: Math.max(before.endHunk, region.endHunk),
          firstEdit: before.firstEdit,
          endEdit: region.endEdit,
        };
        isGrowing = true;
      }
    }
    regions.push(region);
  }
  return regions;
}

/** Extends the region by the hunks that touch it. Returns true when there were any. */
function grow(region: Region, text: string, hunks: readonly Hunk[]): boolean {
  const { firstHunk, endHunk } = region;
  const take = ({ start, end }: Hunk): void => {
    region.start = start < region.start ? lineStart(text, start) : region.start;
    region.end = end > region.end ? lineEnd(text, end) : region.end;
  };
  while (hunks[region.endHunk] && hunks[region.endHunk]!.start <= region.end) {
    take(hunks[region.endHunk++]!);
  }
  while (region.firstHunk > 0 && hunks[region.firstHunk - 1]!.end >= region.start) {
    take(hunks[--region.firstHunk]!);
  }
  return region.firstHunk < firstHunk || region.endHunk > endHunk;
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Returns the end of the line at an offset; at the beginning of a line, the end of the line before it. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') {
    return at;
  }
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}
