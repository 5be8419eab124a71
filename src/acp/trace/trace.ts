/**
 * The latest frames of a connection, in both directions, in a ring that is limited in number and in size, with the agent's stderr lines between them.
 * Recording stores a reference and formats nothing; the text is made when it is viewed.
 */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';

/** agent to client, client to agent, a line of stderr, a line of stdout that is not a message, a line that was too long, a remark of ACP Host. */
export type TraceKind = 'a2c' | 'c2a' | 'stderr' | 'noise' | 'skipped' | 'note';

export interface TraceEntry {
  /** ms since the epoch */
  readonly at: number;
  readonly kind: TraceKind;
  /** The line; its beginning when `length` is larger. */
  readonly text: string;
  /** UTF-16 units of the whole line (bytes for `skipped`). */
  readonly length: number;
  /** The number of the entry among those of all traces with the same {@link TraceOrder}. */
  readonly order: number;
}

/** Counts the entries of traces that are read together. */
export interface TraceOrder {
  next: number;
}

export interface TraceLimits {
  /** entries */
  readonly entries?: number;
  /** UTF-16 units of all entries together */
  readonly size?: number;
  /** UTF-16 units of one entry; only the beginning of a longer one is kept */
  readonly entrySize?: number;
}

/** Returns a JSON text as one line of a log. A message may have several lines, but a line break in JSON is never part of a value. */
function inOneLine(json: string): string {
  return json.includes('\n') ? json.replace(/[\r\n]+/g, ' ') : json;
}

/** The most lines in {@link Trace.trailingStderr} and in {@link Trace.trailingOutput}. */
const TRAILING_LINES = 40;
/** UTF-16 units of one such line. */
const TRAILING_LINE = 1000;

/** The last lines of a stream. */
class Trailing {
  private lines: string[] = [];

  push(line: string): void {
    this.lines.push(line.length > TRAILING_LINE ? line.slice(0, TRAILING_LINE) + '…' : line);
    if (this.lines.length > TRAILING_LINES) {
      this.lines.shift();
    }
  }

  clear(): void {
    if (this.lines.length > 0) {
      this.lines = [];
    }
  }

  get text(): string {
    return this.lines.join('\n');
  }
}

export class Trace {
  private readonly maxEntries: number;
  private readonly maxSize: number;
  private readonly maxEntrySize: number;
  private ring: (TraceEntry | undefined)[] = [];
  /** The ring's oldest entry; reading continues at the array's start after its end. */
  private first = 0;
  private count = 0;
  private size = 0;
  private forgotten = 0;
  private readonly trailing = new Trailing();
  private readonly trailingBoth = new Trailing();
  private hasNoise = false;
  private readonly followers = new Set<() => void>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    limits: TraceLimits = {},
    private readonly order: TraceOrder = { next: 0 },
  ) {
    this.maxEntries = limits.entries ?? 4000;
    this.maxSize = limits.size ?? 16 * 1024 * 1024;
    this.maxEntrySize = limits.entrySize ?? 256 * 1024;
  }

  /** Adds a message from the agent. Only these make earlier stderr irrelevant: the client's frames are no sign that the agent works. */
  received(text: string): void {
    this.trailing.clear();
    this.trailingBoth.clear();
    this.hasNoise = false;
    const frame = inOneLine(text);
    this.add('a2c', frame, frame.length);
  }

  sent(text: string): void {
    this.add('c2a', text, text.length);
  }

  noise(text: string): void {
    this.trailingBoth.push(text);
    this.hasNoise = true;
    this.add('noise', text, text.length);
  }

  /** @param bytes the whole length of a line of which only `head` was read */
  skipped(bytes: number, head: string): void {
    this.add('skipped', head, bytes);
  }

  stderr(line: string): void {
    this.trailing.push(line);
    this.trailingBoth.push(line);
    this.add('stderr', line, line.length);
  }

  note(text: string): void {
    this.add('note', text, text.length);
  }

  /** The agent's stderr after its last message, joined by line breaks: the reason of a crash, without earlier output. */
  trailingStderr(): string {
    return this.trailing.text;
  }

  /**
   * The lines of stdout after the agent's last message, with those of stderr between them; undefined when there are none on stdout. They show what a
   * program is that speaks no ACP. Its terminal sequences are still in it.
   */
  trailingOutput(): string | undefined {
    return this.hasNoise ? this.trailingBoth.text : undefined;
  }

  /** The number of entries that the ring has dropped. */
  get dropped(): number {
    return this.forgotten;
  }

  /** The number of entries so far, which is the number of the next one. */
  get next(): number {
    return this.forgotten + this.count;
  }

  /** Calls `listener` with every entry while a viewer follows the trace. It must only record that there is a new entry. */
  follow(listener: () => void): Disposable {
    this.followers.add(listener);
    return { dispose: () => void this.followers.delete(listener) };
  }

  get isFollowed(): boolean {
    return this.followers.size > 0;
  }

  /** Notifies the followers. */
  notify(): void {
    this.followers.forEach((follower) => follower());
  }

  /** The entry with this number, while the ring has it. */
  entry(number: number): TraceEntry | undefined {
    return number < this.forgotten || number >= this.next ? undefined : this.ring[(this.first + number - this.forgotten) % this.maxEntries];
  }

  /** The entries in the ring, oldest first. @param from the number of the first entry */
  *entries(from = 0): Iterable<TraceEntry> {
    const end = this.next;
    for (let number = Math.max(from, this.forgotten); number < end; number++) {
      // Skips entries that were dropped meanwhile.
      const found = this.entry(number);
      if (found) {
        yield found;
      }
    }
  }

  private add(kind: TraceKind, text: string, length: number): void {
    // A slice of a long string keeps the whole string in memory; a copy through bytes does not.
    const kept = text.length > this.maxEntrySize ? Buffer.from(text.slice(0, this.maxEntrySize)).toString() : text;
    while (this.count > 0 && (this.count === this.maxEntries || this.size + kept.length > this.maxSize)) {
      this.size -= this.ring[this.first]!.text.length;
      this.ring[this.first] = undefined;
      this.first = (this.first + 1) % this.maxEntries;
      this.count--;
      this.forgotten++;
    }
    this.ring[(this.first + this.count) % this.maxEntries] = { at: this.clock.now(), kind, text: kept, length, order: this.order.next++ };
    this.count++;
    this.size += kept.length;
    if (this.isFollowed) {
      this.notify();
    }
  }
}
