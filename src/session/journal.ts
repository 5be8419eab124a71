/**
 * A session's events on disk, one JSON line each, appended soon after they happen and readable by the user only. The first line says what the
 * journal is of. Reading skips what a crash left half written.
 */
import type { SessionEvent, SessionOpened } from '../core/event';
import type { Clock, Disposable, Log } from '../core/ports';
import { reduce } from '../core/reduce';
import { EMPTY_STATE, type SessionState } from '../core/state';
import { joinChunks } from './feed';
import { summaryOf } from './journalSummary';
import type { SessionStore } from './store';

/** A journal's first line. */
export interface JournalHeader {
  /** The format's version. */
  readonly acpHostJournal: 1;
  readonly key: string;
  readonly agentName: string;
  readonly cwd: string;
  /** ms since the epoch */
  readonly createdAt: number;
}

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
  private readonly subscription: Disposable;

  constructor(
    private readonly file: JournalFile,
    private readonly store: SessionStore,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly header: JournalHeader,
    /** True for a journal that exists: its header is there. */
    goesOn = false,
  ) {
    // A crash may have torn the last line: going on starts a new one.
    this.pending = goesOn ? '\n' : JSON.stringify(header) + '\n';
    this.schedule();
    this.subscription = store.onEvents((firstSeq, events, whole) => this.onEvents(firstSeq, events, whole));
  }

  /** Everything so far is on disk when this resolves. */
  async flush(): Promise<void> {
    this.write();
    this.describe();
    await this.writing;
  }

  dispose(): void {
    this.subscription.dispose();
    this.write();
    this.describe();
  }

  private onEvents(firstSeq: number, events: readonly SessionEvent[], whole: boolean): void {
    if (whole) {
      this.whole = true;
      this.pending = JSON.stringify(this.header) + '\n';
    }
    for (let index = 0; index < events.length; index++) {
      this.pending += JSON.stringify({ seq: firstSeq + index, event: events[index] }) + '\n';
    }
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= this.clock.after(FLUSH_MS, () => {
      this.write();
      // While a turn runs its end is soon enough.
      if (!this.store.state.turn) {
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
    const summary = JSON.stringify(summaryOf(this.header, this.store.state));
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

export interface ReadJournal {
  readonly header: JournalHeader;
  readonly events: SessionEvent[];
  /** The number that the next event gets: above that of every event, which ids were made of. */
  readonly next: number;
  /** Lines that could not be read. */
  readonly skipped: number;
}

/** What a journal's text holds; undefined when its first line is no header. */
export function parseJournal(text: string): ReadJournal | undefined {
  const events: SessionEvent[] = [];
  const read = readEvents(text, (event) => void events.push(event));
  return read && { ...read, events };
}

/** Events that are folded at once: enough that runs of chunks are seen, few enough to die young. */
const PORTION = 512;

/** What a journal's text comes to. */
export interface FoldedJournal extends Omit<ReadJournal, 'events'> {
  readonly state: SessionState;
  /** The newest time that the session was opened. */
  readonly opened?: SessionOpened;
  /** The agent had the session at some time. */
  readonly wasReady: boolean;
}

/** The fold of {@link parseJournal}'s events, each let go of once it is folded: keeping them all would cost more than the folding (benchmark `restore`). */
export function foldJournal(text: string): FoldedJournal | undefined {
  let state = EMPTY_STATE;
  let opened: SessionOpened | undefined;
  let wasReady = false;
  let some: SessionEvent[] = [];
  const fold = () => {
    state = joinChunks(some).reduce(reduce, state);
    some = [];
  };
  const read = readEvents(text, (event) => {
    if (some.push(event) === PORTION) fold();
    if (event.type === 'session_opened') opened = event;
    else if (event.type === 'session_ready') wasReady = true;
  });
  fold();
  return read && { ...read, state, ...(opened && { opened }), wasReady };
}

function readEvents(text: string, told: (event: SessionEvent) => void): Omit<ReadJournal, 'events'> | undefined {
  const firstEnd = lineEnd(text, 0);
  const header = parseLine(text.slice(0, firstEnd));
  if (!isHeader(header)) {
    return undefined;
  }
  let skipped = 0;
  let next = 0;
  for (let start = firstEnd + 1, end; start < text.length; start = end + 1) {
    end = lineEnd(text, start);
    if (end === start) {
      continue;
    }
    const parsed = parseLine(text.slice(start, end)) as { seq?: unknown; event?: { type?: unknown; at?: unknown } } | undefined | null;
    if (typeof parsed?.event?.type === 'string' && typeof parsed.event.at === 'number') {
      told(parsed.event as SessionEvent);
      next = Math.max(next + 1, typeof parsed.seq === 'number' ? parsed.seq + 1 : 0);
    } else {
      skipped++;
    }
  }
  return { header, next, skipped };
}

/** Where the line that begins at `start` ends, without its line feed. */
function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is JournalHeader {
  const header = value as Partial<JournalHeader> | undefined | null;
  return (
    header?.acpHostJournal === 1 &&
    typeof header.key === 'string' &&
    typeof header.agentName === 'string' &&
    typeof header.cwd === 'string' &&
    typeof header.createdAt === 'number'
  );
}
