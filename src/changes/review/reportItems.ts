/** The changes of one text, pending or undone, that the agent does not know yet. Pure. */
import { firstEndingAt, type Hunk, type SetAsideHunk } from '../../core/fileChanges/hunks';
import type { LiveHunks } from '../hunks/liveHunks';

/** The state of a hunk in the last report to the agent. */
export interface ReportedHunk {
  /** The last turn that had touched it. The agent knows the text of a later turn. */
  readonly by: string;
  /** The text in its place, as known to the agent. */
  readonly text: string;
  /** True when the agent's text is gone. */
  readonly gone: boolean;
}

export interface ReportItem {
  readonly hunkId: number;
  readonly what: 'undone' | 'changed' | 'applied';
  /** The range in the present text. */
  readonly start: number;
  readonly end: number;
  /** The text that the agent expects there. */
  readonly believed: string;
  readonly reported: ReportedHunk;
}

/** Returns the items in order; they do not overlap. @param known by hunk */
export function reportItems(live: LiveHunks, known: ReadonlyMap<number, ReportedHunk>): readonly ReportItem[] {
  const { text, hunks, setAside } = live;
  const pending = hunks.flatMap((hunk) => pendingItem(hunk, text, known));
  const isOverwritten = (aside: SetAsideHunk): boolean => {
    for (let index = firstEndingAt(hunks, aside.start); index < hunks.length && hunks[index]!.start < aside.end; index++) {
      if (aside.start < hunks[index]!.end) {
        return true;
      }
    }
    return false;
  };
  const aside = setAside.flatMap((hunk) => (isOverwritten(hunk) ? [] : asideItem(hunk, text, known)));
  const items: ReportItem[] = [];
  for (const item of [...pending, ...aside].sort((one, other) => one.start - other.start || one.end - other.end)) {
    if (item.start >= (items.at(-1)?.end ?? 0)) {
      items.push(item);
    }
  }
  return items;
}

/** Returns the text as known to the agent. @param items in order, without overlaps */
export function believedText(text: string, items: readonly ReportItem[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, believed } of items) {
    parts.push(text.slice(at, start), believed);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function pendingItem(hunk: Hunk, text: string, known: ReadonlyMap<number, ReportedHunk>): readonly ReportItem[] {
  const actual = text.slice(hunk.start, hunk.end);
  const reported = reportedHunkOf(hunk, known);
  const believed = reported?.text ?? hunk.agentText ?? actual;
  if (believed === actual) {
    return [];
  }
  const what = reported?.gone ? 'applied' : 'changed';
  return [itemOf(hunk, what, believed, actual)];
}

function asideItem(hunk: SetAsideHunk, text: string, known: ReadonlyMap<number, ReportedHunk>): readonly ReportItem[] {
  const { status, byUser, agentText, newText } = hunk;
  const reported = reportedHunkOf(hunk, known);
  const isTaken = status === 'undone' || (status === 'stale' && byUser === true);
  if (isTaken ? reported?.gone : status !== 'changed') {
    return [];
  }
  const actual = status === 'undone' ? text.slice(hunk.start, hunk.end) : newText;
  const believed = reported?.text ?? agentText ?? newText;
  return believed === actual && status !== 'stale' ? [] : [itemOf(hunk, status === 'undone' ? 'undone' : 'changed', believed, actual)];
}

function itemOf(hunk: Hunk | SetAsideHunk, what: ReportItem['what'], believed: string, text: string): ReportItem {
  const { hunkId, start, end } = hunk;
  return {
    hunkId,
    what,
    start,
    end,
    believed,
    reported: { by: hunk.by.at(-1) ?? '', text, gone: 'status' in hunk && hunk.status !== 'changed' },
  };
}

function reportedHunkOf({ hunkId, by }: Hunk, known: ReadonlyMap<number, ReportedHunk>): ReportedHunk | undefined {
  const reported = known.get(hunkId);
  return reported?.by === (by.at(-1) ?? '') ? reported : undefined;
}
