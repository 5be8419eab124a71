/** What the agent gets of an output: plain text, the newest bytes of it. */
import { ByteStripper, ERASES_BELOW, ERASES_ROW, MOVES_UP } from '../text/ansi/stripBytes';
import { ByteRing } from './ring';
import { completeLength, startOfCharacter } from './utf8';

/** Bytes, when the agent names no limit. */
export const DEFAULT_OUTPUT_LIMIT = 1024 * 1024;
/** Bytes an agent can ask us to hold for one command at most; what is over it counts as truncated. */
export const MAX_OUTPUT_LIMIT = 32 * 1024 * 1024;

/** Raw bytes that wait to be made plain. */
const MAX_RAW = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const LF_BYTES = Uint8Array.of(LF);

/** Rows that are held below the cursor. */
const MAX_BELOW = 500;

/**
 * Output arrives raw and is made plain when it is read, or when much of it waits. A progress line counts by its last frame: text before a carriage
 * return is overwritten, and takes no room of the limit. So do rows that a program draws again after it has moved the cursor up.
 */
export class PlainOutput {
  private readonly limit: number;
  private raw: Uint8Array[] = [];
  private rawBytes = 0;
  /** Whole lines. */
  private readonly ring: ByteRing;
  /** The last line, which a carriage return may still replace. */
  private readonly line: ByteRing;
  private readonly plain = new ByteStripper(true);
  /** The rows below the cursor, after it has moved up. */
  private below: Uint8Array[] = [];
  /** The cursor came back to a row: the next text on it replaces the row. */
  private isOld = false;
  /** The beginning of a line was let go. */
  private lost = false;

  /** @param limit UTF-8 bytes */
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

  /** The text so far, at most the limit in UTF-8 bytes. @param final no more comes; until then half a character at the end waits */
  read(final: boolean): { readonly output: string; readonly truncated: boolean } {
    this.takeRaw();
    // The rows at the end that were erased are blank.
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
    // What is no UTF-8 becomes U+FFFD, which is longer than the byte it stands for.
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

  /** Goes to the next row, which has its text while the cursor was above it. */
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
    // Without a carriage return, all whole lines are one piece.
    const isPlain = !bytes.includes(CR) && this.below.length === 0 && !this.isOld;
    let end = isPlain ? bytes.lastIndexOf(LF) : bytes.indexOf(LF);
    for (; end >= 0; end = bytes.indexOf(LF, at)) {
      this.addToLine(bytes.subarray(at, end));
      if (this.line.truncated) {
        // The ring must not join earlier lines and the end of this one.
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
