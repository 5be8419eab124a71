/** The user's view state of a session (folds, scroll position, search) as plain JSON, and back. */
import type { FindQuery } from '../../src/core/protocol/messages/findQuery';
import type { DisclosureState } from '../state/disclosureState';
import type { Search } from '../state/search';
import type { ScrollPosition } from '../state/scrollPosition';

/** The most folds to store; the newest are kept. */
const MAX_DISCLOSURES = 2000;

export interface ViewState {
  readonly folds: readonly (readonly [key: string, open: boolean])[];
  /** Undefined: the view follows the end. */
  readonly place: ScrollPosition | undefined;
  /** Undefined: the bar is closed. */
  readonly find: FindQuery | undefined;
}

export function captureViewState({
  disclosures,
  scrollPosition,
  search,
}: {
  disclosures: DisclosureState;
  scrollPosition: ScrollPosition | undefined;
  search: Search;
}): ViewState {
  return { folds: disclosures.all.slice(-MAX_DISCLOSURES), place: scrollPosition, find: search.isOpen ? search.query : undefined };
}

/** Parses stored state, which is not trusted. */
export function parseViewState(kept: unknown): ViewState {
  const { folds, place, find } = isObject(kept) ? kept : {};
  return {
    folds: Array.isArray(folds) ? (folds as unknown[]).filter(isDisclosure) : [],
    place: isPlace(place) ? place : undefined,
    find: isQuery(find) ? find : undefined,
  };
}

function isDisclosure(value: unknown): value is [string, boolean] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';
}

function isPlace(value: unknown): value is ScrollPosition {
  return isObject(value) && typeof value['entryId'] === 'string' && typeof value['offset'] === 'number';
}

function isQuery(value: unknown): value is FindQuery {
  return (
    isObject(value) &&
    typeof value['text'] === 'string' &&
    typeof value['caseSensitive'] === 'boolean' &&
    typeof value['wholeWord'] === 'boolean'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
