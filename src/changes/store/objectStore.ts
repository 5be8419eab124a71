/**
 * File contents by hash, each stored once, in packs that are only appended to. A crash loses at most the objects that were being written, because the
 * line of an object is written after its bytes are on disk. The store's folder may be deleted or become read-only, and the disk may be full, at any
 * time.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { keepOnlyIn } from './compaction';
import { type GitLocation, INDEX, ObjectIndex, type PackLocation } from './objectIndex';
import { type NewObject, PackWriter } from './packWriter';
import { type FileVersion, StoreClosedError, type StoreFolder } from './storeFolder';
import { TimeSlices } from './timeSlices';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Bytes below which deflating costs more than the space that it saves. */
const MIN_DEFLATED = 16 * 1024;

/** The most bytes of an object that is deflated or inflated, because damaged bytes must not fill the memory. */
const MAX_DEFLATED = 256 * 1024 * 1024;

/** The reason why an object was not stored. full: the store's limit is reached; failed: the disk failed, with its `error` (including `ENOSPC`). */
export interface StoreTrouble {
  readonly kind: 'full' | 'failed';
  readonly error?: unknown;
}

/** Resolves to the bytes of a git object, or to undefined when the repository no longer has it. Rejects when git could not run. */
export type GitReader = (top: string, oid: string) => Promise<Uint8Array | undefined>;

/** Returns the SHA-256 of the bytes in hex, which is the name of an object. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The name of the empty object. It is always stored: a pack of no bytes would be a pack that does not exist. */
const EMPTY = hashOf(new Uint8Array());

/** The most attempts of a deletion that another window interrupts. */
const MAX_ATTEMPTS = 3;

export class ObjectStore {
  private readonly slices = new TimeSlices();
  private readonly index: ObjectIndex;
  private readonly writer: PackWriter;
  private readonly pending = new Map<string, Promise<boolean>>();
  /** Bytes that are being written. */
  private reserved = 0;
  /** Locations that this window has written or read. */
  private readonly verified = new WeakSet<PackLocation>();
  private readonly versions = new Map<string, Promise<FileVersion | undefined>>();
  private readonly reported = new Set<StoreTrouble['kind']>();
  private readGit: GitReader | undefined;
  private keepOnlyCalls = 0;
  private keepOnlyDone: Promise<unknown> = Promise.resolve();

  /**
   * @param maxBytes the most bytes of all packs together
   * @param onTrouble called when `put` stores nothing, once per kind until a later object is stored
   */
  constructor(
    private readonly folder: StoreFolder,
    private readonly maxBytes: number,
    readonly onTrouble?: (trouble: StoreTrouble) => void,
  ) {
    this.index = new ObjectIndex(folder, this.slices);
    this.writer = new PackWriter(folder, this.index, this.slices);
    void this.load();
  }

  /** The bytes on disk of all stored objects, without those that git has. */
  get size(): number {
    return this.index.size + this.reserved;
  }

  /** Sets the function that reads the objects of `putGit`. Without it they are unavailable. */
  useGit(read: GitReader): void {
    this.readGit = read;
  }

  /** Resolves to the hash once the bytes are on disk, or to undefined when they could not be stored; see `onTrouble`. Never rejects. */
  async put(bytes: Uint8Array): Promise<string | undefined> {
    await this.slices.next();
    return this.keep(hashOf(bytes), bytes);
  }

  /**
   * Like {@link put}, for the bytes of a git object: stores only its location. Stores the bytes themselves when no reader is set, or when the
   * object's id does not match them, as for a file with a filter.
   */
  async putGit(bytes: Uint8Array, { top, oid }: GitLocation): Promise<string | undefined> {
    await this.slices.next();
    return this.keep(hashOf(bytes), bytes, this.readGit && isBlob(bytes, oid) ? { top, oid } : undefined);
  }

  /** True when the object is listed and its pack is long enough, or git is not known to lack it. Reads no content; see {@link verify}. */
  async has(hash: string): Promise<boolean> {
    if (hash === EMPTY) {
      return true;
    }
    await this.ready();
    const isListed = (): Promise<boolean> => this.isListed(hash, this.readGit !== undefined);
    return isListed()
      .then(async (isKnown) => isKnown || ((await this.index.follow()) && isListed()))
      .catch(() => false);
  }

