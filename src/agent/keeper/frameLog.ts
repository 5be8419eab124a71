/**
 * The agent's frames that no window has stored yet, by number. The newest are in memory, and the rest in a file without a
 * name, which no other process can open. When both are full, the agent must wait.
 */
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

/** `damaged`: a line with characters for bytes that are not UTF-8. `skipped`: the facts about a line that was too long, as JSON. */
export type FrameKind = 'line' | 'damaged' | 'skipped';

export interface LoggedFrame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
}

interface Slot {
  readonly kind: FrameKind;
  /** Undefined for a frame in the file. */
  bytes: Buffer | undefined;
  offset: number;
  readonly length: number;
}

export interface FrameLogLimits {
  /** Bytes that are held in memory before the file is used. */
  readonly memory: number;
  /** Bytes of frames, in memory and in the file, above which the agent waits. */
  readonly total: number;
  /** The number of frames above which the agent waits: short ones take more memory than they have bytes. */
  readonly frames: number;
}

const MEGABYTE = 1024 * 1024;
export const FRAME_LOG_LIMITS: FrameLogLimits = { memory: 32 * MEGABYTE, total: 128 * MEGABYTE, frames: 1_000_000 };

export class FrameLog {
  private readonly slots: Slot[] = [];
  /** The number of the first slot. */
  private first = 1;
  private memoryBytes = 0;
  private totalBytes = 0;
  private file: number | undefined;
  private fileEnd = 0;
  private inFile = 0;
  private hasFailed = false;

  /** @param path of the file, which is made when it is needed, and deleted at once where the system allows that */
  constructor(
    private readonly path: string,
    private readonly limits: FrameLogLimits = FRAME_LOG_LIMITS,
    private readonly onError: (error: unknown) => void = () => undefined,
  ) {}

  /** The number of the last frame; 0 when there was none. */
  get last(): number {
    return this.first + this.slots.length - 1;
  }

  /** The number of the last frame that was dropped because a window has stored it. */
  get stored(): number {
    return this.first - 1;
  }

  /** True when the agent must wait until a window has stored frames. */
  get isFull(): boolean {
    const { memory, total, frames } = this.limits;
    return this.totalBytes >= total || this.slots.length >= frames || (this.hasFailed && this.memoryBytes >= memory);
  }

  /** Returns the number of the frame. */
  add(bytes: Buffer, kind: FrameKind = 'line'): number {
    const { length } = bytes;
    const slot: Slot = { kind, bytes, offset: 0, length };
    this.slots.push(slot);
    this.totalBytes += length;
    this.memoryBytes += length;
    if (this.memoryBytes > this.limits.memory) {
      this.moveToFile(slot);
    }
    return this.last;
  }

  /** The frame with this number; undefined when there is none, or a window has stored it. */
  read(n: number): LoggedFrame | undefined {
    const slot = this.slots[n - this.first];
    return slot && { kind: slot.kind, bytes: slot.bytes ?? this.inFileAt(slot) };
  }

  /** Drops the frames up to this number. */
  drop(n: number): void {
    const count = Math.min(Math.max(n - this.first + 1, 0), this.slots.length);
    for (const slot of this.slots.splice(0, count)) {
      this.totalBytes -= slot.length;
      if (slot.bytes === undefined) {
        this.inFile--;
      } else {
        this.memoryBytes -= slot.length;
      }
    }
    this.first += count;
    if (this.inFile === 0 && this.fileEnd > 0 && this.file !== undefined) {
      this.fileEnd = 0;
      ftruncateSync(this.file);
      this.hasFailed = false;
    }
  }

  close(): void {
    if (this.file !== undefined) {
      closeSync(this.file);
      this.file = undefined;
      rmSync(this.path, { force: true });
    }
  }

  /** A full disk leaves the frame in memory. */
  private moveToFile(slot: Slot): void {
    try {
      this.file ??= this.open();
      const bytes = slot.bytes!;
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(this.file, bytes, written, bytes.length - written, this.fileEnd + written);
      }
      slot.offset = this.fileEnd;
      slot.bytes = undefined;
      this.fileEnd += bytes.length;
      this.inFile++;
      this.memoryBytes -= slot.length;
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) {
        this.onError(error);
      }
      this.hasFailed = true;
    }
  }

  private open(): number {
    rmSync(this.path, { force: true });
    const file = openSync(this.path, 'wx+', 0o600);
    if (process.platform !== 'win32') {
      rmSync(this.path, { force: true });
    }
    return file;
  }

  private inFileAt({ offset, length }: Slot): Buffer {
    const bytes = Buffer.alloc(length);
    for (let read = 0; read < length; ) {
      const count = readSync(this.file!, bytes, read, length - read, offset + read);
      if (count === 0) {
        throw new Error('The log of frames is damaged.');
      }
      read += count;
    }
    return bytes;
  }
}
