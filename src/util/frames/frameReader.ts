/**
 * Reads lines of UTF-8 from bytes: takes chunks of any size and emits whole lines in order, without parsing them. A line over the limit is skipped
 * without being buffered.
 */
import { isUtf8 } from 'node:buffer';

const MEGABYTE = 1024 * 1024;

/** V8 cannot create a longer string, whatever the setting. */
export const LONGEST_STRING = 0x1fffffe8;

/** The default limit for the length of a line. */
export const DEFAULT_MAX_LINE_BYTES = 128 * MEGABYTE;

/** The amount that is kept of both ends of a line that is too long: enough for `jsonrpc`, `id` and `method` in any usual order. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 1024;

/** A larger buffer is freed after its line. */
const KEEP_BYTES = MEGABYTE;

const LF = 10;
/** `{`, with which all messages begin. */
const OPEN = 123;
/** The byte order mark, as a UTF-16 unit. */
const BOM = 0xfeff;

/** Receives the lines of a {@link FrameReader} in wire order, synchronously inside `push` and `end`. */
export interface FrameSink {
  /**
   * One line without its line end and byte order mark; never blank. `damaged`: the bytes were not valid UTF-8, and some characters were replaced by
   * U+FFFD.
   */
  line(text: string, damaged: boolean): void;
  /** A line longer than the limit was skipped. `bytes` is its whole length, `head` its beginning, `tail` its end; they may overlap. */
  skipped(bytes: number, head: string, tail: string): void;
}

export class FrameReader {
  private readonly limit: number;
  /** The beginning of a line whose end has not arrived: `held[0..size)`. Grows by doubling, so that a line takes time linear in its length. */
  private held = Buffer.alloc(0);
  private size = 0;
  /** Set while the rest of a line that is too long is skipped. */
  private skipping: { bytes: number; readonly head: string; tail: Buffer } | undefined;
  private stopped = false;

  /** @param maxLineBytes longer lines are skipped without being buffered */
  constructor(
    private readonly sink: FrameSink,
    maxLineBytes: number = DEFAULT_MAX_LINE_BYTES,
  ) {
    this.limit = Math.min(maxLineBytes, LONGEST_STRING);
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    while (!this.stopped) {
      const end = bytes.indexOf(LF, start);
      if (end < 0) {
        this.hold(bytes, start, bytes.length);
        return;
      }
      if (this.size === 0 && !this.skipping && end - start <= this.limit) {
        this.emit(bytes, start, end);
      } else {
        this.hold(bytes, start, end);
        this.finish();
      }
      start = end + 1;
    }
  }

  /** The stream has ended. A last line without a line end is emitted, too. */
  end(): void {
    if (!this.stopped) {
      this.finish();
      this.stop();
    }
  }

  /** Stops emitting lines, even those of the present chunk. */
  stop(): void {
    this.stopped = true;
    this.held = Buffer.alloc(0);
    this.size = 0;
  }

  private hold(bytes: Buffer, start: number, end: number): void {
    const added = end - start;
    if (this.skipping) {
      this.skipping.bytes += added;
      this.skipping.tail = lastOf(this.skipping.tail, bytes.subarray(start, end));
      return;
    }
    const size = this.size + added;
    if (size > this.limit) {
      const fromHeld = this.held.subarray(0, Math.min(this.size, HEAD_BYTES));
      const fromChunk = bytes.subarray(start, Math.min(end, start + HEAD_BYTES - fromHeld.length));
      const head = Buffer.concat([fromHeld, fromChunk]).toString('utf8');
      const tail = lastOf(this.held.subarray(0, this.size), bytes.subarray(start, end));
      this.skipping = { bytes: size, head: head.charCodeAt(0) === BOM ? head.slice(1) : head, tail };
      this.release();
      return;
    }
    if (size > this.held.length) {
      const grown = Buffer.allocUnsafe(Math.max(size, Math.min(this.held.length * 2, this.limit), 4096));
      this.held.copy(grown, 0, 0, this.size);
      this.held = grown;
    }
    bytes.copy(this.held, this.size, start, end);
    this.size = size;
  }

  private finish(): void {
    if (this.skipping) {
      const { bytes, head, tail } = this.skipping;
      this.skipping = undefined;
      this.sink.skipped(bytes, head, tail.toString('utf8'));
    } else if (this.size > 0) {
      const line = this.held;
      const size = this.size;
      this.size = 0;
      this.emit(line, 0, size, true);
      this.release();
    }
  }

  private release(): void {
    this.size = 0;
    if (this.held.length > KEEP_BYTES) {
      this.held = Buffer.alloc(0);
    }
  }

  /** @param _isReused true when `bytes` is overwritten by the next line */
  protected emit(bytes: Buffer, start: number, end: number, _isReused = false): void {
    if (end === start) {
      return;
    }
    let text = bytes.toString('utf8', start, end);
    if (text.charCodeAt(0) === BOM) {
      text = text.slice(1);
    }
    if (text.charCodeAt(text.length - 1) === 13) {
      text = text.slice(0, -1);
    }
    if (text.charCodeAt(0) === OPEN || text.trim() !== '') {
      // The search is fast in texts that are plain Latin-1. Only a text that contains the character is checked further.
      this.sink.line(text, text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)));
    }
  }
}

/** Receives the lines of a {@link ByteFrameReader}. */
export interface ByteFrameSink extends Omit<FrameSink, 'line'> {
  /** One line without its line feed; never blank. It stays unchanged, and may be a part of a larger buffer. */
  bytes(line: Buffer): void;
}

/** Emits lines as bytes, without decoding them. Leaves a carriage return at the end, and drops a byte order mark. */
export class ByteFrameReader extends FrameReader {
  constructor(
    private readonly byteSink: ByteFrameSink,
    maxLineBytes?: number,
  ) {
    super({ line: () => undefined, skipped: (...args) => byteSink.skipped(...args) }, maxLineBytes);
  }

  protected override emit(bytes: Buffer, start: number, end: number, isReused = false): void {
    const from = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? start + 3 : start;
    const line = bytes.subarray(from, end);
    if (line[0] === OPEN || (line.length > 0 && line.toString('latin1').trim() !== '')) {
      this.byteSink.bytes(isReused ? Buffer.from(line) : line);
    }
  }
}

/** Returns the last {@link TAIL_BYTES} of two buffers as a copy. */
function lastOf(before: Buffer, after: Buffer): Buffer {
  const missing = TAIL_BYTES - after.length;
  return missing > 0
    ? Buffer.concat([before.subarray(Math.max(0, before.length - missing)), after])
    : Buffer.from(after.subarray(-TAIL_BYTES));
}