  /** True when the object's bytes can be read and are correct. Call it before a file is overwritten whose content it must preserve. */
  async verify(hash: string): Promise<boolean> {
    return (await this.get(hash)) !== undefined;
  }

  /**
   * Returns undefined when the object is not stored, or not readable. A missing or damaged object is then removed from the index, so that `put`
   * stores it again.
   */
  async get(hash: string): Promise<Uint8Array | undefined> {
    if (hash === EMPTY) {
      return Buffer.alloc(0);
    }
    await this.ready();
    if (!this.index.packs.has(hash) && !this.index.git.has(hash)) {
      await this.index.follow().catch(() => false);
    }
    for (let at = this.index.packs.get(hash); at; ) {
      const bytes = await this.readPacked(hash, at);
      const next = this.index.packs.get(hash);
      if (bytes || next === at) {
        // The location is still known after an error that may be temporary.
        return bytes ?? this.readFromGit(hash);
      }
      at = next;
    }
    return this.readFromGit(hash);
  }

  /**
   * Deletes all other objects. Objects that are added meanwhile stay.
   * @throws the disk's error; all objects are still stored then
   */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    this.keepOnlyCalls++;
    const done = this.writer.exclusive(async () => {
      if ((await this.folder.length(INDEX)) === undefined) {
        this.index.clear();
        return;
      }
      await this.readPresent();
      const before = this.index.locations();
      // Two windows that replace the index in the same moment would each delete the objects that only the other one's index names.
      await this.folder.exclusive(async () => {
        await this.readPresent();
        // The other window may have added objects while this one waited.
        const { pack, length } = await this.compacted(new Set([...hashes, ...this.index.hashesElsewhere(before)]));
        this.writer.continueIn(pack, length);
      });
    });
    this.keepOnlyDone = done.catch(() => undefined);
    await done;
  }

  private async readPresent(): Promise<void> {
    await this.checkIndex();
    // Does not read the lines that were added since: their objects were added meanwhile, and stay.
    await this.index.readBack();
  }

  /** Starts again when another window that deletes at the same time has renamed the new pack, which no index named yet. */
  private async compacted(hashes: ReadonlySet<string>): ReturnType<typeof keepOnlyIn> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await keepOnlyIn(this.folder, this.index, hashes, unpack);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESTALE' || attempt === MAX_ATTEMPTS) {
          throw error;
        }
      }
    }
  }

  private async ready(): Promise<void> {
    await this.load();
    await this.keepOnlyDone;
  }

  /** An index that cannot be read now is read by the next call. */
  private async load(): Promise<void> {
    await this.index.load().catch(() => undefined);
  }

  private async keep(hash: string, bytes: Uint8Array, git?: GitLocation): Promise<string | undefined> {
    if (hash === EMPTY) {
      return hash;
    }
    const key = `${hash} ${git ? 'git' : ''} ${this.keepOnlyCalls}`;
    let added = this.pending.get(key);
    if (!added) {
      added = this.add(hash, bytes, git).finally(() => this.pending.delete(key));
      this.pending.set(key, added);
    }
    return (await added) ? hash : undefined;
  }

  private async add(hash: string, bytes: Uint8Array, git: GitLocation | undefined): Promise<boolean> {
    for (;;) {
      await this.ready();
      const { keepOnlyCalls } = this;
      const isStored = (await this.isReadable(hash, git !== undefined).catch(() => false)) || (await this.write(hash, bytes, git));
      // A deletion that began meanwhile does not know this object.
      if (!isStored || keepOnlyCalls === this.keepOnlyCalls) {
        return isStored;
      }
    }
  }

  private async write(hash: string, bytes: Uint8Array, git: GitLocation | undefined): Promise<boolean> {
    const object = git ? { hash, git, length: bytes.length } : await packed(hash, bytes);
    const length = 'git' in object ? 0 : object.bytes.length;
    if (length > 0 && this.size + length > this.maxBytes) {
      this.report({ kind: 'full' });
      return false;
    }
    this.reserved += length;
    try {
      await this.writer.add(object);
    } catch (error) {
      if (!(error instanceof StoreClosedError)) {
        this.report({ kind: 'failed', error });
      }
      return false;
    } finally {
      this.reserved -= length;
    }
    const at = this.index.packs.get(hash);
    if (at) {
      this.verified.add(at);
    }
    this.reported.clear();
    return true;
  }

  private report(trouble: StoreTrouble): void {
    if (!this.reported.has(trouble.kind)) {
      this.reported.add(trouble.kind);
      this.onTrouble?.(trouble);
    }
  }

  private async isListed(hash: string, orInGit: boolean): Promise<boolean> {
    await this.checkIndex();
    const at = this.index.packs.get(hash);
    return (at !== undefined && (await this.reaches(hash, at))) || (orInGit && this.index.git.has(hash));
  }

  private async isReadable(hash: string, orInGit: boolean): Promise<boolean> {
    if (!(await this.isListed(hash, orInGit))) {
      return false;
    }
    const at = this.index.packs.get(hash);
    const isVerified = at && (this.verified.has(at) || (await this.readPacked(hash, at)) !== undefined);
    return isVerified || (orInGit && this.index.git.has(hash));
  }

  /** Clears an index that the user has deleted or another window has replaced, because a new store would know only its present lines. */
  private async checkIndex(): Promise<void> {
    const { index } = this;
    if (!index.canBe(await this.versionOf(INDEX))) {
      index.clear();
    }
    await index.load();
  }

  /** True when the pack has the object's range. Removes the object from the index otherwise. */
  private async reaches(hash: string, at: PackLocation): Promise<boolean> {
    const length = (await this.versionOf(at.pack))?.length;
    if (length !== undefined && length >= at.offset + at.length) {
      return true;
    }
    if (length === undefined) {
      this.index.forgetPack(at.pack);
      // Another window may have moved the objects to its own pack.
      await this.index.read().catch(() => undefined);
    } else {
      this.index.forget(hash, at);
    }
    return false;
  }

  /** Concurrent callers share one request. */
  private versionOf(name: string): Promise<FileVersion | undefined> {
    let version = this.versions.get(name);
    if (!version) {
      version = this.folder.version(name).finally(() => this.versions.delete(name));
      this.versions.set(name, version);
    }
    return version;
  }

  private async readPacked(hash: string, at: PackLocation): Promise<Uint8Array | undefined> {
    try {
      const stored = await this.folder.read(at.pack, at.offset, at.length);
      if (!stored) {
        await this.reaches(hash, at);
        return undefined;
      }
      const bytes = await unpack(hash, at, stored);
      if (bytes) {
        this.verified.add(at);
      } else {
        this.index.forget(hash, at);
      }
      return bytes;
    } catch {
      this.verified.delete(at);
      return undefined;
    }
  }

  private async readFromGit(hash: string): Promise<Uint8Array | undefined> {
    const at = this.index.git.get(hash);
    if (!at || !this.readGit) {
      return undefined;
    }
    try {
      const bytes = await this.readGit(at.top, at.oid);
      if (bytes && hashOf(bytes) === hash) {
        return bytes;
      }
      this.index.forget(hash, at);
    } catch {
      // Git could not run. It may still have the object.
    }
    return undefined;
  }
}

async function packed(hash: string, bytes: Uint8Array): Promise<NewObject> {
  const small = bytes.length < MIN_DEFLATED || bytes.length > MAX_DEFLATED ? undefined : await deflate(bytes, { level: 1 });
  return small && small.length < bytes.length ? { hash, bytes: small, deflated: true } : { hash, bytes, deflated: false };
}

/** Returns undefined when the bytes are damaged. */
async function unpack(hash: string, { deflated }: PackLocation, stored: Uint8Array): Promise<Uint8Array | undefined> {
  const bytes = deflated ? await inflate(stored, { maxOutputLength: MAX_DEFLATED }).catch(() => undefined) : stored;
  return bytes && hashOf(bytes) === hash ? bytes : undefined;
}

/** True when these bytes are the git blob of that id, in a repository with SHA-1 or SHA-256. */
function isBlob(bytes: Uint8Array, oid: string): boolean {
  const algorithm = oid.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === oid;
}
