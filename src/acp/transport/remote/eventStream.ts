/**
 * The reader of an event stream (HTML standard, "Server-sent events"). Each event is one JSON text. The reader takes bytes in chunks of any size and
 * parses no JSON.
 */
import { isUtf8 } from 'node:buffer';
import { ByteList } from './byteList';

/** The amount that is kept of both ends of an event that is too long. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 1024;

const LF = 10;
const CR = 13;
const SPACE = 32;
const LINE_END = Buffer.from('\n');
const DATA = Buffer.from('data:');
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Receives the events of an {@link EventReader} in their order. */
export interface EventSink {
  /** The data of one event, never blank. `damaged`: the bytes were not valid UTF-8. */
  message(text: string, damaged: boolean): void;
  /** An event over the limit was skipped. `bytes` is the length of its data, `head` its beginning, `tail` its end. */
  skipped(bytes: number, head: string, tail: string): void;
}

export class EventReader {
  /** The bytes of the line whose end has not arrived. */
  private readonly line = new ByteList();
  /** The length of that line, also while it is skipped. */
  private lineSize = 0;
  /** The data of the event whose blank line has not arrived. */
  private readonly data = new ByteList();
  private hasData = false;
  /** Set while the rest of an event over the limit is counted. */
  private skipping: { bytes: number; readonly head: string; tail: Buffer } | undefined;
  private isFirstLine = true;
  private endedWithCr = false;

  /** @param limit in bytes; longer events are skipped without being buffered */
  constructor(
    private readonly sink: EventSink,
    private readonly limit: number,
  ) {}

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    if (this.endedWithCr && bytes.length > 0) {
      this.endedWithCr = false;
      start = bytes[0] === LF ? 1 : 0;
    }
    let nextCr = bytes.indexOf(CR, start);
    for (;;) {
      const lf = bytes.indexOf(LF, start);
      if (nextCr !== -1 && nextCr < start) {
        nextCr = bytes.indexOf(CR, start);
      }
      const end = nextCr !== -1 && (lf === -1 || nextCr < lf) ? nextCr : lf;
      if (end === -1) {
        this.hold(bytes.subarray(start));
        return;
      }
      this.hold(bytes.subarray(start, end));
      this.endLine();
      start = end + 1;
      if (end === nextCr) {
        if (start === bytes.length) {
          this.endedWithCr = true;
        } else if (bytes[start] === LF) {
          start++;
        }
      }
    }
  }

  /** The stream has ended. The rest is passed on as it is, so that a message that was cut is seen. */
  end(): void {
    this.endLine();
    this.dispatch();
  }

  private hold(part: Buffer): void {
    if (part.length === 0) {
      return;
    }
    if (this.skipping) {
      this.skip(this.skipping, part);
      return;
    }
    this.lineSize += part.length;
    if (this.lineSize + this.data.size <= this.limit + DATA.length + 1) {
      this.line.add(part);
      return;
    }
    this.line.add(part);
    const line = this.line.bytes;
    this.data.add(valueOf(line) ?? line);
    const data = this.data.bytes;
    this.skipping = { bytes: data.length, head: data.toString('utf8', 0, HEAD_BYTES), tail: Buffer.from(data.subarray(-TAIL_BYTES)) };
    this.clear();
  }

  private skip(skipping: NonNullable<EventReader['skipping']>, part: Buffer): void {
    skipping.bytes += part.length;
    skipping.tail = Buffer.from(Buffer.concat([skipping.tail, part.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES));
    this.lineSize += part.length;
  }

  private endLine(): void {
    const size = this.lineSize;
    this.lineSize = 0;
    if (this.skipping) {
      if (size === 0) {
        this.dispatch();
      }
      return;
    }
    let line = this.line.bytes;
    this.line.clear();
    if (this.isFirstLine) {
      this.isFirstLine = false;
      line = line.subarray(0, BOM.length).equals(BOM) ? line.subarray(BOM.length) : line;
    }
    if (line.length === 0) {
      this.dispatch();
      return;
    }
    const value = valueOf(line);
    // Comments keep the connection alive. Names, ids and pauses have no meaning in this protocol.
    if (value) {
      if (this.hasData) {
        this.data.add(LINE_END);
      }
      this.hasData = true;
      this.data.add(value);
    }
  }

  private dispatch(): void {
    if (this.skipping) {
      const { bytes, head, tail } = this.skipping;
      this.skipping = undefined;
      this.clear();
      this.sink.skipped(bytes, head, tail.toString('utf8'));
      return;
    }
    const data = this.data.bytes;
    const text = data.toString('utf8');
    const isDamaged = text.includes('\ufffd') && !isUtf8(data);
    this.clear();
    if (text.trim() !== '') {
      this.sink.message(text, isDamaged);
    }
  }

  private clear(): void {
    this.line.clear();
    this.data.clear();
    this.hasData = false;
  }
}

/** Returns the value of a `data` field; undefined for another line. */
function valueOf(line: Buffer): Buffer | undefined {
  if (!line.subarray(0, DATA.length).equals(DATA)) {
    return undefined;
  }
  return line.subarray(line[DATA.length] === SPACE ? DATA.length + 1 : DATA.length);
}
