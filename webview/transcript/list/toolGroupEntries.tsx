/** The entries of a page, with each run of read-only tool calls on a line that opens. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Slot } from '../../../src/core/model/state';
import { isOnToolCall } from '../../../src/core/approval/requests';
import { useSelect, useView } from '../../state/context';
import type { DisclosureState } from '../../state/disclosureState';
import { EntryView } from './entry';
import { type GroupedSlot, type RunEntry, partsOf, runKey, sameParts } from '../toolCalls/toolGroup';
import { useForceUpdate } from '../../base/memo';
import { RunLine } from '../toolCalls/toolGroupLine';

/**
 * An open run's entries are children of their own pages, as they are outside of runs. The element that the user has opened or focused therefore stays
 * the same when a run forms around it.
 */
export function PageEntries({ slots }: { slots: readonly Slot[] }) {
  const { disclosures } = useView();
  const chunk = useParts(slots);
  const forceUpdate = useForceUpdate();
  const opened: (readonly RunEntry[])[] = [];
  const shown = chunk.flatMap((part) => {
    if (part.slot) {
      // The card of its tool call shows the request.
      return isOnToolCall(part.slot) ? [] : <EntryView key={part.slot.entryId} slot={part.slot} />;
    }
    const { run, own, first } = part;
    const open = isOpen(disclosures, run);
    if (open) {
      opened.push(run);
    }
    return [
      ...(first
        ? [<RunLine key={runKey(run[0]!.entryId)} run={run} open={open} setOpen={(value) => setOpen(disclosures, run, value)} />]
        : []),
      ...(open ? own.map((slot) => <EntryView key={slot.entryId} slot={slot} within />) : []),
    ];
  });
  useLayoutEffect(() => {
    // A run that is open for a temporary reason stays open until the user closes it.
    for (const run of opened) {
      if (!run.some((entry) => disclosures.get(runKey(entry.entryId)))) {
        setOpen(disclosures, run, true);
      }
    }
    const leave = chunk.flatMap((part) =>
      part.slot ? [] : part.run.map((entry) => disclosures.subscribe(runKey(entry.entryId), forceUpdate)),
    );
    return () => leave.forEach((each) => each());
  }, [disclosures, chunk]);
  // A page counts as rendered only when it has a child.
  return <>{shown.length > 0 ? shown : <div class="run-elsewhere" hidden />}</>;
}

/** Keeps its identity while the items are the same, because a run may change on another page. */
function useParts(slots: readonly Slot[]): readonly GroupedSlot[] {
  const kept = useRef<readonly GroupedSlot[]>([]);
  return useSelect(({ entries }) => {
    const chunk = partsOf(entries, slots);
    return sameParts(kept.current, chunk) ? kept.current : (kept.current = chunk);
  });
}

/** True for a run that the user has opened. A run that forms around an opened, focused or selected entry stays open, too. */
function isOpen(disclosures: DisclosureState, run: readonly RunEntry[]): boolean {
  if (run.some((entry) => disclosures.get(runKey(entry.entryId)))) {
    return true;
  }
  if (run.some((entry) => disclosures.get(runKey(entry.entryId)) === false)) {
    return false;
  }
  const inUse = new Set(
    [document.activeElement, selected()].map((element) => element?.closest<HTMLElement>('.slot[data-slot]')?.dataset.slot),
  );
  return run.some((entry) => disclosures.get(entry.entryId) || inUse.has(entry.entryId));
}

function selected(): Element | null {
  const selection = document.getSelection();
  return selection && !selection.isCollapsed ? (selection.anchorNode?.parentElement ?? null) : null;
}

function setOpen(disclosures: DisclosureState, run: readonly RunEntry[], open: boolean): void {
  for (const entry of run) {
    disclosures.set(runKey(entry.entryId), open);
  }
}
