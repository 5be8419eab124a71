/** What the user looks for in the conversation, what the host has found of it, and which of the matches they are at. */
import { findPattern } from '../../src/text/find/pattern';
import type { FindQuery, Found } from '../../src/core/protocol/findQuery';
import type { FromView } from '../../src/core/protocol/view';

/** One match: the `nth`, from 0, in an entry. */
export interface Match {
  readonly entryId: string;
  readonly nth: number;
}

/** Where the user wants to be: at this text in what an entry says. */
export interface FindPlace {
  readonly entryId: string;
  readonly text: string;
}

export interface SearchDependencies {
  post(message: FromView): void;
  /** The entry's place in the conversation; -1 for one that is not there. */
  indexOf(entryId: string): number;
  /** The entry that the user looks at. */
  reading(): string | undefined;
}

const NOTHING: FindQuery = { text: '', caseSensitive: false, wholeWord: false };

export class Search {
  isOpen = false;
  query = NOTHING;
  /** What was found for `query`; undefined while there is no answer yet, and when nothing is looked for. */
  found: Found | undefined;
  current: Match | undefined;
  /** Opens the bar with the focus in it. Set by the bar; before there is one, it will open as soon as it is there. */
  show: () => void = () => {
    this.wanted = true;
  };
  /** The bar was asked for before it was there. */
  wanted = false;
  /** Opens the bar with this text, at this entry. Set by the bar; before there is one, it will as soon as it is there. */
  goTo: (place: FindPlace) => void = (place) => {
    this.wantedPlace = place;
  };
  wantedPlace: FindPlace | undefined;
  private findId = 0;
  /** The answer that is waited for is to what was looked for already. */
  private resumed = false;
  /** Where to begin with what is found: the entry that was in front when the user began to type. */
  private from: string | undefined;
  private readonly listeners = new Set<(moved: boolean) => void>();

  constructor(private readonly ports: SearchDependencies) {}

  /** Hears of every change; `moved`: the user is to be shown another match. Returns the way out. */
  subscribe(listener: (moved: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** There is no bar any more. */
  waitForBar(): void {
    this.wanted = false;
    this.wantedPlace = undefined;
    this.goTo = (place) => {
      this.wantedPlace = place;
    };
    this.show = () => {
      this.wanted = true;
    };
  }

  /** What matches look like; undefined when nothing is looked for. */
  get pattern(): RegExp | undefined {
    return findPattern(this.query);
  }

  /** Where `current` stands among all, from 1; 0: nowhere. */
  get place(): number {
    let before = 0;
    for (const [entryId, count] of this.found?.hits ?? []) {
      if (entryId === this.current?.entryId) {
        return before + this.current.nth + 1;
      }
      before += count;
    }
    return 0;
  }

  /** @param text to look for instead of what was looked for last */
  open(text: string | undefined): void {
    this.isOpen = true;
    this.from = this.ports.reading();
    this.ask(text === undefined ? this.query : { ...this.query, text });
  }

  /** As {@link open}: of what is found the first at this entry, or after it, is where the user is taken. */
  openAt({ entryId, text }: FindPlace): void {
    this.isOpen = true;
    this.current = undefined;
    this.from = entryId;
    this.ask({ ...NOTHING, text });
  }

  close(): void {
    this.isOpen = false;
    this.found = this.current = undefined;
    this.ports.post({ type: 'find', findId: ++this.findId, ...NOTHING });
    this.tell(false);
  }

  set(change: Partial<FindQuery>): void {
    this.ask({ ...this.query, ...change });
  }

  /** What the host found; an answer to an older question is ignored. */
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
    this.tell(isFirst && !this.resumed && this.current !== undefined);
    this.resumed = false;
  }

  /** What another page of the session looked for; undefined: nothing. */
  adopt(query: FindQuery | undefined): void {
    this.isOpen = query !== undefined;
    this.query = query ?? this.query;
    this.found = this.current = undefined;
    this.tell(false);
  }

  /** The session is shown again: what was looked for is looked for anew, and nothing moves for it. */
  resume(): void {
    if (this.isOpen) {
      this.found = undefined;
      this.resumed = true;
      this.ports.post({ type: 'find', findId: ++this.findId, ...this.query });
    }
  }

  /** To the next match, or with -1 the one before; round at the ends. */
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
    this.tell(true);
  }

  private ask(query: FindQuery): void {
    this.from = this.current?.entryId ?? this.from;
    this.query = query;
    this.found = this.current = undefined;
    this.resumed = false;
    this.ports.post({ type: 'find', findId: ++this.findId, ...query });
    this.tell(false);
  }

  /** The first match from where the user was on; behind the last one it starts again at the first. */
  private nearest(): Match | undefined {
    const hits = this.found?.hits ?? [];
    const from = this.from === undefined ? -1 : this.ports.indexOf(this.from);
    const hit = hits.find(([entryId]) => this.ports.indexOf(entryId) >= from) ?? hits[0];
    return hit && { entryId: hit[0], nth: 0 };
  }

  private tell(moved: boolean): void {
    for (const listener of [...this.listeners]) {
      listener(moved);
    }
  }
}
