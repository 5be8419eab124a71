/**
 * Bytes that arrive in parts. The parts are copied into one buffer, which grows by doubling. A server chooses their size, and a list of parts of one
 * byte would take a hundred times their memory.
 */

/** A larger buffer is freed when it is cleared. */
const KEEP_BYTES = 1024 * 1024;
const FIRST_BYTES = 4096;

export class ByteList {
  private held = Buffer.alloc(0);
  private length = 0;

  get size(): number {
    return this.length;
  }

  /** The bytes, until the next change. */
  get bytes(): Buffer {
    return this.held.subarray(0, this.length);
  }

  /** Copies the part: its memory belongs to the caller. */
  add(part: Uint8Array): void {
    const size = this.length + part.length;
    if (size > this.held.length) {
      const grown = Buffer.allocUnsafe(Math.max(size, this.held.length * 2, FIRST_BYTES));
      this.held.copy(grown, 0, 0, this.length);
      this.held = grown;
    }
    this.held.set(part, this.length);
    this.length = size;
  }

  clear(): void {
    this.length = 0;
    if (this.held.length > KEEP_BYTES) {
      this.held = Buffer.alloc(0);
    }
  }
}
