/**
 * The stored objects of a session by hash, as the lines of `objects.jsonl` list them. A line begins with its line feed, so that a torn line costs only
 * itself. Lines are only ever added; a later line of the same hash replaces an earlier one.
 */
import type { StoreFolder } from './storeFolder';
import type { TimeSlices } from './timeSlices';

export const INDEX = 'objects.jsonl';

/** The bytes of an object in a pack file. */
export interface PackLocation {
  readonly pack: string;
  readonly offset: number;
  readonly length: number;
  readonly deflated: boolean;
}

/** A git object with the same bytes. */
export interface GitLocation {
  /** The repository's top folder, absolute. */
  readonly top: string;
  readonly oid: string;
}

export type IndexEntry = { readonly hash: string } & (
  | { readonly at: PackLocation }
  | { readonly git: GitLocation; readonly length: number }
);

export class ObjectIndex {
  readonly packs = new Map<string, PackLocation>();
  readonly git = new Map<string, GitLocation>();
  /** Bytes of the index file that are known to exist; another window may have added more. */
  length = 0;
  private bytes = 0;
  private loading: Promise<void> | undefined;
  private following: Promise<boolean> | undefined;
  /** Locations that were not readable. Their lines are still in the file. */
  private readonly forgotten = new Set<string>();

  constructor(
    private readonly folder: StoreFolder,
    private readonly slices: TimeSlices,
  ) {}

  /** Bytes in packs that entries refer to. */
  get size(): number {
    return this.bytes;
  }

  /** Reads the file once. After a failure the next call tries again. */
  load(): Promise<void> {
    return (this.loading ??= this.read().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    }));
  }

  /** Adds the file's entries to the known ones. */
  async read(): Promise<void> {
    const bytes = await this.folder.readAll(INDEX);
    await this.addLines(bytes ?? Buffer.alloc(0));
    this.length = bytes?.length ?? 0;
  }

  /** Reads the lines that another window has added. Resolves to false when there are none. */
  follow(): Promise<boolean> {
    return (this.following ??= this.readAdded().finally(() => (this.following = undefined)));
  }

  private async readAdded(): Promise<boolean> {
    const from = this.length;
    const length = (await this.folder.length(INDEX)) ?? 0;
    const bytes = length > from ? await this.folder.read(INDEX, from, length - from) : undefined;
    if (!bytes) {
      return false;
    }
    await this.addLines(bytes);
    // The other window may be writing the last line. It is read again then.
    const last = Buffer.from(bytes).lastIndexOf(10);
    const isWhole = last >= 0 && Buffer.from(bytes).at(-1) === 0x7d;
    this.length = Math.max(this.length, isWhole ? length : from + Math.max(last, 0));
    return true;
  }

  async addLines(bytes: Uint8Array): Promise<void> {
    for await (const line of linesIn(bytes, this.slices)) {
      const entry = entryIn(line);
      if (entry && !this.forgotten.has(keyOf(entry))) {
        this.set(entry);
      }
    }
  }

  set(entry: IndexEntry): void {
    this.forgotten.delete(keyOf(entry));
    if ('git' in entry) {
      this.git.set(entry.hash, entry.git);
      return;
    }
    this.bytes += entry.at.length - (this.packs.get(entry.hash)?.length ?? 0);
    this.packs.set(entry.hash, entry.at);
  }

  /** Removes an unreadable location. Does nothing when the hash has another location by now. */
  forget(hash: string, location: PackLocation | GitLocation): void {
    if (this.packs.get(hash) === location) {
      const at = location as PackLocation;
      this.forgotten.add(keyOf({ hash, at }));
      this.bytes -= at.length;
      this.packs.delete(hash);
    } else if (this.git.get(hash) === location) {
      this.forgotten.add(keyOf({ hash, git: location as GitLocation, length: 0 }));
      this.git.delete(hash);
    }
  }

  /** Removes every location in a pack that no longer exists. */
  forgetPack(pack: string): void {
    for (const [hash, at] of this.packs) {
      if (at.pack === pack) {
        this.forget(hash, at);
      }
    }
  }

  /** Removes everything, because the file was deleted or replaced. The next `load` reads the present file. */
  clear(): void {
    this.packs.clear();
    this.git.clear();
    this.bytes = 0;
    this.length = 0;
    this.loading = undefined;
  }

  /** Replaces everything by what was just written to the file. */
  reset(entries: readonly IndexEntry[], length: number): void {
    this.clear();
    this.loading = Promise.resolve();
    entries.forEach((entry) => this.set(entry));
    this.length = length;
  }
}

export function linesOf(entries: readonly IndexEntry[]): Buffer {
  const texts = entries.map((entry) => JSON.stringify('at' in entry ? { hash: entry.hash, ...entry.at } : entry));
  return Buffer.from(texts.map((text) => `\n${text}`).join(''));
}

/** The lines that are not empty, without holding the event loop for a large file. */
export async function* linesIn(bytes: Uint8Array, slices: TimeSlices): AsyncGenerator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; ) {
    const lineFeed = buffer.indexOf(10, start);
    const end = lineFeed < 0 ? buffer.length : lineFeed;
    if (end > start) {
      await slices.next();
      yield buffer.toString('utf8', start, end);
    }
    start = end + 1;
  }
}

/** Undefined for a torn line. */
function entryIn(line: string): IndexEntry | undefined {
  try {
    const { hash, pack, offset, length, deflated, git } = JSON.parse(line) as Record<string, unknown>;
    if (typeof hash !== 'string') {
      return undefined;
    }
    if (typeof git === 'object' && git !== null) {
      const { top, oid } = git as Partial<GitLocation>;
      return typeof top === 'string' && typeof oid === 'string' ? { hash, git: { top, oid }, length: Number(length) } : undefined;
    }
    const isLocation = typeof pack === 'string' && /^pack-[0-9a-f]+$/.test(pack) && isCount(offset) && isCount(length);
    return isLocation ? { hash, at: { pack, offset, length, deflated: deflated === true } } : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function keyOf(entry: IndexEntry): string {
  return 'at' in entry ? `${entry.hash} ${entry.at.pack} ${entry.at.offset}` : `${entry.hash} ${entry.git.oid} ${entry.git.top}`;
}
