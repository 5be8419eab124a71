/** Reads a journal: its lines, its events and the state that they are reduced to. Skips and counts the lines that a crash left incomplete. */
import { cutDepth } from '../../acp/json/depth';
import type { SessionEvent, SessionOpened } from '../../core/model/event';
import { reduce } from '../../core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../../core/model/state';
import { joinChunks } from '../view/feed';
import { isNewerHeader, type JournalHeader, journalHeader } from './journalHeader';
import type { KeptMark } from './journalLine';

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

/** The conversation of a journal up to a frame of a kept agent. */
export interface KeptConversation extends Pick<KeptMark, 'id' | 'frame'> {
  readonly state: SessionState;
  readonly at?: number;
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
  /** The same without the events of frames that the keeper of the agent sends again. Absent when no keeper had the agent. */
  readonly kept?: KeptConversation;
}

/** The header and events in a journal's text; undefined when its first line is not a header. */
export function parseJournal(text: string): ReadJournal | undefined {
  const events: SessionEvent[] = [];
  const lines = new Lines((event) => void events.push(event));
  lines.all(text);
  lines.end();
  return lines.facts && { ...lines.facts, events };
}

/** Returns a journal's events, none when there is no journal. All of them are in memory at once, as copying a conversation needs. */
export async function readEvents(portions: AsyncIterable<readonly string[]>): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  const lines = new Lines((event) => void events.push(event));
  for await (const portion of portions) {
    portion.forEach((line) => lines.line(line));
  }
  lines.end();
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
    const kept = this.keptConversation();
    this.lines.end();
    this.reduce();
    const { at, opened, state, wasReady } = this;
    const { facts } = this.lines;
    return facts && { ...facts, state, ...(at !== undefined && { at }), ...(opened && { opened }), wasReady, ...(kept && { kept }) };
  }

  /** The events after the last position are reduced without those of frames. */
  private keptConversation(): KeptConversation | undefined {
    const { mark } = this.lines;
    const own = this.lines.uncommitted.filter(({ frame }) => frame === undefined).map(({ event }) => event);
    const at = own.at(-1)?.at ?? this.at;
    return mark && { id: mark.id, frame: mark.frame, state: own.reduce(reduce, this.state), ...(at !== undefined && { at }) };
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
  /** The last position in the frames of a kept agent. */
  mark: KeptMark | undefined;
  /** The events from the first one on whose frame may not be complete, in their order. */
  uncommitted: { readonly event: SessionEvent; readonly frame: number | undefined }[] = [];

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

  /** All events count: no keeper sends any of them again. */
  end(): void {
    this.uncommitted.splice(0).forEach(({ event }) => this.onEvent(event));
  }

  /** @param mark undefined when the session has left its kept agent */
  private commit(mark: KeptMark | undefined): void {
    const isSame = mark !== undefined && mark.id === this.mark?.id;
    this.mark = mark;
    if (!isSame) {
      this.end();
      return;
    }
    const isComplete = ({ frame }: { readonly frame: number | undefined }): boolean => frame === undefined || frame <= mark.frame;
    if (mark.isCut) {
      this.uncommitted = this.uncommitted.filter(isComplete);
    }
    const open = this.uncommitted.findIndex((each) => !isComplete(each));
    this.uncommitted.splice(0, open < 0 ? Infinity : open).forEach(({ event }) => this.onEvent(event));
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
    const parsed = parseLine(line) as
      | { seq?: unknown; event?: { type?: unknown; at?: unknown }; frame?: unknown; kept?: unknown }
      | undefined
      | null;
    if (parsed && parsed.kept !== undefined) {
      this.commit(isMark(parsed.kept) ? parsed.kept : undefined);
    } else if (typeof parsed?.event?.type === 'string' && typeof parsed.event.at === 'number') {
      const frame = typeof parsed.frame === 'number' ? parsed.frame : undefined;
      if (frame === undefined && this.uncommitted.length === 0) {
        this.onEvent(parsed.event as SessionEvent);
      } else {
        this.uncommitted.push({ event: parsed.event as SessionEvent, frame });
      }
      this.next = Math.max(this.next + 1, typeof parsed.seq === 'number' ? parsed.seq + 1 : 0);
    } else {
      this.skipped++;
    }
  }
}

function isMark(value: unknown): value is KeptMark {
  const { id, frame } = (value ?? {}) as { id?: unknown; frame?: unknown };
  return typeof id === 'string' && typeof frame === 'number';
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
