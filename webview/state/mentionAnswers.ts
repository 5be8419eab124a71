/** The host's suggestions for the text typed after an `@`. Answers to earlier requests are ignored. */
import type { FromView, MentionRow, ToView } from '../../src/core/protocol/view';

export class MentionAnswers {
  /** The text of the last request; undefined when there is none. */
  text: string | undefined;
  rows: readonly MentionRow[] = [];
  /** True until the first answer to the last request arrives. */
  isPending = false;
  /** True while the host lists the files for the first time. */
  isListing = false;
  private queryId = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly post: (message: FromView) => void) {}

  /** Requests suggestions, unless `text` is the last requested text. Undefined cancels the request. */
  ask(text: string | undefined): void {
    if (text === this.text) {
      return;
    }
    this.text = text;
    this.queryId++;
    this.isPending = text !== undefined;
    if (text === undefined) {
      this.rows = [];
      this.isListing = false;
    } else {
      // The earlier suggestions stay on the screen until the answer arrives.
      this.post({ type: 'find_mentions', queryId: this.queryId, text });
    }
  }

  receive({ queryId, rows, done, isListing }: Extract<ToView, { type: 'mention_rows' }>): void {
    if (queryId !== this.queryId || this.text === undefined) {
      return;
    }
    const isListingNow = isListing === true;
    const isNews = isListingNow !== this.isListing;
    this.isListing = isListingNow;
    if (rows.length > 0 || done) {
      this.rows = rows;
      this.isPending = false;
    } else if (!isNews) {
      return;
    }
    this.listeners.forEach((listener) => listener());
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
