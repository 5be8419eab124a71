/**
 * The stored objects of a session by hash, as the lines of `objects.jsonl` list them. A line begins with its line feed, so that a torn line costs
 * only itself. Lines are only ever added; a later line of the same hash replaces an earlier one.
 */
import { type FileId, type FileVersion, isSameFile, type StoreFolder } from './storeFolder';
import { isCount, isStoredPath } from './storedStates';
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
  /** The id of the index file that was read; undefined before, and while it does not exist. */
  private id: FileId | undefined;
  private bytes = 0;
  private loading: Promise<void> | undefined;
  private following: Promise<boolean> | undefined;
  /** Locations that could not be read. Their lines are still in the file. */
  private readonly forgotten = new Set<string>();
  /** Packs that the file names and the folder lacks. A window that deletes packs renames them, and restores those that are needed. */
  private readonly missing = new Set<string>();

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
    const file = await this.folder.readFrom(INDEX, 0);
    await this.addLines(file?.bytes ?? Buffer.alloc(0));
    this.length = file?.bytes.length ?? 0;
    this.id = file?.id;
  }

  /** The known file; undefined before it was read, and while it does not exist. */
  get version(): FileVersion | undefined {
    return this.id && { length: this.length, id: this.id };
  }

  /** True when the known file can still be this one. A file that another window cut, deleted or replaced has other entries. */
  canBe(file: FileVersion | undefined): boolean {
    return this.id === undefined || (file !== undefined && file.length >= this.length && isSameFile(file.id, this.id));
  }

  /** Records that this window has appended to `file`. Does nothing when another window has written, too, because its lines must still be read. */
  appended(length: number, file: FileVersion): void {
    if (file.length === this.length + length && (!this.id || isSameFile(this.id, file.id))) {
      this.length = file.length;
      this.id = file.id;
    }
  }

  /** Reads the lines that another window has added, and those of packs that exist again. Resolves to false when there are none. */
  follow(): Promise<boolean> {
    const read = async (): Promise<boolean> => {
      const isBack = await this.readBack();
      return (await this.readAdded()) || isBack;
    };
    return (this.following ??= read().finally(() => (this.following = undefined)));
  }

  /** Reads the lines of packs that were missing and exist again. Resolves to false when there are none. */
  async readBack(): Promise<boolean> {
    let isBack = false;
    for (const pack of this.missing) {
      if ((await this.folder.length(pack)) !== undefined) {
        this.missing.delete(pack);
        isBack = true;
      }
    }
    if (isBack) {
      await this.read();
    }
    return isBack;
  }

  private async readAdded(): Promise<boolean> {
    const from = this.length;
    const { bytes, id } = (await this.folder.readFrom(INDEX, from)) ?? {};
    if (id && this.id && !isSameFile(id, this.id)) {
      this.clear();
      await this.load();
      return true;
    }
    if (!bytes || bytes.length === 0) {
      return false;
    }
    const length = from + bytes.length;
    await this.addLines(bytes);
    this.id ??= id;
    // The other window may still be writing the last line, which is then read again.
    const last = Buffer.from(bytes).lastIndexOf(10);
    const isWhole = last >= 0 && Buffer.from(bytes).at(-1) === 0x7d;
    this.length = Math.max(this.length, isWhole ? length : from + Math.max(last, 0));
    return true;
  }

  async addLines(bytes: Uint8Array): Promise<void> {
    for await (const line of linesIn(bytes, this.slices)) {
      const entry = entryIn(line);
      if (entry && !this.forgotten.has(keyOf(entry)) && !('at' in entry && this.missing.has(entry.at.pack))) {
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

  /** Returns a key for each known location of an object. */
  locations(): ReadonlySet<string> {
    return new Set(this.entries().map(keyOf));
  }

  /** Returns the hashes of the objects that have a location which is not one of these. */
  hashesElsewhere(locations: ReadonlySet<string>): readonly string[] {
    return this.entries().flatMap((entry) => (locations.has(keyOf(entry)) ? [] : [entry.hash]));
  }

  private entries(): readonly IndexEntry[] {
    return [...[...this.packs].map(([hash, at]) => ({ hash, at })), ...[...this.git].map(([hash, git]) => ({ hash, git, length: 0 }))];
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

  /** Removes every location in a pack that does not exist, until {@link follow} finds it again. */
  forgetPack(pack: string): void {
    this.missing.add(pack);
    for (const [hash, at] of this.packs) {
      if (at.pack === pack) {
        this.bytes -= at.length;
        this.packs.delete(hash);
      }
    }
  }

  /** Removes everything, because the file was deleted or replaced. The next `load` reads the present file. */
  clear(): void {
    this.packs.clear();
    this.git.clear();
    this.missing.clear();
    this.bytes = 0;
    this.length = 0;
    this.id = undefined;
    this.loading = undefined;
  }

  /** Replaces all entries by those that were just written to the file. */
  reset(entries: readonly IndexEntry[], { length, id }: FileVersion): void {
    this.clear();
    this.loading = Promise.resolve();
    entries.forEach((entry) => this.set(entry));
    this.length = length;
    this.id = id;
  }
}

export function linesOf(entries: readonly IndexEntry[]): Buffer {
  const texts = entries.map((entry) => JSON.stringify('at' in entry ? { hash: entry.hash, ...entry.at } : entry));
  return Buffer.from(texts.map((text) => `\n${text}`).join(''));
}

/** Yields the non-empty lines without blocking the event loop for a large file. */
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

/** Returns undefined for a torn line. */
function entryIn(line: string): IndexEntry | undefined {
  try {
    const { hash, pack, offset, length, deflated, git } = JSON.parse(line) as Record<string, unknown>;
    if (typeof hash !== 'string') {
      return undefined;
    }
    // Git is started in this folder for this object, so other values must be rejected.
    if (typeof git === 'object' && git !== null) {
      const { top, oid } = git as Partial<GitLocation>;
      return isStoredPath(top) && isObjectId(oid) ? { hash, git: { top, oid }, length: Number(length) } : undefined;
    }
    const isLocation = typeof pack === 'string' && /^pack-[0-9a-f]+$/.test(pack) && isCount(offset) && isCount(length);
    return isLocation ? { hash, at: { pack, offset, length, deflated: deflated === true } } : undefined;
  } catch {
    return undefined;
  }
}

/** True for the id of an object in a repository with SHA-1 or SHA-256. */
function isObjectId(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

function keyOf(entry: IndexEntry): string {
  return 'at' in entry ? `${entry.hash} ${entry.at.pack} ${entry.at.offset}` : `${entry.hash} ${entry.git.oid} ${entry.git.top}`;
}
