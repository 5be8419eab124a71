/**
 * Pending changes of a text as ranges of the present text, each with the text that it replaced. The text between the ranges is the same in the
 * baseline and in the present text. So the baseline needs no copy, and typing outside a range is in it at once. Offsets are UTF-16 units. Pure.
 */
import type { EditBatch, TextEdit } from './editBatch';

export type { TextEdit };

/** One change that waits for the user. */
export interface Hunk {
  /** Unique in its file, also after reloads. */
  readonly hunkId: number;
  readonly start: number;
  readonly end: number;
  /** The text that the baseline has in place of `[start, end)`. */
  readonly oldText: string;
  /** True when the user has marked it as reviewed. */
  readonly reviewed: boolean;
  /** True when the user has written in it since. */
  readonly edited: boolean;
  /** The turns that made it, in the order in which they touched it. */
  readonly by: readonly string[];
  /** The text that the agent had left in its place, where the user has written there since. */
  readonly agentText?: string;
}

/** A change that is no longer pending, and was not kept unchanged. */
export interface SetAsideHunk extends Hunk {
  readonly newText: string;
  /** True while its range is its place: it had the old text, or another program's alone, and no edit has replaced the ends of that text since. */
  readonly placed: boolean;
  /**
   * The reason. `undone`: the user restored the old text. `reverted`: another program did. `stale`: another program wrote other text in its place, or
   * it was replaced together with text around it, so that the old text has no certain place. `overwritten`: a copy of the user's version, which the agent replaced. `changed`: the user kept it with
   * edits.
   */
  readonly status: 'undone' | 'reverted' | 'stale' | 'overwritten' | 'changed';
  /** Set when it is stale because the user wrote over it. */
  readonly byUser?: true;
}

/** The position of a hunk towards an edit: before or after it, around it (inside), or cut by it (across). */
type Meeting = 'before' | 'after' | 'inside' | 'across';

/** The hunks after the edits of a batch. */
export interface MappedHunks {
  readonly hunks: readonly Hunk[];
  /** Ids of the hunks that contain an edit, or are cut by one. */
  readonly touched: ReadonlySet<number>;
  /** Hunks of which no character is left, as they were before, each with the index of the edit that covers it. */
  readonly lost: readonly { readonly hunk: Hunk; readonly edit: number }[];
}

/**
 * Moves hunks by the edits of a batch.
 * @param text before the edits
 * @param hunks in order, without overlaps; the returned hunks are in order, too
 * @param isApart true for an insertion that belongs to no hunk, although it is at the edge of one
 */
export function mapHunks(hunks: readonly Hunk[], batch: EditBatch, text: string, isApart?: (edit: TextEdit) => boolean): MappedHunks {
  const mapped: Hunk[] = [];
  const touched = new Set<number>();
  const lost: { hunk: Hunk; edit: number }[] = [];
  // An insertion where two hunks meet belongs to one of them.
  const taken = new Set<number>();
  for (const hunk of hunks) {
    const window = batch.at(hunk);
    let range: Range | undefined = hunk;
    let isEdited = hunk.edited;
    // The last edit comes first, so that the places of the others are still those of `text`.
    for (let index = window.end - 1; range && index >= window.first; index--) {
      const edit: TextEdit = batch.edits[index]!;
      const isTaken = edit.start === edit.end && taken.has(index);
      const meeting: Meeting = isTaken ? 'after' : (isApart?.(edit) && apartOf(range, edit)) || meetingOf(range, hunk.oldText, edit, text);
      range = rangeAfter(range, edit, meeting);
      if (!range) {
        lost.push({ hunk, edit: index });
      } else if (meeting === 'inside' || meeting === 'across') {
        touched.add(hunk.hunkId);
        taken.add(index);
        isEdited ||= meeting === 'inside';
      }
    }
    if (range) {
      const shift = batch.shiftBefore(window.first);
      const isSame = shift === 0 && range.start === hunk.start && range.end === hunk.end && isEdited === hunk.edited;
      mapped.push(isSame ? hunk : { ...hunk, start: range.start + shift, end: range.end + shift, edited: isEdited });
    }
  }
  return { hunks: mapped, touched, lost };
}

/** True when the edit cuts one of the hunks: a part of the edit is inside of it, a part outside. The hunks are in order. */
export function cutsHunk(hunks: readonly Hunk[], edit: TextEdit): boolean {
  if (edit.start === edit.end) {
    return false;
  }
  for (let index = firstEndingAt(hunks, edit.start); index < hunks.length && hunks[index]!.start <= edit.end; index++) {
    if (meetingOfReplacement(hunks[index]!, edit) === 'across') {
      return true;
    }
  }
  return false;
}

