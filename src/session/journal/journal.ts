/**
 * Appends a session's events to its journal on disk, one JSON line each, within 100 ms. Only the user can read the file. The first line is the
 * header that identifies the session. `journalReader` reads the journal back.
 */
import type { SessionEvent } from '../../core/model/event';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { FramePosition } from '../../core/keeper/keptAgent';
import type { Log } from '../../core/platform/log';
import { isBusy } from '../../core/model/select';
import { toJournal } from '../../core/modes/permissionMode';
import { isQueueEvent } from '../../core/model/queuedMessage';
import type { JournalHeader } from './journalHeader';
import { type KeptMark, linesOfFrame, markLine } from './journalLine';
import { JournalRedaction } from './journalRedaction';
import { NotOwnerError } from './notOwnerError';
import { runningState } from './sessionOutcome';
import type { SessionStore } from '../state/store';

/** Appends text to one file, in order. */
export interface JournalFile {
  append(text: string): Promise<void>;
  /** Replaces the contents atomically: a reader gets the old text or the new one, whole. */
  replace(text: string): Promise<void>;
  /** Replaces the stored summary for lists, which is JSON. */
  describe(summary: string): Promise<void>;
}

/** Is notified about the writing of a journal. */
export interface JournalListener {
  /** Another window owns the session now: this one writes nothing more. */
  lost?(): void;
  /** The journal cannot be written. Its lines are kept in memory until it can. Called at most every ten minutes. */
  unsaved?(error: unknown): void;
  /** The journal can be written again, without a gap. */
  saved?(): void;
  /** Lines were written. */
  written?(): void;
}

/** The frames of a kept agent, as far as a journal has their events. */
export interface JournalFrames {
  /** The position in the frames of the session's agent; undefined for one that is not kept. */
  position(): FramePosition | undefined;
  /** The first position in the journal of a restored session. `none`: the session has left its keeper. */
  readonly first?: KeptMark | 'none' | undefined;
}

interface Batch {
  readonly text: string;
  /** True when the text replaces the file's contents. */
  readonly whole: boolean;
  /** The frame up to which the journal is complete with this text. */
  readonly frame?: number | undefined;
}

/** Well under the 100 ms within which an event must reach the disk. */
const FLUSH_MS = 50;
/** ms after which a failed write is tried again. */
const RETRY_MS = 2000;
/** ms within which a failure is reported only once. */
const SAY_AGAIN_MS = 10 * 60 * 1000;
/** UTF-16 units that are kept in memory while they cannot be written. */
const MAX_UNWRITTEN = 64 * 1024 * 1024;

/** Events whose data is stored beside the journal. */
const KEPT_ELSEWHERE: ReadonlySet<string> = new Set([
  'session_renamed',
  'session_marked',
  'change_report',
  'pending_changes',
  'running_changes',
  'account',
  'sharing',
]);

export class Journal implements Disposable {
  private pending = '';
  /** True when the pending text replaces the file's contents. */
  private whole = false;
  private timer: Disposable | undefined;
  private retry: Disposable | undefined;
  /** The texts that are being written or could not be written. */
  private batches: Batch[] = [];
  private writing: Promise<void> = Promise.resolve();
  /** True while writing fails. */
  private isFailing = false;
  private isLost = false;
  /** The time of the last reported failure, ms since the epoch. */
  private saidAt = -Infinity;
  /** Lines that were dropped for lack of memory while writing failed. */
  private dropped = 0;
  private described = '';
  private describedRunning: ReturnType<typeof runningState>;
  private readonly subscription: Disposable;
  private readonly redaction: JournalRedaction;
  /** The last position that the pending text contains. */
  private marked: KeptMark | undefined;
  /** The last frame before the held texts; undefined while none is held. */
  private beforeHeld: number | undefined;
  /** The frame up to which the file is complete. */
  private writtenFrame = 0;

  constructor(
    private readonly file: JournalFile,
    private readonly store: SessionStore,
    private readonly clock: Clock,
    private readonly log: Log,
    readonly header: JournalHeader,
    /** The values that must not be written; see `JournalRedaction`. */
    secrets: () => readonly string[] = () => [],
    /** True for a journal that exists and has a header. */
    goesOn = false,
    private readonly listener: JournalListener = {},
    private readonly frames?: JournalFrames,
  ) {
    this.redaction = new JournalRedaction(secrets);
    // A crash may have torn the last line, so an existing journal continues on a new one.
    this.pending = goesOn ? '\n' : JSON.stringify(header) + '\n';
    const first = frames?.first;
    if (first) {
      this.marked = first === 'none' ? undefined : first;
      this.writtenFrame = this.marked?.frame ?? 0;
      this.pending += markLine(this.marked);
    }
    this.schedule();
    this.subscription = store.onEvents((firstSeq, events, _, continues) => this.onEvents(firstSeq, events, !continues));
  }

