/** What the host says could be meant by what is typed behind an `@`. An answer to an earlier question is nobody's. */
import type { FromView, MentionRow, ToView } from '../../../src/core/protocol/view';

export class MentionAnswers {
  /** What was asked last; undefined: nothing is asked. */
  text: string | undefined;
  rows: readonly MentionRow[] = [];
  /** Nothing came yet for what was asked last. */
  isPending = false;
  private queryId = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly post: (message: FromView) => void) {}

  /** Asks, unless that is what was asked last; undefined: nothing any more. */
  ask(text: string | undefined): void {
    if (text === this.text) {
      return;
    }
    this.text = text;
    this.queryId++;
    this.isPending = text !== undefined;
    if (text === undefined) {
      this.rows = [];
    } else {
      // What was found before stays on the screen until the answer is here.
      this.post({ type: 'find_mentions', queryId: this.queryId, text });
    }
  }

  receive({ queryId, rows, done }: Extract<ToView, { type: 'mention_rows' }>): void {
    if (queryId !== this.queryId || this.text === undefined) {
      return;
    }
    if (rows.length > 0 || done) {
      this.rows = rows;
      this.isPending = false;
      this.listeners.forEach((listener) => listener());
    }
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
