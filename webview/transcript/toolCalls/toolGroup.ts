/**
 * Groups consecutive read-only tool calls (read, search, list, fetch) on one line, finished or running, with only the agent's thoughts between them.
 * A group ends at a message, and at a call that failed, was cancelled, or changes or runs something. The order of entries never changes.
 */
import { isBlankMessage } from '../../../src/core/reduce/answers';
import { pathOf } from '../../../src/core/toolCalls/toolTitle';
import { type Entries, type MessageEntry, type Slot, type ToolCallEntry, isAbsent } from '../../../src/core/model/state';

/** The fewest calls in a run. For two calls the line would be no shorter than the calls. */
const MIN_CALLS = 3;

/** Entries: no run extends over a multiple of this. A change then costs no more in a run of thousands, and one line never opens all of them. */
const REACH = 128;

/** Kinds of read-only calls: files, searches and web pages. */
const QUIET_KINDS: ReadonlySet<string> = new Set(['read', 'search', 'fetch']);

/** Names of read-only tools, for agents whose tools all have the kind `other`. */
const QUIET_NAMES = /^(?:ls|list|list_?dir(?:ectory)?|list_?files|glob|grep|find|tree)$/i;

export type RunEntry = ToolCallEntry | MessageEntry;

/** An item of a page: an entry, or the page's entries of a run. */
export type GroupedSlot =
  | { readonly slot: Slot }
  | {
      readonly slot?: undefined;
      /** All entries of the run, which may begin on an earlier page and continue on the next. */
      readonly run: readonly RunEntry[];
      readonly own: readonly Slot[];
      /** True on the page where the run begins, which shows its line. */
      readonly first: boolean;
    };

/** The fold key of a run: that of any of its entries. */
export function runKey(entryId: string): string {
  return `${entryId}/run`;
}

export function isSearch({ toolKind }: ToolCallEntry): boolean {
  return toolKind !== 'read' && toolKind !== 'fetch';
}

/** Counts what a group's calls have done: files read, searches, pages fetched. */
export function countsOf(calls: readonly ToolCallEntry[]): readonly [files: number, searches: number, fetches: number] {
  const reads = calls.filter(({ toolKind }) => toolKind === 'read');
  return [
    new Set(reads.map((call) => pathOf(call) ?? call.entryId)).size,
    calls.filter(isSearch).length,
    calls.filter(({ toolKind }) => toolKind === 'fetch').length,
  ];
}

/** True when the entry can be part of a run. */
function isQuiet(slot: Slot | undefined): slot is RunEntry {
  if (!slot || isAbsent(slot)) {
    return false;
  }
  if (slot.kind === 'message') {
    return slot.role === 'thought' || (slot.role === 'agent' && isBlankMessage(slot));
  }
  return slot.kind === 'tool_call' && isQuietCall(slot);
}

function isQuietCall({ toolKind, name, status, content, requests }: ToolCallEntry): boolean {
  // A call that required a permission stays visible, while it waits and afterwards.
  if (requests) {
    return false;
  }
  if (status !== 'completed' && status !== 'in_progress' && status !== 'pending') {
    return false;
  }
  const quiet = QUIET_KINDS.has(toolKind) || (toolKind === 'other' && name !== undefined && QUIET_NAMES.test(name));
  return quiet && content.every((each) => each.type !== 'diff');
}

/** Returns the start and end of the run that contains the entry at `index`; undefined for an entry outside all runs. */
export function runAt(entries: Entries, index: number): { readonly from: number; readonly to: number } | undefined {
  if (!isQuiet(entries.at(index))) {
    return undefined;
  }
  const least = index - (index % REACH);
  let from = index;
  while (from > least && isQuiet(entries.at(from - 1))) {
    from--;
  }
  let to = index + 1;
  while (to < least + REACH && isQuiet(entries.at(to))) {
    to++;
  }
  // A thought belongs to the entry after it, so thoughts at the ends of a run are not part of it.
  while (from < to && entries.at(from)!.kind === 'message') {
    from++;
  }
  while (to > from && entries.at(to - 1)!.kind === 'message') {
    to--;
  }
  if (index < from || index >= to) {
    return undefined;
  }
  let calls = 0;
  for (let at = from; at < to && calls < MIN_CALLS; at++) {
    if (entries.at(at)!.kind === 'tool_call') {
      calls++;
    }
  }
  return calls < MIN_CALLS ? undefined : { from, to };
}

/** True when an entry follows that ends the run. Thoughts do not: the next call takes them into the run. */
export function isOver(entries: Entries, run: readonly RunEntry[]): boolean {
  let next = entries.indexOf(run.at(-1)!.entryId) + 1;
  while (entries.at(next)?.kind === 'message' && isQuiet(entries.at(next))) {
    next++;
  }
  return next < entries.length;
}

/** Returns the items of a page of `slots`, in order. */
export function partsOf(entries: Entries, slots: readonly Slot[]): readonly GroupedSlot[] {
  const start = slots.length === 0 ? -1 : entries.indexOf(slots[0]!.entryId);
  if (start < 0) {
    return slots.map((slot) => ({ slot }));
  }
  const end = Math.min(start + slots.length, entries.length);
  const parts: GroupedSlot[] = [];
  for (let index = start; index < end; ) {
    const run = runAt(entries, index);
    if (run) {
      const to = Math.min(run.to, end);
      parts.push({ run: entries.slice(run.from, run.to) as RunEntry[], own: entries.slice(index, to), first: run.from === index });
      index = to;
    } else {
      parts.push({ slot: entries.at(index)! });
      index++;
    }
  }
  return parts;
}

/** True when both have the same items. */
export function sameParts(before: readonly GroupedSlot[], after: readonly GroupedSlot[]): boolean {
  return before.length === after.length && before.every((part, index) => samePart(part, after[index]!));
}

function samePart(before: GroupedSlot, after: GroupedSlot): boolean {
  if (before.slot || after.slot) {
    return before.slot === after.slot;
  }
  return (
    before.first === after.first &&
    before.own.length === after.own.length &&
    before.run.length === after.run.length &&
    before.run.every((entry, index) => entry === after.run[index])
  );
}

/** ms in which at least one of these calls was running. The time in which a call waited for the user is subtracted at its beginning. */
export function timeOf(calls: readonly ToolCallEntry[]): number {
  let total = 0;
  let until = 0;
  for (const { at, updatedAt, waited = 0 } of calls.toSorted((one, other) => one.at - other.at)) {
    total += Math.max(0, updatedAt - Math.max(at + waited, until));
    until = Math.max(until, updatedAt);
  }
  return total;
}
