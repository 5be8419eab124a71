/** Find in a conversation, for one view: looks in portions, keeps the answer up to date while the conversation goes on, and forgets it when told. */
import { ConversationTexts } from '../../text/find/conversationTexts';
import { findIn, type KnownCount, type Sought, soughtBy } from '../../text/find/find';
import type { FindQuery, Found } from '../../core/protocol/findQuery';
import type { Clock, Disposable } from '../../core/model/ports';
import type { SessionStore } from '../store';

/** UTF-16 units that are looked at before everybody else gets their turn: a few ms. */
const PORTION = 96 * 1024;
/** ms between a change of the conversation and the new answer. */
const REFRESH_MS = 250;

interface Search {
  readonly findId: number;
  readonly sought: Sought;
  readonly known: Map<string, KnownCount>;
  reported: string;
}

export class Finder implements Disposable {
  private search: Search | undefined;
  private run: Generator<number, Found> | undefined;
  /** What all searches look through, until nobody looks for anything. */
  private texts: ConversationTexts | undefined;
  private timer: Disposable | undefined;
  private subscription: Disposable | undefined;

  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
    /** Called with each answer that differs from the one before. */
    private readonly tell: (findId: number, found: Found) => void,
  ) {}

  /** Looks for this instead of what was looked for before; with an empty text, for nothing. @param findId comes back with the answers */
  find(findId: number, query: FindQuery): void {
    const { texts } = this;
    this.stop();
    const sought = soughtBy(query);
    if (!sought) {
      if (query.text !== '') {
        this.tell(findId, { count: 0, capped: false, hits: [] });
      }
      return;
    }
    this.texts = texts ?? new ConversationTexts();
    this.search = { findId, sought, known: new Map(), reported: '' };
    this.subscription = this.store.onEvents(() => this.onEvents());
    this.start();
  }

  /** Nobody wants to know any more. */
  stop(): void {
    this.timer?.dispose();
    this.subscription?.dispose();
    this.search = this.run = this.texts = this.timer = this.subscription = undefined;
  }

  dispose(): void {
    this.stop();
  }

  private onEvents(): void {
    // A run that is under way looks at the state it began with; its end starts another one.
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
          this.tell(search.findId, step.value);
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