  /** Resolves when all events are on disk, unless writing fails. */
  async flush(): Promise<void> {
    this.addRest();
    this.write();
    this.describe();
    await this.writing;
  }

  /** Resolves when the events are on disk, except ends of texts that may be the beginning of a secret value. */
  written(): Promise<void> {
    this.write();
    return this.writing;
  }

  /** True when events are not on disk, and can be written now. */
  get hasPending(): boolean {
    return !this.isFailing && !this.isLost && (this.pending !== '' || this.batches.length > 0);
  }

  /**
   * The number of the last frame whose events are on disk. When the journal cannot be written, those in memory count too: an agent must not wait for
   * the disk for ever.
   */
  storedFrame({ handled }: FramePosition): number {
    const isComplete = this.pending === '' && this.batches.length === 0 && !this.redaction.isHolding;
    return isComplete || this.isFailing || this.isLost ? handled : Math.min(this.writtenFrame, handled);
  }

  dispose(): void {
    this.subscription.dispose();
    this.retry?.dispose();
    this.addRest();
    this.write();
    this.describe();
  }

  private onEvents(firstSeq: number, events: readonly SessionEvent[], whole: boolean): void {
    if (whole) {
      this.whole = true;
      this.redaction.forget();
      this.pending = JSON.stringify(this.header) + '\n';
    }
    const position = this.position();
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      // Queued messages are not part of the journal until they are sent, and a name is stored among the marks.
      if (!isQueueEvent(event) && !KEPT_ELSEWHERE.has(event.type)) {
        this.add(this.redaction.lines(firstSeq + index, toJournal(event)), position);
      }
    }
    this.schedule();
  }

  /** The keeper may repeat frames whose events the window before has stored: until they are handled again, the position is that of the journal. */
  private position(): FramePosition | undefined {
    const position = this.frames?.position();
    const first = this.frames?.first;
    const isBehind = position && first && first !== 'none' && first.id === position.id && first.frame > position.handled;
    return isBehind ? { ...position, handled: first.frame } : position;
  }

  private addRest(): void {
    const position = this.position();
    this.add(this.redaction.rest(), position && { ...position, handling: position.handling ?? position.handled });
  }

  private add(lines: string, position: FramePosition | undefined): void {
    if (!position) {
      this.pending += lines;
      return;
    }
    if (this.marked?.id !== position.id) {
      // The numbers of the frames that follow belong to this keeper.
      this.marked = { id: position.id, frame: position.handled };
      this.pending += markLine(this.marked);
    }
    this.pending += position.handling === undefined || lines === '' ? lines : linesOfFrame(lines, position.handling);
    // A frame that is not complete is delivered again after a crash.
    this.beforeHeld = this.redaction.isHolding ? (this.beforeHeld ?? position.handled) : undefined;
  }

  /** Adds the position to the pending text, where it changed. */
  private mark(): number | undefined {
    const position = this.position();
    if (!position && this.marked) {
      this.marked = undefined;
      this.pending += markLine(undefined);
    }
    if (!position) {
      return undefined;
    }
    const frame = Math.min(this.beforeHeld ?? position.handled, position.handled);
    if (this.marked?.id !== position.id || this.marked.frame !== frame || this.pending !== '') {
      this.marked = { id: position.id, frame };
      this.pending += markLine(this.marked);
    }
    return frame;
  }

  private schedule(): void {
    this.timer ??= this.clock.after(FLUSH_MS, () => {
      this.write();
      // While a turn runs, the summary needs only its beginning, its end and whether it waits for the user.
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
    if (this.pending === '' || this.isLost) {
      this.pending = '';
      return;
    }
    const frame = this.mark();
    const { pending, whole } = this;
    this.pending = '';
    this.whole = false;
    this.keep(pending, whole, frame);
    this.writing = this.writing.then(() => this.writeAll());
  }

  /** Queues text for writing. The memory is limited, because a disk can stay full for days. */
  private keep(text: string, whole: boolean, frame: number | undefined): void {
    if (whole) {
      this.batches = [];
      this.dropped = 0;
    }
    const kept = this.isFailing ? this.batches.reduce((sum, batch) => sum + batch.text.length, 0) : 0;
    if (kept + text.length > MAX_UNWRITTEN && kept > 0) {
      this.dropped += text.split('\n').length - 1;
    } else {
      this.batches.push({ text, whole, frame });
    }
  }

  private async writeAll(): Promise<void> {
    for (let [batch] = this.batches; batch; [batch] = this.batches) {
      try {
        await (batch.whole ? this.file.replace(batch.text) : this.file.append(batch.text));
      } catch (error) {
        return this.onError(error);
      }
      // A text with the whole conversation may have replaced the batch during the write.
      this.batches = this.batches[0] === batch ? this.batches.slice(1) : this.batches;
      this.writtenFrame = batch.frame ?? this.writtenFrame;
      this.listener.written?.();
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

  /** Writes the summary for lists. The code is loaded at the first use. */
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
