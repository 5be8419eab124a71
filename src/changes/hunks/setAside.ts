/** The hunks of one text that are neither pending nor kept, oldest first. */
import type { EditBatch } from '../../core/fileChanges/editBatch';
import { firstEndingAt, type Hunk, movedRange, type SetAsideHunk, type TextEdit } from '../../core/fileChanges/hunks';

/** The most hunks that are stored; the oldest are dropped. No more are pending, so that the undo of all of them can be undone. */
export const MAX_HUNKS = 500;
/** The most UTF-16 units of their texts that are stored. */
const MAX_UNITS = 4 * 1024 * 1024;

/** Adds hunks. A hunk with the same id is replaced. */
export function withSetAside(known: readonly SetAsideHunk[], added: readonly SetAsideHunk[]): readonly SetAsideHunk[] {
  if (added.length === 0) {
    return known;
  }
  const ids = new Set(added.map(({ hunkId }) => hunkId));
  const all = [...known.filter(({ hunkId }) => !ids.has(hunkId)), ...added].slice(-MAX_HUNKS);
  let [first, units] = [all.length, 0];
  while (first > 0 && (units += unitsOf(all[first - 1]!)) <= MAX_UNITS) {
    first--;
  }
  return all.slice(first);
}

/**
 * Returns the hunks that the user's edits replace completely, in the form in which they are set aside. Excludes hunks that an edit undoes. Both lists
 * are in order.
 */
export function overwrittenBy(edits: readonly TextEdit[], hunks: readonly Hunk[], text: string): readonly SetAsideHunk[] {
  let next = 0;
  return hunks.flatMap((hunk): SetAsideHunk[] => {
    while (edits[next] && edits[next]!.end < hunk.end) {
      next++;
    }
    const edit = edits[next];
    const isUndone = edit?.start === hunk.start && edit.end === hunk.end && edit.text === hunk.oldText;
    return edit && edit.start <= hunk.start && !isUndone
      ? [{ ...hunk, newText: text.slice(hunk.start, hunk.end), placed: false, status: 'stale', byUser: true }]
      : [];
  });
}

/**
 * Returns the parts of a hunk that the user's edits do not replace. The first part has the old text, without lines that the edits brought back. A
 * hunk stays whole when only its old lines came back. @param edits of whole lines, in order @param mint makes the ids of the further parts
 */
export function splitByOthers(hunk: Hunk, edits: readonly TextEdit[], mint: () => number): readonly Hunk[] {
  const inside = edits.filter(({ start, end, text }) => text !== '' && start < end && start < hunk.end && end > hunk.start);
  const old = hunk.oldText.split(/(?<=\n)/);
  const brought = new Set(inside.flatMap(({ text }) => text.split(/(?<=\n)/)));
  if ([...brought].every((line) => old.includes(line))) {
    return [hunk];
  }
  const starts = [hunk.start, ...inside.map(({ end }) => end)];
  const ends = [...inside.map(({ start }) => start), hunk.end];
  const parts = starts.flatMap((start, index) => (start < ends[index]! ? [{ start, end: ends[index]! }] : []));
  const oldText = old.filter((line) => !brought.has(line)).join('');
  return parts.map((part, index) => (index === 0 ? { ...hunk, ...part, oldText } : { ...hunk, ...part, oldText: '', hunkId: mint() }));
}

/** Returns the set-aside hunks after the edits of a batch. */
export function movedSetAside(known: readonly SetAsideHunk[], batch: EditBatch, isByAgent: boolean): readonly SetAsideHunk[] {
  return known.map((hunk) => movedRange(hunk, batch, isByAgent));
}

/** True when the hunk's old text is still in its place. */
export function isInPlace({ placed, start, end, oldText }: SetAsideHunk, text: string): boolean {
  return placed && end - start === oldText.length && text.startsWith(oldText, start);
}

/** True when an edit can bring the hunk's new text back: the old text is in its place, or one that another program wrote there alone. */
export function canReturn(hunk: SetAsideHunk, text: string): boolean {
  const isReplaced = hunk.placed && hunk.status === 'stale' && text.slice(hunk.start, hunk.end) !== hunk.newText;
  return isReplaced || isInPlace(hunk, text);
}

