/** The output that the agent gets: plain text, limited to the newest bytes. */
import { ByteStripper, ERASES_BELOW, ERASES_ROW, MOVES_UP } from '../text/ansi/stripBytes';
import { ByteRing } from './ring';
import { completeLength, startOfCharacter } from './utf8';

/** The number of bytes when the agent sets no limit. */
export const DEFAULT_OUTPUT_LIMIT = 1024 * 1024;
/** The maximum number of bytes that an agent can request for one command. Output beyond it counts as truncated. */
export const MAX_OUTPUT_LIMIT = 32 * 1024 * 1024;

/** The maximum number of raw bytes before they are converted to plain text. */
const MAX_RAW = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const LF_BYTES = Uint8Array.of(LF);

/** The maximum number of rows that are stored below the cursor. */
const MAX_BELOW = 500;

/**
 * Stores the output as plain text. Raw output is converted when it is read, or when much of it is pending. Only the last frame of a progress line
 * counts: text before a carriage return is overwritten, and takes no space of the limit. The same applies to rows that a program redraws after it
 * has moved the cursor up.
 */
export class PlainOutput {
  private readonly limit: number;
  private raw: Uint8Array[] = [];
  private rawBytes = 0;
  /** The completed lines. */
  private readonly ring: ByteRing;
  /** The last line, which a carriage return may still replace. */
  private readonly line: ByteRing;
  private readonly plain = new ByteStripper(true);
  /** The rows below the cursor, after it has moved up. */
  private below: Uint8Array[] = [];
  /** True when the cursor has returned to a row, so that the next text replaces it. */
  private isOld = false;
  /** True when the beginning of a line was dropped. */
  private lost = false;

  /** @param limit the limit in UTF-8 bytes */
  constructor(limit: number = DEFAULT_OUTPUT_LIMIT) {
    this.limit = Math.min(limit, MAX_OUTPUT_LIMIT);
    this.ring = new ByteRing(this.limit);
    this.line = new ByteRing(this.limit);
  }

  push(chunk: Uint8Array): void {
    this.raw.push(chunk.slice());
    this.rawBytes += chunk.length;
    if (this.rawBytes > MAX_RAW) {
      this.takeRaw();
    }
  }

  /**
   * Returns the text so far, limited to the newest UTF-8 bytes. @param final true at the end; before that, an incomplete character at the end is
   * held back
   */
  read(final: boolean): { readonly output: string; readonly truncated: boolean } {
    this.takeRaw();
    // Erased rows at the end are blank, and are left out.
    const rows = this.below.slice(0, this.below.findLastIndex((row) => row.length > 0) + 1).flatMap((row) => [LF_BYTES, row]);
    const all = Buffer.concat([this.ring.bytes(), this.line.bytes(), ...rows]);
    const isOver = all.length > this.limit;
    let bytes: Uint8Array = isOver ? all.subarray(startOfCharacter(all, all.length - this.limit)) : all;
    if (this.line.truncated) {
      bytes = this.line.bytes();
    }
    if (!final) {
      bytes = bytes.subarray(0, completeLength(bytes));
    }
    const truncated = this.lost || isOver || this.ring.truncated || this.line.truncated;
    const output = decode(bytes);
    // An invalid byte becomes U+FFFD, which is longer than one byte.
    if (bytes.length * 3 <= this.limit || Buffer.byteLength(output) <= this.limit) {
      return { output, truncated };
    }
    const encoded = Buffer.from(output);
    return { output: decode(encoded.subarray(startOfCharacter(encoded, encoded.length - this.limit))), truncated: true };
  }

  private takeRaw(): void {
    for (const chunk of this.raw.splice(0)) {
      const bytes = this.plain.push(chunk);
      if (this.plain.hasMoves) {
        this.takeMoves(bytes);
      } else {
        this.take(bytes);
      }
    }
    this.rawBytes = 0;
  }

  private takeMoves(bytes: Uint8Array): void {
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte >= MOVES_UP && byte <= ERASES_ROW) {
        this.take(bytes.subarray(from, at));
        this.move(byte, bytes[at + 1]! - 0x80);
        from = at + 2;
        at++;
      }
    }
    this.take(bytes.subarray(from));
  }

  private move(kind: number, rows: number): void {
    if (kind === ERASES_ROW) {
      if (rows === 2 || this.isOld) {
        this.line.clear();
        this.isOld = false;
      }
      return;
    }
    if (kind === ERASES_BELOW) {
      this.below = [];
      if (this.isOld) {
        this.line.clear();
      }
      return;
    }
    for (let row = 0; row < rows; row++) {
      if (kind === MOVES_UP) {
        const above = this.below.length < MAX_BELOW ? this.ring.takeLine() : undefined;
        if (above === undefined) {
          return;
        }
        this.below.unshift(this.line.bytes());
        this.line.clear();
        this.line.push(above);
        this.isOld = true;
      } else if (this.below.length > 0) {
        this.endLine();
      }
    }
  }

  /** Moves to the next row. It has a text already if the cursor was above it. */
  private endLine(): void {
    this.ring.push(this.line.bytes());
    this.ring.push(LF_BYTES);
    this.line.clear();
    const next = this.below.shift();
    this.isOld = next !== undefined;
    this.line.push(next ?? new Uint8Array(0));
  }

  private take(bytes: Uint8Array): void {
    let at = 0;
    // Without a carriage return, all complete lines are added at once.
    const isPlain = !bytes.includes(CR) && this.below.length === 0 && !this.isOld;
    let end = isPlain ? bytes.lastIndexOf(LF) : bytes.indexOf(LF);
    for (; end >= 0; end = bytes.indexOf(LF, at)) {
      this.addToLine(bytes.subarray(at, end));
      if (this.line.truncated) {
        // The ring must not join earlier lines with the end of this one.
        this.lost = true;
        this.ring.clear();
      }
      this.endLine();
      at = end + 1;
    }
    this.addToLine(bytes.subarray(at));
  }

  private addToLine(bytes: Uint8Array): void {
    const cr = bytes.lastIndexOf(CR);
    if (cr >= 0 || (this.isOld && bytes.length > 0)) {
      this.isOld = false;
      this.line.clear();
    }
    this.line.push(cr >= 0 ? bytes.subarray(cr + 1) : bytes);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
