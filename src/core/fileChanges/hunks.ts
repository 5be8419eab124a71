/**
 * Pending changes of a text as ranges of the present text, each with the text that it replaced. What stands between the ranges is the same in the
 * baseline and in the present text, so the baseline needs no copy, and typing outside a range is in it at once. Offsets are UTF-16 units. Pure.
 */

/** Characters `[start, end)` become `text`. Of a list, each refers to the text that the one before it left. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One change that waits for the user. */
export interface Hunk {
  /** Unique in its file, over reloads too. */
  readonly hunkId: number;
  readonly start: number;
  readonly end: number;
  /** What the baseline has in place of `[start, end)`. */
  readonly oldText: string;
  /** The user has looked at it. */
  readonly reviewed: boolean;
  /** The user has written in it since. */
  readonly edited: boolean;
  /** Who made it: turns, in the order in which they touched it. */
  readonly by: readonly string[];
  /** What the agent had left in its place, where the user has written there since. */
  readonly agentText?: string;
}

/**
 * A change that is not pending any more, and not kept. undone: the user put its old text back; reverted: somebody outside of the editor did; stale: the text around or in it was replaced by somebody else,
 * so that putting the old text back would be a guess; overwritten: as the user had changed it, before the agent wrote over that; changed: the user kept it,
 * but not as the agent had left it.
 */
export interface SetAsideHunk extends Hunk {
  readonly newText: string;
  /** Its old text took its place, and nobody has written over the ends of that. */
  readonly placed: boolean;
  readonly status: 'undone' | 'reverted' | 'stale' | 'overwritten' | 'changed';
  /** It is stale because the user wrote over it. */
  readonly byUser?: true;
}

/** How an edit meets a hunk: it lies before the edit or after it, holds the edit, or is cut by it. */
type Meeting = 'before' | 'after' | 'inside' | 'across';

/** Hunks after an edit; `touched` are those that hold it or are cut by it, `lost` those of which no character is left. */
export interface MappedHunks {
  readonly hunks: readonly Hunk[];
  readonly touched: readonly number[];
  readonly lost: readonly Hunk[];
}

/**
 * @param text before the edit. `hunks` are in order and do not overlap; so are the ones that come back
 * @param isApart what is inserted at the edge of a hunk is known not to belong to it
 */
export function mapHunks(hunks: readonly Hunk[], edit: TextEdit, text: string, isApart = false): MappedHunks {
  const mapped: Hunk[] = [];
  const touched: number[] = [];
  const lost: Hunk[] = [];
  for (const hunk of hunks) {
    // What is inserted where two hunks meet belongs to one of them.
    const meeting =
      touched.length > 0 && edit.start === edit.end ? 'after' : (isApart && apartOf(hunk, edit)) || meetingOf(hunk, edit, text);
    const range = rangeAfter(hunk, edit, meeting);
    if (!range) {
      lost.push(hunk);
      continue;
    }
    if (meeting === 'inside' || meeting === 'across') {
      touched.push(hunk.hunkId);
    }
    mapped.push(
      range.start === hunk.start && range.end === hunk.end && meeting !== 'inside'
        ? hunk
        : { ...hunk, ...range, ...(meeting === 'inside' && { edited: true }) },
    );
  }
  return { hunks: mapped, touched, lost };
}

/** True when the edit cuts one of them: a part of it is inside, a part outside. */
export function cutsHunk(hunks: readonly Hunk[], edit: TextEdit, text: string): boolean {
  return hunks.some((hunk) => meetingOf(hunk, edit, text) === 'across');
}

/** True when an edit writes into a range; at its edges alone only where the range has no character of its own. */
export function meetsRange(range: { readonly start: number; readonly end: number }, { start, end }: TextEdit): boolean {
  return (start < range.end && end > range.start) || (range.start === range.end && start === end && start === range.start);
}

/** Where a range stands after an edit: what is written over its ends belongs to it. */
export function grownRange<R extends { readonly start: number; readonly end: number }>(range: R, edit: TextEdit): R {
  const { start, end, text } = edit;
  const shift = text.length - (end - start);
  if (!meetsRange(range, edit)) {
    return end <= range.start ? { ...range, start: range.start + shift, end: range.end + shift } : range;
  }
  return { ...range, start: Math.min(range.start, start), end: Math.max(range.end, end) + shift };
}

export function applyEdit(text: string, edit: TextEdit): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

/** Hunks that have come to touch each other are one. @param text that they are of */
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

/** The text `[start, end)` as the baseline has it; the ends cut no hunk. */
export function baselineOf(text: string, hunks: readonly Hunk[], start = 0, end = text.length): string {
  let result = '';
  let at = start;
  for (const hunk of hunks) {
    if (hunk.start >= start && hunk.end <= end) {
      result += text.slice(at, hunk.start) + hunk.oldText;
      at = hunk.end;
    }
  }
  return result + text.slice(at, end);
}

function meetingOf(hunk: Hunk, { start, end, text: inserted }: TextEdit, text: string): Meeting {
  if (start === end) {
    return meetingOfInsertion(hunk, start, inserted, text);
  }
  if (end <= hunk.start) {
    return 'after';
  }
  if (hunk.end <= start) {
    return 'before';
  }
  return hunk.start <= start && end <= hunk.end ? 'inside' : 'across';
}

/** Of what is inserted at one of its ends, and is not its own. */
function apartOf(hunk: Hunk, { start, end }: TextEdit): Meeting | undefined {
  if (start !== end || (start !== hunk.start && start !== hunk.end)) {
    return undefined;
  }
  return start === hunk.start && hunk.end > hunk.start ? 'after' : 'before';
}

/** A hunk is whole lines where it can be: what is typed into its lines is inside, lines that come before or after it are not. */
function meetingOfInsertion(hunk: Hunk, at: number, inserted: string, text: string): Meeting {
  if (at < hunk.start) {
    return 'after';
  }
  if (at > hunk.end) {
    return 'before';
  }
  if (hunk.start === hunk.end) {
    // The deleted text itself, put back: by an undo of ours or of the editor.
    return inserted === hunk.oldText ? 'inside' : 'before';
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

/** Undefined when nothing of it is left. What an edit that cuts it brings is outside: no hunk takes in what was typed elsewhere. */
function rangeAfter(hunk: Hunk, { start, end, text }: TextEdit, meeting: Meeting): { start: number; end: number } | undefined {
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
