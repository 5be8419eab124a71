/**
 * Divides the entries into pages, the units that are rendered and removed. A page with unchanged entries keeps its identity, so an update renders one
 * page whatever the length of the conversation.
 */
import type { Entries, Slot } from '../../../src/core/model/state';

/** Entries per page. Few, because a streaming entry renders its whole page, and a few cards with changes fill a screen. */
export const PAGE_SIZE = 8;

export interface Page {
  readonly slots: readonly Slot[];
}

/** The pages of `entries`. Reuses the unchanged ones of `previous`. */
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

/** px; an estimate that is good enough for a scrollbar. */
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
