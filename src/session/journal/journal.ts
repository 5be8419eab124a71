/**
 * A session's events on disk, one JSON line each, appended soon after they happen and readable by the user only. The first line says what the
 * journal is of. Read back by `journalReading`.
 */
import type { SessionEvent } from '../../core/model/event';
import type { Clock, Disposable, Log } from '../../core/model/ports';
import { isBusy } from '../../core/model/select';
import { isQueueEvent } from '../../core/queue/queuedMessage';
import type { JournalHeader } from './journalHeader';
import { JournalRedaction } from './journalRedaction';
import { NotOwnerError } from './notOwner';
import { runningState } from './sessionOutcome';
import type { SessionStore } from '../store';

/** Appends text to one file, in order. */
export interface JournalFile {
  append(text: string): Promise<void>;
  /** `text` becomes all that is in it; a reader gets the old text or the new one, whole. */
  replace(text: string): Promise<void>;
  /** What lists say of the conversation, as JSON; replaces what was kept before. */
  describe(summary: string): Promise<void>;
}

/** What becomes of writing it. */
export interface JournalListener {
  /** Another window has the session from here on: nothing more is written. */
  lost?(): void;
  /** It cannot be written now. What happens is kept until it can; said once in a while. */
  unsaved?(error: unknown): void;
  /** It can again, and nothing is missing. */
  saved?(): void;
}

interface Batch {
  readonly text: string;
  /** Replaces what was written. */
  readonly whole: boolean;
}

/** Well under the 100 ms that an event may take to the disk. */
const FLUSH_MS = 50;
/** ms until what could not be written is tried again. */
const RETRY_MS = 2000;
/** ms in which it is not said again that the disk is full. */
const SAY_AGAIN_MS = 10 * 60 * 1000;
/** UTF-16 units that are kept while they cannot be written. */
const MAX_UNWRITTEN = 64 * 1024 * 1024;

/** What they tell is kept beside the journal. */
const KEPT_ELSEWHERE: ReadonlySet<string> = new Set(['session_renamed', 'session_marked', 'change_report', 'pending_changes']);

export class Journal implements Disposable {
  private pending = '';
  /** What is pending replaces what was written. */
  private whole = false;
  private timer: Disposable | undefined;
  private retry: Disposable | undefined;
  /** What is being written, and what could not be. */
  private batches: Batch[] = [];
  private writing: Promise<void> = Promise.resolve();
  /** It cannot be written now. */
  private isFailing = false;
  private isLost = false;
  /** When it was said last that it cannot be written, ms since the epoch. */
  private saidAt = -Infinity;
  /** Lines that there was no memory left for, while it could not be written. */
  private dropped = 0;
  private described = '';
  private describedRunning: ReturnType<typeof runningState>;
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
    private readonly listener: JournalListener = {},
  ) {
    this.redaction = new JournalRedaction(secrets);
    // A crash may have torn the last line: going on starts a new one.
    this.pending = goesOn ? '\n' : JSON.stringify(header) + '\n';
    this.schedule();
    this.subscription = store.onEvents((firstSeq, events, _, continues) => this.onEvents(firstSeq, events, !continues));
  }

  /** Everything so far is on disk when this resolves, as far as it can be written. */
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
    this.retry?.dispose();
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
      this.pending += isQueueEvent(event) || KEPT_ELSEWHERE.has(event.type) ? '' : this.redaction.lines(firstSeq + index, event);
    }
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= this.clock.after(FLUSH_MS, () => {
      this.write();
      // While a turn runs its beginning, its end and whether it waits for the user are enough.
      const running = runningState(this.store.state);
      if (!isBusy(this.store.state) || running !== this.describedRunning) {
        this.describedRunning = running;
        this.describe();
      }
    });
  }

  private write(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { pending, whole } = this;
    if (pending === '' || this.isLost) {
      this.pending = '';
      return;
    }
    this.pending = '';
    this.whole = false;
    this.keep(pending, whole);
    this.writing = this.writing.then(() => this.writeAll());
  }

  /** For writing, in memory that has an end: a disk can be full for days. */
  private keep(text: string, whole: boolean): void {
    if (whole) {
      this.batches = [];
      this.dropped = 0;
    }
    const kept = this.isFailing ? this.batches.reduce((sum, batch) => sum + batch.text.length, 0) : 0;
    if (kept + text.length > MAX_UNWRITTEN && kept > 0) {
      this.dropped += text.split('\n').length - 1;
    } else {
      this.batches.push({ text, whole });
    }
  }

  private async writeAll(): Promise<void> {
    for (let [batch] = this.batches; batch; [batch] = this.batches) {
      try {
        await (batch.whole ? this.file.replace(batch.text) : this.file.append(batch.text));
      } catch (error) {
        return this.onError(error);
      }
      // Another may have come in its place meanwhile, with all of the conversation.
      this.batches = this.batches[0] === batch ? this.batches.slice(1) : this.batches;
    }
    if (this.isFailing) {
      this.isFailing = false;
      await this.addDropped();
      this.log.info(`The journal of ${this.header.key} can be written again.`);
      this.listener.saved?.();
      this.describe();
    }
  }

  private onError(error: unknown): void {
    if (error instanceof NotOwnerError) {
      this.isLost = true;
      this.batches = [];
      this.subscription.dispose();
      this.listener.lost?.();
      return;
    }
    this.retry?.dispose();
    this.retry = this.clock.after(RETRY_MS, () => {
      this.writing = this.writing.then(() => this.writeAll());
    });
    if (!this.isFailing) {
      this.isFailing = true;
      this.log.error(`The journal of ${this.header.key} cannot be written: ${String(error)}`);
      if (this.clock.now() - this.saidAt > SAY_AGAIN_MS) {
        this.saidAt = this.clock.now();
        this.listener.unsaved?.(error);
      }
    }
  }

  private async addDropped(): Promise<void> {
    if (this.dropped > 0) {
      const { leftOut } = await import('./journalCut');
      this.batches.push({ text: leftOut({ count: this.dropped, seq: this.store.seq, at: this.clock.now() }), whole: false });
      this.dropped = 0;
      this.writing = this.writing.then(() => this.writeAll());
    }
  }

  /** What lists say of it; its code is loaded with the first time. */
  private describe(): void {
    if (!this.isLost) {
      this.writing = this.writing
        .then(() => this.writeSummary())
        .catch((error: unknown) => {
          this.described = '';
          if (!(error instanceof NotOwnerError)) {
            this.log.warn(`The summary of ${this.header.key} cannot be written: ${String(error)}`);
          }
        });
    }
  }

  private async writeSummary(): Promise<void> {
    const { summaryOf } = await import('./journalSummary');
    const summary = this.redaction.line(JSON.stringify(summaryOf(this.header, this.store.state)));
    if (summary !== this.described && !this.isFailing && !this.isLost) {
      this.described = summary;
      await this.file.describe(summary);
    }
  }
}
