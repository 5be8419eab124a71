/** Reads a journal: its lines, its events and the state that they are reduced to. Skips and counts the lines that a crash left incomplete. */
import { cutDepth } from '../../acp/json/depth';
import type { SessionEvent, SessionOpened } from '../../core/model/event';
import { reduce } from '../../core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../../core/model/state';
import { joinChunks } from '../view/feed';
import { isNewerHeader, type JournalHeader, journalHeader } from './journalHeader';

/** The facts about a journal without its events. */
interface JournalFacts {
  readonly header: JournalHeader;
  /** The sequence number of the next event: above that of each event, because ids are made of the numbers. */
  readonly next: number;
  /** Lines that could not be read. */
  readonly skipped: number;
  /** True when a newer version wrote the journal, which may hold events that this version does not read. */
  readonly isNewer?: boolean;
}

export interface ReadJournal extends JournalFacts {
  readonly events: SessionEvent[];
}

/** The reduced state of a journal. */
export interface ReducedJournal extends JournalFacts {
  readonly state: SessionState;
  /** The time of the last event, ms since the epoch; undefined when there is none. */
  readonly at?: number;
  /** The newest `session_opened` event. */
  readonly opened?: SessionOpened;
  /** True when the agent has had the session at some time. */
  readonly wasReady: boolean;
}

/** The header and events in a journal's text; undefined when its first line is not a header. */
export function parseJournal(text: string): ReadJournal | undefined {
  const events: SessionEvent[] = [];
  const lines = new Lines((event) => void events.push(event));
  lines.all(text);
  return lines.facts && { ...lines.facts, events };
}

/** Returns a journal's events, none when there is no journal. All of them are in memory at once, as copying a conversation needs. */
export async function readEvents(portions: AsyncIterable<readonly string[]>): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  const lines = new Lines((event) => void events.push(event));
  for await (const portion of portions) {
    portion.forEach((line) => lines.line(line));
  }
  return events;
}

/**
 * Reduces a journal's events portion by portion and drops them afterwards: keeping all of them would cost more than reducing (benchmark `restore`).
 * The journal need not fit into one string, and other work can run between two portions.
 */
export async function reducePortions(portions: AsyncIterable<readonly string[]>): Promise<ReducedJournal | undefined> {
  const reduction = new JournalReduction();
  for await (const lines of portions) {
    for (const line of lines) {
      reduction.lines.line(line);
    }
  }
  return reduction.end();
}

/** Events that are reduced at once: enough to join runs of chunks, few enough to be garbage collected early. */
const PORTION = 512;

class JournalReduction {
  readonly lines = new Lines((event) => this.add(event));
  private state = EMPTY_STATE;
  private at: number | undefined;
  private opened: SessionOpened | undefined;
  private wasReady = false;
  private some: SessionEvent[] = [];

  end(): ReducedJournal | undefined {
    this.reduce();
    const { at, opened, state, wasReady } = this;
    const { facts } = this.lines;
    return facts && { ...facts, state, ...(at !== undefined && { at }), ...(opened && { opened }), wasReady };
  }

  private add(event: SessionEvent): void {
    this.at = event.at;
    if (this.some.push(event) === PORTION) {
      this.reduce();
    }
    if (event.type === 'session_opened') {
      this.opened = event;
    } else if (event.type === 'session_ready') {
      this.wasReady = true;
    }
  }

  private reduce(): void {
    this.state = joinChunks(this.some).reduce(reduce, this.state);
    this.some = [];
  }
}

/** Parses a journal's lines, the header first. */
class Lines {
  private header: JournalHeader | undefined;
  private isNewer = false;
  private isFirst = true;
  private next = 0;
  private skipped = 0;

  constructor(private readonly onEvent: (event: SessionEvent) => void) {}

  /** Undefined when the first line was not a header. */
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
      this.header = this.isNewer || journalHeader.validate(header) ? (header as JournalHeader) : undefined;
      this.isFirst = false;
      return;
    }
    if (line === '' || !this.header) {
      return;
    }
    const parsed = parseLine(line) as { seq?: unknown; event?: { type?: unknown; at?: unknown } } | undefined | null;
    if (typeof parsed?.event?.type === 'string' && typeof parsed.event.at === 'number') {
      this.onEvent(parsed.event as SessionEvent);
      this.next = Math.max(this.next + 1, typeof parsed.seq === 'number' ? parsed.seq + 1 : 0);
    } else {
      this.skipped++;
    }
  }
}

/** The offset of the end of the line that begins at `start`, without its line feed. */
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
