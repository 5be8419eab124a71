/** Writes objects in batches: first the flushed bytes to this window's own pack, then their lines to the index. */
import { randomBytes } from 'node:crypto';
import { INDEX, type GitLocation, type IndexEntry, linesOf, type ObjectIndex } from './objectIndex';
import type { StoreFolder } from './storeFolder';
import type { TimeSlices } from './timeSlices';

/** The most bytes and entries of one batch. More would block the event loop. */
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_BATCH_ENTRIES = 1000;

export type NewObject =
  | { readonly hash: string; readonly bytes: Uint8Array; readonly deflated: boolean }
  | { readonly hash: string; readonly git: GitLocation; readonly length: number };

interface Waiting {
  readonly object: NewObject;
  done(): void;
  failed(error: unknown): void;
}

export class PackWriter {
  /** No other window writes to this file, so its offsets are known. */
  private pack = newPack();
  private packLength = 0;
  private waiting: Waiting[] = [];
  private isScheduled = false;
  private order: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: StoreFolder,
    private readonly index: ObjectIndex,
    private readonly slices: TimeSlices,
  ) {}

  /** Resolves when the object is on disk and in the index. Rejects with the disk's error. */
  async add(object: NewObject): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.waiting.push({ object, done, failed });
      if (!this.isScheduled) {
        this.isScheduled = true;
        void this.exclusive(() => this.writeAll());
      }
    });
  }

  /** Runs `run` while no batch is written. */
  exclusive<T>(run: () => Promise<T>): Promise<T> {
    const result = this.order.then(run);
    this.order = result.catch(() => undefined);
    return result;
  }

  /** Writes to another pack from now on. @param length of the pack, 0 when it does not exist */
  continueIn(pack = newPack(), length = 0): void {
    this.pack = pack;
    this.packLength = length;
  }

  private async writeAll(): Promise<void> {
    // Wait one microtask, so that objects added in the same tick are written together.
    await Promise.resolve();
    while (this.slices.isBusy && this.waiting.length < MAX_BATCH_ENTRIES && bytesOf(this.waiting) < MAX_BATCH_BYTES) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    while (this.waiting.length > 0) {
      const batch = this.nextBatch();
      try {
        await this.write(batch.map(({ object }) => object));
        batch.forEach(({ done }) => done());
      } catch (error) {
        batch.forEach(({ failed }) => failed(error));
      }
    }
    this.isScheduled = false;
  }

  private nextBatch(): Waiting[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(this.waiting.length, MAX_BATCH_ENTRIES); count++) {
      bytes += bytesOf([this.waiting[count]!]);
      if (bytes > MAX_BATCH_BYTES && count > 0) {
        break;
      }
    }
    return this.waiting.splice(0, count);
  }

  private async write(objects: readonly NewObject[]): Promise<void> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const entries = await this.appendObjects(objects);
      const lines = linesOf(entries);
      try {
        this.index.appended(lines.length, await this.folder.append(INDEX, lines, { flush: false }));
      } catch (error) {
        // No line names the bytes in the pack.
        await this.dropPack(entries);
        throw error;
      }
      // Another window that deletes unused packs reads the index before it deletes one, so a pack that exists now stays.
      if (await this.exists(entries)) {
        entries.forEach((entry) => this.index.set(entry));
        return;
      }
      this.loseOwnPack();
    }
    throw new Error('The pack was deleted twice.');
  }

  private async appendObjects(objects: readonly NewObject[]): Promise<readonly IndexEntry[]> {
    const pieces = objects.flatMap((object) => ('git' in object ? [] : [object.bytes]));
    if (pieces.length > 0) {
      await this.appendToPack(Buffer.concat(pieces));
    }
    let offset = this.packLength - pieces.reduce((sum, piece) => sum + piece.length, 0);
    return objects.map((object) => {
      if ('git' in object) {
        return object;
      }
      const { hash, bytes, deflated } = object;
      const at = { pack: this.pack, offset, length: bytes.length, deflated };
      offset += bytes.length;
      return { hash, at };
    });
  }

  /** Appends to the pack. After a failure its length is not certain, so the next object begins a new pack. */
  private async appendToPack(bytes: Uint8Array): Promise<void> {
    const { pack, packLength } = this;
    try {
      await this.folder.append(pack, bytes, { at: packLength });
      this.packLength += bytes.length;
    } catch (error) {
      const isDeleted = packLength > 0 && ['ENOENT', 'ESTALE'].includes((error as NodeJS.ErrnoException).code ?? '');
      await this.removeEmpty(pack, packLength);
      this.continueIn();
      if (!isDeleted) {
        throw error;
      }
      this.index.forgetPack(pack);
      await this.appendToPack(bytes);
    }
  }

  private loseOwnPack(): void {
    this.index.forgetPack(this.pack);
    this.continueIn();
  }

  private async dropPack(entries: readonly IndexEntry[]): Promise<void> {
    const first = entries.find((entry) => 'at' in entry);
    if (first && 'at' in first) {
      await this.removeEmpty(first.at.pack, first.at.offset);
      this.continueIn();
    }
  }

  /** Removes a pack without an object, because failed packs must not fill a full disk. */
  private async removeEmpty(pack: string, usedLength: number): Promise<void> {
    if (usedLength === 0) {
      await this.folder.remove(pack).catch(() => undefined);
    }
  }

  private async exists(entries: readonly IndexEntry[]): Promise<boolean> {
    const last = entries.findLast((entry) => 'at' in entry);
    return !last || !('at' in last) || ((await this.folder.length(last.at.pack)) ?? 0) >= last.at.offset + last.at.length;
  }
}

export function newPack(): string {
  return `pack-${randomBytes(6).toString('hex')}`;
}

function bytesOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { object }) => sum + ('git' in object ? 0 : object.bytes.length), 0);
}
