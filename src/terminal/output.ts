/** What the agent gets of an output: plain text, the newest bytes of it. */
import { ByteStripper } from '../text/ansi/stripBytes';
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

/**
 * Output arrives raw and is made plain when it is read, or when much of it waits. A progress line counts by its last frame: text before a carriage
 * return is overwritten, and takes no room of the limit.
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
    const all = Buffer.concat([this.ring.bytes(), this.line.bytes()]);
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
      this.take(this.plain.push(chunk));
    }
    this.rawBytes = 0;
  }

  private take(bytes: Uint8Array): void {
    let at = 0;
    // Without a carriage return, all whole lines are one piece.
    let end = bytes.includes(CR) ? bytes.indexOf(LF) : bytes.lastIndexOf(LF);
    for (; end >= 0; end = bytes.indexOf(LF, at)) {
      this.addToLine(bytes.subarray(at, end));
      if (this.line.truncated) {
        // The ring must not join earlier lines and the end of this one.
        this.lost = true;
        this.ring.clear();
      }
      this.ring.push(this.line.bytes());
      this.ring.push(bytes.subarray(end, end + 1));
      this.line.clear();
      at = end + 1;
    }
    this.addToLine(bytes.subarray(at));
  }

  private addToLine(bytes: Uint8Array): void {
    const cr = bytes.lastIndexOf(CR);
    if (cr >= 0) {
      this.line.clear();
    }
    this.line.push(cr >= 0 ? bytes.subarray(cr + 1) : bytes);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
