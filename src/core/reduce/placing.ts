/** Moves entries that a replay has added to their position in the conversation. */
import { EntryList } from '../model/entries';
import type { EntriesPlaced } from '../model/event';
import { type SessionState, type Slot, withEntries } from '../model/state';

/** Makes all moves in one pass over the entries, so that a replay with thousands of additions stays linear. */
export function reduceEntriesPlaced(state: SessionState, { moves }: EntriesPlaced): SessionState {
  const { entries } = state;
  const moved = new Map<string, Slot>();
  for (const entryId of moves.flatMap(({ entryIds }) => entryIds)) {
    const slot = entries.get(entryId);
    if (slot) {
      moved.set(entryId, slot);
    }
  }
  if (moved.size === 0) {
    return state;
  }
  const placed = new Set<string>();
  /** The moved entries by the entry that follows them; under `undefined`, those at the end. */
  const before = new Map<string | undefined, Slot[]>();
  for (const move of moves) {
    // An entry cannot precede itself or another moved entry: such moves go to the end.
    const isThere = move.before !== undefined && !moved.has(move.before) && entries.indexOf(move.before) >= 0;
    const key = isThere ? move.before : undefined;
    const slots = before.get(key) ?? [];
    before.set(key, slots);
    for (const entryId of move.entryIds) {
      const slot = moved.get(entryId);
      if (slot && !placed.has(entryId)) {
        placed.add(entryId);
        slots.push(slot);
      }
    }
  }
  const order: Slot[] = [];
  const add = (slot: Slot): unknown => order.push(slot);
  for (const slot of entries) {
    if (!moved.has(slot.entryId)) {
      before.get(slot.entryId)?.forEach(add);
      order.push(slot);
    }
  }
  before.get(undefined)?.forEach(add);
  return withEntries(state, EntryList.of(order));
}