/** Recognizes an insertion that restores the text of an undone hunk, such as the undo of an undo. It belongs to no hunk beside it. */
export function recognizeReturn(setAsideHunks: readonly SetAsideHunk[], pending: readonly Hunk[]): (edit: TextEdit) => boolean {
  const undone = setAsideHunks.filter(({ placed, status, start, end }) => placed && status === 'undone' && start === end);
  const places = new Set(undone.map(({ start }) => start));
  const isDeletion = (start: number, oldText: string): boolean => {
    for (let index = firstEndingAt(pending, start); index < pending.length && pending[index]!.start <= start; index++) {
      const hunk = pending[index]!;
      if (hunk.start === start && hunk.end === start && hunk.oldText === oldText) {
        return true;
      }
    }
    return false;
  };
  return ({ start, end, text }) =>
    start === end && places.has(start) && undone.some((hunk) => hunk.start === start && hunk.newText === text) && !isDeletion(start, text);
}

export interface ReviveInput {
  /** The present text. */
  readonly text: string;
  readonly pending: readonly Hunk[];
  readonly setAsideHunks: readonly SetAsideHunk[];
  /** Hunks that fit again: those of the last time with the same text, and of a part that has its earlier text. */
  readonly parked: readonly Hunk[];
  /** Ids of the set-aside hunks for which {@link canReturn} was true before the edit. */
  readonly canReturn: ReadonlySet<number>;
}

/** Makes set-aside hunks pending whose text has returned exactly. */
export function revive(input: ReviveInput): Pick<ReviveInput, 'pending' | 'setAsideHunks'> {
  const { setAsideHunks, canReturn: returning } = input;
  const back = hunksBack(input);
  if (back.length === 0) {
    return input;
  }
  const pending = [...input.pending];
  const revived = new Set<number>();
  // The same change may have been made and undone before, so the newest comes first.
  for (const { newText: _, status: __, byUser: ___, placed, ...hunk } of back.reverse()) {
    const isSure = placed && returning.has(hunk.hunkId);
    const first = firstEndingAt(pending, hunk.start);
    let place = first;
    let isFree = true;
    for (let index = first; isFree && index < pending.length && pending[index]!.start <= hunk.end; index++) {
      const other = pending[index]!;
      // Hunks may touch. An empty hunk is the exception: it may have been made again, and only its place shows it.
      const isDouble = !isSure && (other.start === other.end || hunk.start === hunk.end);
      isFree = !isDouble && !(other.start < hunk.end && hunk.start < other.end);
      place += other.start < hunk.start || (other.start === hunk.start && other.end <= hunk.end) ? 1 : 0;
    }
    if (isFree) {
      pending.splice(place, 0, hunk);
      revived.add(hunk.hunkId);
    }
  }
  return { pending, setAsideHunks: setAsideHunks.filter(({ hunkId }) => !revived.has(hunkId)) };
}

function hunksBack({ text, setAsideHunks, parked, canReturn: returning }: ReviveInput): SetAsideHunk[] {
  const then = new Map(parked.map((hunk) => [hunk.hunkId, hunk]));
  return setAsideHunks.flatMap((hunk): SetAsideHunk[] => {
    const { hunkId, placed, start, end, oldText, newText, status } = hunk;
    // Another text was in place before the edit, and now the new text is.
    if (placed && returning.has(hunkId) && newText !== oldText && text.slice(start, end) === newText) {
      return [hunk];
    }
    const earlier = status === 'stale' || status === 'reverted' ? then.get(hunkId) : undefined;
    return earlier?.oldText === oldText ? [{ ...hunk, start: earlier.start, end: earlier.end }] : [];
  });
}

/** Avoids a rest pattern for each hunk, which would cost more than everything else. */
export function withoutAgentText(hunk: Hunk): Hunk {
  if (hunk.agentText === undefined) {
    return hunk;
  }
  const { agentText: _, ...rest } = hunk;
  return rest;
}

function unitsOf({ oldText, newText, agentText }: SetAsideHunk): number {
  return oldText.length + newText.length + (agentText?.length ?? 0);
}
