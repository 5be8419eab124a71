/** Sessions on disk as lists and search see them, of this window and of others. */
import type { Disposable } from '../../core/model/ports';
import type { JournalSummary } from './journalSummary';
import type { MarksPatch } from './sessionMarks';

export interface KeptSessionsQuery {
  /** Only those whose working folder is one of these; absent: of all folders. */
  readonly folders?: readonly string[];
  /** With `folders`: those of all other folders instead. */
  readonly elsewhere?: boolean;
  /** Only archived ones, or only those that are not; absent: both. */
  readonly archived?: boolean;
  readonly limit: number;
  /** What the page before gave as `next`. */
  readonly after?: string;
}

export interface KeptSessionsPage {
  /** Newest first. */
  readonly summaries: readonly JournalSummary[];
  /** Absent on the last page. */
  readonly next?: string;
  /** Of all pages. */
  readonly total: number;
}

/** A place where the words were found. */
export interface KeptSessionHit {
  readonly key: string;
  readonly summary: JournalSummary;
  /** Absent: in the title. */
  readonly entryId?: string;
  readonly excerpt: string;
  /** Where in `excerpt` the words are, in UTF-16 units; `to` is behind them. */
  readonly from: number;
  readonly to: number;
}

export interface KeptSessions {
  /** Nothing is read that is not on the page. */
  list(query: KeptSessionsQuery): Promise<KeptSessionsPage>;
  mark(key: string, patch: MarksPatch): Promise<void>;
  /** Titles and what was said, newest sessions first; hits come as they are found. */
  search(text: string, signal: AbortSignal): AsyncIterable<KeptSessionHit>;
  /** Another extension host that is alive has it open to write. */
  isLiveElsewhere(key: string): Promise<boolean>;
  /** Something kept changed, here or in another window. Coalesced. */
  onDidChange(listener: () => void): Disposable;
}
