/** Highlights the matches on the page with the CSS highlight API. No element is created or changed, so nothing renders again. */
import { MAX_MATCHES } from '../../src/text/find/pattern';
import { matchesIn } from './renderedText';
import type { Match, Search } from '../state/search';

/** Names in `style/find.css`. */
const ALL = 'acp-find';
const CURRENT = 'acp-find-current';
/** ms between a change of the page and the updated highlights. */
const AFTER_CHANGE = 60;

/** An entry's element, as rendered by `transcript/list/entry.tsx`. */
export function entryElement(log: Element, entryId: string): HTMLElement | undefined {
  return log.querySelector<HTMLElement>(`[data-slot="${CSS.escape(entryId)}"]`) ?? undefined;
}

export class Marks {
  private known = new Map<Element, readonly (StaticRange | undefined)[]>();
  private observer: MutationObserver | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly log: Element,
    private readonly search: Search,
  ) {}

  /** Returns the matches of an entry that is on the page. */
  matchesOf(entry: Element): readonly (StaticRange | undefined)[] {
    const known = this.known.get(entry);
    if (known) {
      return known;
    }
    const { pattern } = this.search;
    const ranges = pattern ? matchesIn(entry, pattern, MAX_MATCHES) : [];
    if (this.observer) {
      this.known.set(entry, ranges);
    } // Without an observer no one would clear an outdated result.
    return ranges;
  }

  /** The search text has changed. */
  forget(): void {
    this.known.clear();
  }

  /** Highlights all matches and updates them when the page changes. */
  paint(): void {
    if (!this.observer) {
      this.observer = new MutationObserver((records) => this.onMutations(records));
      this.observer.observe(this.log, { subtree: true, childList: true, characterData: true });
    }
    const { found, current } = this.search;
    const all = new Highlight();
    for (const [entryId] of found?.hits ?? []) {
      const entry = entryElement(this.log, entryId);
      if (entry) {
        this.matchesOf(entry).forEach((range) => range && all.add(range));
      }
    }
    CSS.highlights.set(ALL, all);
    const range = current && this.rangeOf(current);
    const one = range ? new Highlight(range) : new Highlight();
    one.priority = 1;
    CSS.highlights.set(CURRENT, one);
  }

  /** Removes the highlights. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.observer?.disconnect();
    this.observer = undefined;
    this.known.clear();
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
  }

  /** Returns a match's range if the match is on the page. A folded entry has not all of its matches there. */
  rangeOf({ entryId, nth }: Match): StaticRange | undefined {
    const entry = entryElement(this.log, entryId);
    const ranges = entry ? this.matchesOf(entry) : [];
    return ranges[Math.min(nth, ranges.length - 1)];
  }

  private onMutations(records: readonly MutationRecord[]): void {
    for (const { target, removedNodes } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const entry = element?.closest('[data-slot]');
      if (entry) {
        this.known.delete(entry);
      }
      if (removedNodes.length > 0 && (!entry || entry.querySelector(':scope > .subagent'))) {
        this.dropRemoved();
      }
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.paint();
    }, AFTER_CHANGE);
  }

  private dropRemoved(): void {
    for (const entry of this.known.keys()) {
      if (!entry.isConnected) {
        this.known.delete(entry);
      }
    }
  }
}
