/**
 * A session's events on disk, one JSON line each, appended soon after they happen and readable by the user only. The first line says what the
 * journal is of. Read back by `journalReading`.
 */
import type { SessionEvent } from '../../core/model/event';
import type { Clock, Disposable, Log } from '../../core/model/ports';
import { isQueueEvent } from '../../core/queue/queuedMessage';
import type { JournalHeader } from './journalHeader';
import { JournalRedaction } from './journalRedaction';
import { summaryOf } from './journalSummary';
import { runningState, type StandingState } from './sessionOutcome';
import type { SessionStore } from '../store';

/** Appends text to one file, in order. */
export interface JournalFile {
  append(text: string): Promise<void>;
  /** `text` becomes all that is in it; a reader gets the old text or the new one, whole. */
  replace(text: string): Promise<void>;
  /** What lists say of the conversation, as JSON; replaces what was kept before. */
  describe(summary: string): Promise<void>;
}

/** Well under the 100 ms that an event may take to the disk. */
const FLUSH_MS = 50;

export class Journal implements Disposable {
  private pending = '';
  /** What is pending replaces what was written. */
  private whole = false;
  private timer: Disposable | undefined;
  private writing: Promise<void> = Promise.resolve();
  private failed = false;
  private described = '';
  private describedRunning: StandingState | undefined;
  private readonly subscription: Disposable;
  private readonly redaction: JournalRedaction;

  constructor(
    private readonly file: JournalFile,
    private readonly store: SessionStore,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly header: JournalHeader,
    /** What must not be written; see `JournalRedaction`. */
    secrets: () => readonly string[] = () => [],
    /** True for a journal that exists: its header is there. */
    goesOn = false,
  ) {
    this.redaction = new JournalRedaction(secrets);
    // A crash may have torn the last line: going on starts a new one.
    this.pending = goesOn ? '\n' : JSON.stringify(header) + '\n';
    this.schedule();
    this.subscription = store.onEvents((firstSeq, events, whole) => this.onEvents(firstSeq, events, whole));
  }

  /** Everything so far is on disk when this resolves. */
  async flush(): Promise<void> {
    this.pending += this.redaction.rest();
    this.write();
    this.describe();
    await this.writing;
  }

  /** What happened so far is on disk when this resolves, but for the ends of texts that may go on as a value that must not be written. */
  written(): Promise<void> {
    this.write();
    return this.writing;
  }

  dispose(): void {
    this.subscription.dispose();
    this.pending += this.redaction.rest();
    this.write();
    this.describe();
  }

  private onEvents(firstSeq: number, events: readonly SessionEvent[], whole: boolean): void {
    if (whole) {
      this.whole = true;
      this.redaction.forget();
      this.pending = JSON.stringify(this.header) + '\n';
    }
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      // What is queued is the user's until it is sent; a name is kept among the marks.
      this.pending += isQueueEvent(event) || event.type === 'session_renamed' ? '' : this.redaction.lines(firstSeq + index, event);
    }
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= this.clock.after(FLUSH_MS, () => {
      this.write();
      // While a turn runs its beginning, its end and whether it waits for the user are enough.
      const running = runningState(this.store.state);
      if (!this.store.state.turn || running !== this.describedRunning) {
        this.describedRunning = running;
        this.describe();
      }
    });
  }

  private write(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.pending === '' || this.failed) {
      this.pending = '';
      return;
    }
    const text = this.pending;
    const write = this.whole ? () => this.file.replace(text) : () => this.file.append(text);
    this.pending = '';
    this.whole = false;
    this.enqueue(write);
  }

  private describe(): void {
    const summary = this.redaction.line(JSON.stringify(summaryOf(this.header, this.store.state)));
    if (summary !== this.described && !this.failed) {
      this.described = summary;
      this.enqueue(() => this.file.describe(summary));
    }
  }

  private enqueue(write: () => Promise<void>): void {
    this.writing = this.writing.then(write).catch((error: unknown) => {
      // One notice, not one per event: a full disk must not take the conversation down.
      this.failed = true;
      this.log.error(`The journal cannot be written: ${String(error)}`);
    });
  }
}
