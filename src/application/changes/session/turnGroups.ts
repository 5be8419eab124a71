/** Groups pending files by session and by the turn that changed them last, for the source control and for commands on a turn. Pure. */
import type { ReviewFile } from '../../../changes/review/review';

/** A part of what waits in one file. */
export interface TurnPart<P extends { readonly file: ReviewFile }> {
  readonly pending: P;
  /** Absent: the whole file. */
  readonly hunkIds?: readonly number[];
}

export interface TurnGroup<P extends { readonly file: ReviewFile }> {
  readonly turnId: string;
  readonly parts: readonly TurnPart<P>[];
}

/** The turns of one session with pending changes, the newest last. A file appears in each turn that has a change in it. */
export function turnGroups<P extends { readonly file: ReviewFile }>(
  pending: readonly P[],
  order: (one: string, other: string) => number,
): readonly TurnGroup<P>[] {
  const groups = new Map<string, TurnPart<P>[]>();
  const add = (turnId: string, part: TurnPart<P>): void => void groups.set(turnId, [...(groups.get(turnId) ?? []), part]);
  for (const each of pending) {
    const { hunks, turns } = each.file;
    const byTurn = new Map<string, number[]>();
    for (const { hunkId, by } of hunks?.hunks ?? []) {
      const turnId = by.at(-1) ?? turns.at(-1)!;
      byTurn.set(turnId, [...(byTurn.get(turnId) ?? []), hunkId]);
    }
    if (byTurn.size <= 1) {
      add([...byTurn.keys()][0] ?? turns.at(-1)!, { pending: each });
    } else {
      byTurn.forEach((hunkIds, turnId) => add(turnId, { pending: each, hunkIds }));
    }
  }
  return [...groups].map(([turnId, parts]) => ({ turnId, parts })).sort((one, other) => order(one.turnId, other.turnId));
}
