/**
 * The entries in pages: the unit in which the transcript comes onto the screen and leaves it. A page whose entries did not change keeps its
 * identity, so an update renders one page whatever the length of the conversation.
 */
import type { Entries, Slot } from '../../../src/core/model/state';

/** Entries: few, because all of what streams in is rendered with its page, and of cards with changes few fill a screen. */
export const PAGE_SIZE = 8;

export interface Page {
  readonly slots: readonly Slot[];
}

/** The pages of `entries`, reusing those of `previous` that still hold. */
export function pagesOf(entries: Entries, previous: readonly Page[]): readonly Page[] {
  const pages: Page[] = [];
  for (let start = 0; start < entries.length; start += PAGE_SIZE) {
    const known = previous[pages.length];
    pages.push(known && holds(known, entries, start) ? known : { slots: entries.slice(start, start + PAGE_SIZE) });
  }
  return pages;
}

function holds(page: Page, entries: Entries, start: number): boolean {
  const { slots } = page;
  if (slots.length !== Math.min(PAGE_SIZE, entries.length - start)) {
    return false;
  }
  for (let index = 0; index < slots.length; index++) {
    if (slots[index] !== entries.at(start + index)) {
      return false;
    }
  }
  return true;
}

/** px; a guess, good enough for a scrollbar. */
export function estimatedHeight(slot: Slot): number {
  switch (slot.kind) {
    case 'message':
      return 110;
    case 'permission':
      return 90;
    case 'turn':
      return 30;
    default:
      return 40;
  }
}
