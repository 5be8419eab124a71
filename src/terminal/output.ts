/** What the agent gets of an output: plain text, the newest bytes of it. */
import { ByteStripper } from '../text/ansi/stripBytes';
import { ByteRing } from './ring';
import { completeLength, startOfCharacter } from './utf8';

/** Bytes, when the agent names no limit. */
export const DEFAULT_OUTPUT_LIMIT = 1024 * 1024;
/** Bytes an agent can ask us to hold for one command at most; what is over it counts as truncated. */
export const MAX_OUTPUT_LIMIT = 32 * 1024 * 1024;

/**
 * Raw bytes that wait to be read are held up to this multiple of the limit: so much of an output can be escape sequences before a flood
 * leaves less plain text than the limit allows.
 */
const RAW_PER_PLAIN = 4;
const MIN_RAW = 64 * 1024;
const LF = 0x0a;

/**
 * Output arrives raw and is made plain when it is read: a flood that nobody reads costs a copy per byte, and what is overwritten before a
 * read is never looked at. Each byte is made plain once at most.
 */
export class PlainOutput {
  private readonly limit: number;
  private readonly raw: ByteRing;
  private readonly ring: ByteRing;
  private plain = new ByteStripper();
  /** Output was let go before it was made plain. */
  private lost = false;

  /** @param limit UTF-8 bytes */
  constructor(limit: number = DEFAULT_OUTPUT_LIMIT) {
    this.limit = Math.min(limit, MAX_OUTPUT_LIMIT);
    this.ring = new ByteRing(this.limit);
    this.raw = new ByteRing(Math.max(MIN_RAW, this.limit * RAW_PER_PLAIN));
  }

  push(chunk: Uint8Array): void {
    this.raw.push(chunk);
  }

  /** The text so far, at most the limit in UTF-8 bytes. @param final no more comes; until then half a character at the end waits */
  read(final: boolean): { readonly output: string; readonly truncated: boolean } {
    this.takeRaw();
    let bytes = this.ring.bytes();
    if (!final) {
      bytes = bytes.subarray(0, completeLength(bytes));
    }
    const truncated = this.lost || this.ring.truncated;
    const output = decode(bytes);
    // What is no UTF-8 becomes U+FFFD, which is longer than the byte it stands for.
    if (bytes.length * 3 <= this.limit || Buffer.byteLength(output) <= this.limit) {
      return { output, truncated };
    }
    const encoded = Buffer.from(output);
    return { output: decode(encoded.subarray(startOfCharacter(encoded, encoded.length - this.limit))), truncated: true };
  }

  private takeRaw(): void {
    let raw = this.raw.bytes();
    if (this.raw.truncated) {
      // What was held came before what was lost. A line end ends nearly every escape sequence that the cut went through.
      this.lost = true;
      this.ring.clear();
      this.plain = new ByteStripper();
      raw = raw.subarray(raw.subarray(0, MIN_RAW / 2).indexOf(LF) + 1);
    }
    this.raw.clear();
    this.ring.push(this.plain.push(raw));
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
