/** The stored sessions of this window and of others, for lists and search. */
import type { Disposable } from '../../core/platform/disposable';
import type { JournalSummary } from './journalSummary';
import type { MarksPatch } from './sessionMarks';

export interface KeptSessionsQuery {
  /** Only sessions whose working folder is one of these; absent: all folders. */
  readonly folders?: readonly string[];
  /** With `folders`: only sessions of all other folders. */
  readonly elsewhere?: boolean;
  /** True: only archived sessions. False: only the others. Absent: both. */
  readonly archived?: boolean;
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly after?: string;
}

export interface KeptSessionsPage {
  /** Newest first. */
  readonly summaries: readonly JournalSummary[];
  /** Absent on the last page. */
  readonly next?: string;
  /** The number of sessions on all pages. */
  readonly total: number;
}

/** A match of the search. */
export interface KeptSessionHit {
  readonly key: string;
  readonly summary: JournalSummary;
  /** Absent for a match in the title. */
  readonly entryId?: string;
  readonly excerpt: string;
  /** Start of the match in `excerpt`, in UTF-16 units; `to` is the offset after it. */
  readonly from: number;
  readonly to: number;
}

export interface SessionCatalog {
  /** Reads only the sessions of the requested page. */
  list(query: KeptSessionsQuery): Promise<KeptSessionsPage>;
  mark(key: string, patch: MarksPatch): Promise<void>;
  /** Searches titles and messages, newest sessions first. Yields each match when it is found. */
  search(text: string, signal: AbortSignal): AsyncIterable<KeptSessionHit>;
  /** True when another running extension host has the session open for writing. */
  isLiveElsewhere(key: string): Promise<boolean>;
  /** Called when a stored session has changed, here or in another window. Coalesced. */
  onDidChange(listener: () => void): Disposable;
}
