/** A journal read back: its lines, its events, and what they fold to. What a crash left half written is skipped, and counted. */
import { cutDepth } from '../../acp/json/depth';
import type { SessionEvent, SessionOpened } from '../../core/model/event';
import { reduce } from '../../core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../../core/model/state';
import { joinChunks } from '../view/feed';
import { isNewerHeader, type JournalHeader, journalHeader } from './journalHeader';

/** What is known of a journal without its events. */
interface JournalFacts {
  readonly header: JournalHeader;
  /** The number that the next event gets: above that of every event, which ids were made of. */
  readonly next: number;
  /** Lines that could not be read. */
  readonly skipped: number;
  /** Of a version of the format that this one does not know: it may say more than is read. */
  readonly isNewer?: boolean;
}

export interface ReadJournal extends JournalFacts {
  readonly events: SessionEvent[];
}

/** What a journal comes to. */
export interface FoldedJournal extends JournalFacts {
  readonly state: SessionState;
  /** When the last of its events happened, ms since the epoch; undefined without any. */
  readonly at?: number;
  /** The newest time that the session was opened. */
  readonly opened?: SessionOpened;
  /** The agent had the session at some time. */
  readonly wasReady: boolean;
}

/** What a journal's text holds; undefined when its first line is no header. */
export function parseJournal(text: string): ReadJournal | undefined {
  const events: SessionEvent[] = [];
  const lines = new Lines((event) => void events.push(event));
  lines.all(text);
  return lines.facts && { ...lines.facts, events };
}

/** A journal's events; none where there is no journal. They are all kept at once: for what copies a conversation. */
export async function readEvents(portions: AsyncIterable<readonly string[]>): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  const lines = new Lines((event) => void events.push(event));
  for await (const portion of portions) {
    portion.forEach((line) => lines.line(line));
  }
  return events;
}

/**
 * The fold of {@link parseJournal}'s events, each let go of once it is folded: keeping them all would cost more than the folding (benchmark
 * `restore`). The journal need not fit into one string, and the window stays usable: everybody else has their turn between two portions.
 */
export async function foldPortions(portions: AsyncIterable<readonly string[]>): Promise<FoldedJournal | undefined> {
  const fold = new Fold();
  for await (const lines of portions) {
    for (const line of lines) {
      fold.lines.line(line);
    }
  }
  return fold.end();
}

/** Events that are folded at once: enough that runs of chunks are seen, few enough to die young. */
const PORTION = 512;

class Fold {
  readonly lines = new Lines((event) => this.add(event));
  private state = EMPTY_STATE;
  private at: number | undefined;
  private opened: SessionOpened | undefined;
  private wasReady = false;
  private some: SessionEvent[] = [];

  end(): FoldedJournal | undefined {
    this.fold();
    const { at, opened, state, wasReady } = this;
    const { facts } = this.lines;
    return facts && { ...facts, state, ...(at !== undefined && { at }), ...(opened && { opened }), wasReady };
  }

  private add(event: SessionEvent): void {
    this.at = event.at;
    if (this.some.push(event) === PORTION) {
      this.fold();
    }
    if (event.type === 'session_opened') {
      this.opened = event;
    } else if (event.type === 'session_ready') {
      this.wasReady = true;
    }
  }

  private fold(): void {
    this.state = joinChunks(this.some).reduce(reduce, this.state);
    this.some = [];
  }
}

/** Takes a journal's lines, the header first. */
class Lines {
  private header: JournalHeader | undefined;
  private isNewer = false;
  private isFirst = true;
  private next = 0;
  private skipped = 0;

  constructor(private readonly told: (event: SessionEvent) => void) {}

  /** Undefined when the first line was no header. */
  get facts(): JournalFacts | undefined {
    const { header, next, skipped, isNewer } = this;
    return header && { header, next, skipped, ...(isNewer && { isNewer }) };
  }

  all(text: string): void {
    for (let start = 0, end; start < text.length; start = end + 1) {
      end = lineEnd(text, start);
      this.line(text.slice(start, end));
    }
  }

  line(line: string): void {
    if (this.isFirst) {
      const header = parseLine(line);
      this.isNewer = isNewerHeader(header);
      this.header = this.isNewer || journalHeader.is(header) ? (header as JournalHeader) : undefined;
      this.isFirst = false;
      return;
    }
    if (line === '' || !this.header) {
      return;
    }
    const parsed = parseLine(line) as { seq?: unknown; event?: { type?: unknown; at?: unknown } } | undefined | null;
    if (typeof parsed?.event?.type === 'string' && typeof parsed.event.at === 'number') {
      this.told(parsed.event as SessionEvent);
      this.next = Math.max(this.next + 1, typeof parsed.seq === 'number' ? parsed.seq + 1 : 0);
    } else {
      this.skipped++;
    }
  }
}

/** Where the line that begins at `start` ends, without its line feed. */
function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

function parseLine(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    cutDepth(value, line);
    return value;
  } catch {
    return undefined;
  }
}
