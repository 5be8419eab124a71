/** The newest bytes of an output, up to a limit. */
import { startOfCharacter } from './utf8';

const FIRST_CAPACITY = 4096;
const LF = 0x0a;
const KEPT_CAPACITY = 32 * 1024;

/**
 * A ring buffer that grows with its content, up to `limit`. Each byte is written once, and copied again only while the buffer grows (amortised
 * O(1)).
 */
export class ByteRing {
  private readonly limit: number;
  private buffer = new Uint8Array(0);
  private start = 0;
  private length = 0;
  private written = 0;

  /** @param limit the limit in bytes, 0 or more */
  constructor(limit: number) {
    this.limit = Math.max(0, Math.floor(limit));
  }

  /** The number of all bytes ever pushed. */
  get total(): number {
    return this.written;
  }

  /** True when older bytes were dropped. */
  get truncated(): boolean {
    return this.written > this.length;
  }

  /** Appends a copy of `bytes`. */
  push(bytes: Uint8Array): void {
    this.written += bytes.length;
    const added = bytes.length > this.limit ? bytes.subarray(bytes.length - this.limit) : bytes;
    const length = Math.min(this.limit, this.length + added.length);
    if (length > this.buffer.length) {
      this.grow(length);
    }
    if (added.length === 0) {
      return;
    }
    const dropped = this.length + added.length - length;
    const end = (this.start + this.length) % this.buffer.length;
    const first = Math.min(added.length, this.buffer.length - end);
    this.buffer.set(added.subarray(0, first), end);
    this.buffer.set(added.subarray(first), 0);
    this.start = (this.start + dropped) % this.buffer.length;
    this.length = length;
  }

  /** Returns a copy of the content, oldest first. After a truncation it starts at a character. */
  bytes(): Uint8Array {
    const copy = this.copy(new Uint8Array(this.length));
    return this.truncated ? copy.subarray(startOfCharacter(copy, 0)) : copy;
  }

  /** Removes the last line, with its LF at the end, and returns it without the LF. Returns undefined when the buffer is empty. */
  takeLine(): Uint8Array | undefined {
    if (this.length === 0) {
      return undefined;
    }
    const at = (index: number): number => this.buffer[(this.start + index) % this.buffer.length]!;
    let from = this.length - 1;
    while (from > 0 && at(from - 1) !== LF) {
      from--;
    }
    const line = new Uint8Array(this.length - 1 - from);
    for (let index = 0; index < line.length; index++) {
      line[index] = at(from + index);
    }
    this.written -= this.length - from;
    this.length = from;
    return line;
  }

  /** Forgets everything, including the total, and keeps only a little memory. */
  clear(): void {
    if (this.buffer.length > KEPT_CAPACITY) {
      this.buffer = new Uint8Array(0);
    }
    this.start = this.length = this.written = 0;
  }

  private grow(atLeast: number): void {
    const capacity = Math.min(this.limit, Math.max(FIRST_CAPACITY, this.buffer.length * 2, atLeast));
    this.buffer = this.copy(new Uint8Array(capacity));
    this.start = 0;
  }

  private copy(target: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const first = Math.min(this.length, this.buffer.length - this.start);
    target.set(this.buffer.subarray(this.start, this.start + first));
    target.set(this.buffer.subarray(0, this.length - first), first);
    return target;
  }
}
