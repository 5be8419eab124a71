/** The user's search in the conversation: the query, the host's result and the current match. */
import { findPattern } from '../../src/text/find/pattern';
import type { FindQuery, Found } from '../../src/core/protocol/messages/findQuery';
import type { FromView } from '../../src/core/protocol/view';
import { Listeners } from '../../src/core/platform/listeners';

/** One match: the `nth`, from 0, in an entry. */
export interface Match {
  readonly entryId: string;
  readonly nth: number;
}

/** A target for the search: this text in this entry. */
export interface FindTarget {
  readonly entryId: string;
  readonly text: string;
}

export interface SearchDependencies {
  post(message: FromView): void;
  /** The index in the session's own conversation of the entry, or of the card of the subagent that has it; -1 if it is not there. */
  indexOf(entryId: string): number;
  /** The entry that the user reads. */
  reading(): string | undefined;
}

const NOTHING: FindQuery = { text: '', caseSensitive: false, wholeWord: false };

export class Search {
  isOpen = false;
  query = NOTHING;
  /** The result for `query`; undefined before the answer, and without a query. */
  found: Found | undefined;
  current: Match | undefined;
  /** Opens the bar and focuses it. Set by the bar. A call before that opens the bar once it is rendered. */
  show: () => void = () => {
    this.wanted = true;
  };
  /** The bar was requested before it was rendered. */
  wanted = false;
  /** Opens the bar with this text, at this entry. Set by the bar. A call before that takes effect once the bar is rendered. */
  goTo: (target: FindTarget) => void = (target) => {
    this.wantedTarget = target;
  };
  wantedTarget: FindTarget | undefined;
  private findId = 0;
  /** The pending answer repeats an earlier query. */
  private resumed = false;
  /** The start of the search: the entry that the user was reading when they began to type. */
  private from: string | undefined;
  private readonly listeners = new Listeners<[moved: boolean]>();

  constructor(private readonly deps: SearchDependencies) {}

  /** Calls `listener` at every change. `moved` is true when another match must be shown. Returns a function that unsubscribes. */
  subscribe(listener: (moved: boolean) => void): () => void {
    return this.listeners.subscribe(listener);
  }

  /** The bar was unmounted, so requests to open it are stored again. */
  waitForBar(): void {
    this.wanted = false;
    this.wantedTarget = undefined;
    this.goTo = (target) => {
      this.wantedTarget = target;
    };
    this.show = () => {
      this.wanted = true;
    };
  }

  /** The pattern of the matches; undefined without a query. */
  get pattern(): RegExp | undefined {
    return findPattern(this.query);
  }

  /** The position of `current` among all matches, from 1; 0 when it is not among them. */
  get position(): number {
    let before = 0;
    for (const [entryId, count] of this.found?.hits ?? []) {
      if (entryId === this.current?.entryId) {
        return before + this.current.nth + 1;
      }
      before += count;
    }
    return 0;
  }

  /** @param text the new search text; undefined keeps the last one */
  open(text: string | undefined): void {
    this.isOpen = true;
    this.from = this.deps.reading();
    this.ask(text === undefined ? this.query : { ...this.query, text });
  }

  /** Like {@link open}, but selects the first match at or after this entry. */
  openAt({ entryId, text }: FindTarget): void {
    this.isOpen = true;
    this.current = undefined;
    this.from = entryId;
    this.ask({ ...NOTHING, text });
  }

  close(): void {
    this.isOpen = false;
    this.found = this.current = undefined;
    this.deps.post({ type: 'find', findId: ++this.findId, ...NOTHING });
    this.emit(false);
  }

  set(change: Partial<FindQuery>): void {
    this.ask({ ...this.query, ...change });
  }

  /** Takes the host's result. The answer to an older query is ignored. */
  receive({ findId, ...found }: Found & { readonly findId: number }): void {
    if (findId !== this.findId || !this.isOpen) {
      return;
    }
    const isFirst = this.found === undefined;
    this.found = found;
    const hit = found.hits.find(([entryId]) => entryId === this.current?.entryId);
    if (hit) {
      this.current = { entryId: hit[0], nth: Math.min(this.current!.nth, hit[1] - 1) };
    } else {
      this.current = this.nearest();
    }
    this.emit(isFirst && !this.resumed && this.current !== undefined);
    this.resumed = false;
  }

  /** Takes the query of another page of the session; undefined: no query. */
  adopt(query: FindQuery | undefined): void {
    this.isOpen = query !== undefined;
    this.query = query ?? this.query;
    this.found = this.current = undefined;
    this.emit(false);
  }

  /** The session is shown again: repeats the search without moving to a match. */
  resume(): void {
    if (this.isOpen) {
      this.found = undefined;
      this.resumed = true;
      this.deps.post({ type: 'find', findId: ++this.findId, ...this.query });
    }
  }

  /** Moves to the next match, or to the previous one with -1, and wraps around at the ends. */
  go(step: 1 | -1): void {
    const hits = this.found?.hits ?? [];
    if (hits.length === 0) {
      return;
    }
    const at = hits.findIndex(([entryId]) => entryId === this.current?.entryId);
    const nth = at < 0 ? -1 : this.current!.nth + step;
    if (at >= 0 && nth >= 0 && nth < hits[at]![1]) {
      this.current = { entryId: hits[at]![0], nth };
    } else {
      const [entryId, count] = hits[(at + step + hits.length) % hits.length]!;
      this.current = { entryId, nth: step > 0 ? 0 : count - 1 };
    }
    this.from = this.current.entryId;
    this.emit(true);
  }

  private ask(query: FindQuery): void {
    this.from = this.current?.entryId ?? this.from;
    this.query = query;
    this.found = this.current = undefined;
    this.resumed = false;
    this.deps.post({ type: 'find', findId: ++this.findId, ...query });
    this.emit(false);
  }

  /** The first match from the user's position on; after the last match, the first. */
  private nearest(): Match | undefined {
    const hits = this.found?.hits ?? [];
    const from = this.from === undefined ? -1 : this.deps.indexOf(this.from);
    const hit = hits.find(([entryId]) => entryId === this.from) ?? hits.find(([entryId]) => this.deps.indexOf(entryId) >= from) ?? hits[0];
    return hit && { entryId: hit[0], nth: 0 };
  }

  private emit(moved: boolean): void {
    this.listeners.call(moved);
  }
}