/** Returns the index of the first hunk that ends at an offset or behind it. The hunks are in order. */
export function firstEndingAt(hunks: readonly Range[], offset: number): number {
  let [low, high] = [0, hunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hunks[middle]!.end >= offset) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** True when an edit writes into a range; at its edges alone only where the range has no character of its own. */
function meetsRange(range: Range, { start, end }: TextEdit): boolean {
  return (start < range.end && end > range.start) || (range.start === range.end && start === end && start === range.start);
}

/**
 * A set-aside hunk, or another place, after the edits of a batch. Text that replaces its ends belongs to its range, and takes it out of its place.
 * @param isByAgent an edit inside of the range takes it out of its place, too
 */
export function movedRange<T extends Range & { readonly placed: boolean }>(range: T, batch: EditBatch, isByAgent: boolean): T {
  const window = batch.at(range);
  let { start, end, placed } = range;
  for (let index = window.end - 1; index >= window.first; index--) {
    const edit = batch.edits[index]!;
    const shift = edit.text.length - (edit.end - edit.start);
    if (meetsRange({ start, end }, edit)) {
      placed &&= !isByAgent && edit.start >= start && edit.end <= end;
      start = Math.min(start, edit.start);
      end = Math.max(end, edit.end) + shift;
    } else if (edit.end <= start) {
      start += shift;
      end += shift;
    }
  }
  const shift = batch.shiftBefore(window.first);
  const isSame = start + shift === range.start && end + shift === range.end && placed === range.placed;
  return isSame ? range : { ...range, start: start + shift, end: end + shift, placed };
}

export function applyEdit(text: string, edit: TextEdit): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

/** Joins hunks that touch each other, and drops those that change nothing. @param text the present text */
export function joinHunks(hunks: readonly Hunk[], text: string): readonly Hunk[] {
  if (!hunks.some(({ start }, index) => start === hunks[index - 1]?.end)) {
    return hunks;
  }
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const before = joined.at(-1);
    if (before?.end === hunk.start) {
      joined[joined.length - 1] = {
        hunkId: before.hunkId,
        start: before.start,
        end: hunk.end,
        oldText: before.oldText + hunk.oldText,
        reviewed: before.reviewed && hunk.reviewed,
        edited: before.edited || hunk.edited,
        by: [...new Set([...before.by, ...hunk.by])],
        ...((before.agentText ?? hunk.agentText) !== undefined && {
          agentText: (before.agentText ?? text.slice(before.start, before.end)) + (hunk.agentText ?? text.slice(hunk.start, hunk.end)),
        }),
      };
    } else {
      joined.push(hunk);
    }
  }
  return joined.filter(({ start, end, oldText }) => text.slice(start, end) !== oldText);
}

/** The part `[start, end)` of the text as the baseline has it. @param hunks of this part, in order */
export function baselineOf(text: string, hunks: readonly Hunk[], start = 0, end = text.length): string {
  const parts: string[] = [];
  let at = start;
  for (const hunk of hunks) {
    parts.push(text.slice(at, hunk.start), hunk.oldText);
    at = hunk.end;
  }
  parts.push(text.slice(at, end));
  return parts.join('');
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function meetingOf(range: Range, oldText: string, edit: TextEdit, text: string): Meeting {
  return edit.start === edit.end ? meetingOfInsertion(range, oldText, edit.start, edit.text, text) : meetingOfReplacement(range, edit);
}

function meetingOfReplacement(range: Range, { start, end }: TextEdit): Meeting {
  if (end <= range.start) {
    return 'after';
  }
  if (range.end <= start) {
    return 'before';
  }
  return range.start <= start && end <= range.end ? 'inside' : 'across';
}

/** The meeting for an insertion at an end of a hunk to which it does not belong. */
function apartOf(hunk: Range, { start, end }: TextEdit): Meeting | undefined {
  if (start !== end || (start !== hunk.start && start !== hunk.end)) {
    return undefined;
  }
  return start === hunk.start && hunk.end > hunk.start ? 'after' : 'before';
}

/**
 * Returns the meeting of an insertion. A hunk is whole lines where possible: text typed into its lines is inside, lines added before or after it are
 * outside.
 */
function meetingOfInsertion(hunk: Range, oldText: string, at: number, inserted: string, text: string): Meeting {
  if (at < hunk.start) {
    return 'after';
  }
  if (at > hunk.end) {
    return 'before';
  }
  if (hunk.start === hunk.end) {
    // The deleted text was put back, by our undo or by the editor's.
    return inserted === oldText ? 'inside' : 'before';
  }
  if (at === hunk.start) {
    const beginsLine = at === 0 || text[at - 1] === '\n';
    return beginsLine && !inserted.endsWith('\n') ? 'inside' : 'after';
  }
  if (at === hunk.end) {
    const goesOn = text[at - 1] !== '\n' && (at === text.length || text[at] === '\n' || text[at] === '\r');
    return goesOn && !/^\r?\n/.test(inserted) ? 'inside' : 'before';
  }
  return 'inside';
}

/**
 * Returns the range after an edit; undefined when nothing of it is left. An edit that cuts the hunk adds no text to it: hunks do not take in text
 * typed elsewhere.
 */
function rangeAfter(hunk: Range, { start, end, text }: TextEdit, meeting: Meeting): Range | undefined {
  const shift = text.length - (end - start);
  switch (meeting) {
    case 'before':
      return { start: hunk.start, end: hunk.end };
    case 'after':
      return { start: hunk.start + shift, end: hunk.end + shift };
    case 'inside':
      return { start: hunk.start, end: hunk.end + shift };
    case 'across':
      if (start < hunk.start && end < hunk.end) {
        return { start: start + text.length, end: hunk.end + shift };
      }
      return start > hunk.start ? { start: hunk.start, end: start } : undefined;
  }
}
