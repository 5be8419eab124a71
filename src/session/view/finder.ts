/** The find function of one view: searches a conversation in portions and refreshes the result when the conversation changes, until it is stopped. */
import { ConversationTexts } from '../../text/find/conversationTexts';
import { findIn, type KnownCount, type FindMatcher, matcherFor } from '../../text/find/find';
import type { FindQuery, Found } from '../../core/protocol/messages/findQuery';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { SessionStore } from '../state/store';

/** UTF-16 units that are searched before other work can run: a few ms. */
const PORTION = 96 * 1024;
/** ms between a change of the conversation and the new result. */
const REFRESH_MS = 250;

interface Search {
  readonly findId: number;
  readonly sought: FindMatcher;
  readonly known: Map<string, KnownCount>;
  reported: string;
}

export class Finder implements Disposable {
  private search: Search | undefined;
  private run: Generator<number, Found> | undefined;
  /** The searchable texts, kept from one search to the next until `stop`. */
  private texts: ConversationTexts | undefined;
  private timer: Disposable | undefined;
  private subscription: Disposable | undefined;

  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
    /** Called with each result that differs from the previous one. */
    private readonly post: (findId: number, found: Found) => void,
  ) {}

  /** Replaces the current search; an empty text ends it. @param findId identifies the results */
  find(findId: number, query: FindQuery): void {
    const { texts } = this;
    this.stop();
    const sought = matcherFor(query);
    if (!sought) {
      if (query.text !== '') {
        this.post(findId, { count: 0, capped: false, hits: [] });
      }
      return;
    }
    this.texts = texts ?? new ConversationTexts();
    this.search = { findId, sought, known: new Map(), reported: '' };
    this.subscription = this.store.onEvents(() => this.onEvents());
    this.start();
  }

  /** Ends the search. */
  stop(): void {
    this.timer?.dispose();
    this.subscription?.dispose();
    this.search = this.run = this.texts = this.timer = this.subscription = undefined;
  }

  dispose(): void {
    this.stop();
  }

  private onEvents(): void {
    // A running search uses the state at its start. A new one starts after its end.
    this.timer ??= this.clock.after(REFRESH_MS, () => this.start());
  }

  private start(): void {
    const { search, texts } = this;
    if (search && texts) {
      this.run = findIn(this.store.state, search.sought, search.known, texts);
      this.resumeAt(this.store.state);
    }
  }

  private resumeAt(state: SessionStore['state']): void {
    const { search, run } = this;
    if (!search || !run) {
      return;
    }
    this.timer?.dispose();
    this.timer = undefined;
    for (let units = 0; units < PORTION; ) {
      const step = run.next();
      if (step.done) {
        this.run = undefined;
        const reported = JSON.stringify(step.value);
        if (reported !== search.reported) {
          search.reported = reported;
          this.post(search.findId, step.value);
        }
        if (this.search === search && this.store.state !== state) {
          this.onEvents();
        }
        return;
      }
      units += step.value;
    }
    this.timer = this.clock.after(0, () => this.resumeAt(state));
  }
}
