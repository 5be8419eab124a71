/** Adds changes to the pending ones of the same text, after a restore has brought them back. */
import { type Hunk, joinHunks, type SetAsideHunk } from '../../core/fileChanges/hunks';
import { textChanges } from './lineEdits';
import { withoutAgentText } from './setAside';

export interface ReturnedInput {
  readonly text: string;
  readonly pending: readonly Hunk[];
  readonly setAside: readonly SetAsideHunk[];
  /** In order, in the same text. */
  readonly returned: readonly Hunk[];
  mint(): number;
}

/**
 * Returns the hunks with those that have returned. One that covers pending hunks replaces them, and one that is cut by a pending hunk is left out. The
 * set-aside form of a returned hunk is no longer one.
 */
export function withReturned({ text, pending, setAside, returned, mint }: ReturnedInput): Pick<ReturnedInput, 'pending' | 'setAside'> {
  let result: readonly Hunk[] = pending;
  const back = new Set<number>();
  for (const hunk of returned) {
    const sticksOut = (other: Hunk): boolean => meet(hunk, other) && (other.start < hunk.start || other.end > hunk.end);
    // The restore wrote lines of such a hunk as they were before the agent.
    result = result.flatMap((other) => (sticksOut(other) ? changedParts(other, text, mint) : [other]));
    const met = result.filter((other) => meet(hunk, other));
    if (met.some(({ start, end }) => start < hunk.start || end > hunk.end)) {
      continue;
    }
    const isSame = met.length === 1 && met[0]!.start === hunk.start && met[0]!.end === hunk.end;
    const newText = text.slice(hunk.start, hunk.end);
    const aside = setAside.find((other) => !back.has(other.hunkId) && other.oldText === hunk.oldText && other.newText === newText);
    void (aside && back.add(aside.hunkId));
    const { hunkId = mint() } = met[0] ?? aside ?? {};
    // The text is the agent's again, with nothing of the user's in it.
    const added: Hunk = isSame ? { ...withoutAgentText(met[0]!), edited: false } : { ...withoutAgentText(hunk), hunkId, edited: false };
    result = [...result.filter((other) => !met.includes(other)), added];
  }
  const ordered = [...result].sort((one, other) => one.start - other.start || one.end - other.end);
  return { pending: joinHunks(ordered, text), setAside: setAside.filter(({ hunkId }) => !back.has(hunkId)) };
}

/** Returns the parts of a hunk whose lines differ from the earlier ones. */
function changedParts(hunk: Hunk, text: string, mint: () => number): readonly Hunk[] {
  const { start, end, oldText } = hunk;
  return textChanges(oldText, text.slice(start, end)).map((part, index): Hunk => {
    return {
      ...withoutAgentText(hunk),
      hunkId: index === 0 ? hunk.hunkId : mint(),
      start: start + part.start,
      end: start + part.end,
      oldText: part.oldText,
    };
  });
}

/** True for hunks with common characters. A deletion has none, so its edges count. */
function meet(one: Hunk, other: Hunk): boolean {
  const isEmpty = one.start === one.end || other.start === other.end;
  return isEmpty ? one.start <= other.end && other.start <= one.end : one.start < other.end && other.start < one.end;
}
