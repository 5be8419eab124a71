/**
 * The latest frames of a connection, in both directions, in a ring that is limited in number and in size, with the agent's stderr lines between them.
 * Recording stores a reference and formats nothing; the text is made when it is viewed.
 */
import type { Clock } from '../../core/platform/clock';
import { LineRedaction } from '../redaction/lineRedaction';
import type { Redaction } from '../redaction/redact';

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
}

export interface TraceLimits {
  /** entries */
  readonly entries?: number;
  /** UTF-16 units of all entries together */
  readonly size?: number;
  /** UTF-16 units of one entry; only the beginning of a longer one is kept */
  readonly entrySize?: number;
}

export interface JsonLinesOptions {
  /** ms since the epoch that `t` counts from; default: the first entry's time */
  readonly startedAt?: number;
  /** The redaction to apply; default: none. */
  readonly redaction?: Redaction;
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
  /** Called with every entry while a viewer follows the trace. Must only record that there is a new entry. */
  onEntry: (() => void) | undefined;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    limits: TraceLimits = {},
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

  /** The entries in the ring, oldest first. @param from the number of the first entry */
  *entries(from = 0): Iterable<TraceEntry> {
    const end = this.next;
    for (let number = Math.max(from, this.forgotten); number < end; number++) {
      // Skips entries that were dropped meanwhile.
      if (number >= this.forgotten) {
        yield this.ring[(this.first + number - this.forgotten) % this.maxEntries]!;
      }
    }
  }

  /**
   * Returns one JSON text per entry: `{"t":ms,"dir":"a2c"|"c2a","msg":<the frame>}`. Other lines and cut frames have `text` (and `length`) instead of
   * `msg`. Frames are inserted as they were on the wire, so ids keep their digits.
   */
  *jsonLines({ startedAt, redaction }: JsonLinesOptions = {}): Iterable<string> {
    let start = startedAt;
    const lines = redaction && { stderr: new LineRedaction(redaction), noise: new LineRedaction(redaction) };
    for (const { at, kind, text, length } of this.entries()) {
      start ??= at;
      const head = `{"t":${at - start},"dir":"${kind}"`;
      const isFrame = kind === 'a2c' || kind === 'c2a';
      const cut = length !== text.length;
      const shown =
        isFrame || kind === 'skipped'
          ? redaction?.frame(text, { fromClient: kind === 'c2a', cut })
          : kind === 'note'
            ? redaction?.text(text)
            : lines?.[kind].line(text);
      if (isFrame && !cut) {
        yield `${head},"msg":${shown ?? text}}`;
      } else {
        yield `${head},"text":${JSON.stringify(shown ?? text)}${cut ? `,"length":${length}` : ''}}`;
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
    this.ring[(this.first + this.count) % this.maxEntries] = { at: this.clock.now(), kind, text: kept, length };
    this.count++;
    this.size += kept.length;
    this.onEntry?.();
  }
}
