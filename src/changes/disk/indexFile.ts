/**
 * Decodes Git's index file without a process: a listing of 50,000 entries by Git takes as long as the status. Versions 2 to 4 with SHA-1 are
 * supported. Other files, such as a split or a sparse index, are left to `git ls-files`.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { Pace } from './pace';

export interface IndexEntry {
  /** The path from the repository's top, with `/`. */
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
  /** True when Git does not compare the file with the disk: skip-worktree, or assume-unchanged. */
  readonly unwatched: boolean;
  /** Bytes on the disk when git last compared the file; 0 when git does not know. */
  readonly size: number;
  /** ms since the epoch; the later one of the two times that git stores. */
  readonly changedMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** The lower 32 bits of the inode. */
  readonly ino: number;
  /** The lower 32 bits of the device. */
  readonly dev: number;
}

/** An entry whose fields are decoded on demand. The next entry replaces it. */
export interface RawEntry {
  /** True when Git compares the file with the disk. */
  readonly isWatched: boolean;
  /** Returns the path from the repository's top. */
  path(): string;
  /** @param folder from the top, not empty */
  isBelow(folder: string): boolean;
  /** Returns undefined for an unmerged entry. */
  decode(): IndexEntry | undefined;
}

const MAX_BYTES = 256 * 1024 * 1024;
const HEADER = 12;
const HASH = 20;
/** The length in bytes of an entry before its name, without the extended flags. */
const FIXED = 62;
const FLAGS = 60;
const LONGEST_LENGTH = 0xfff;
const ASSUME_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const SKIP_WORKTREE = 0x4000;
/** The number of bytes that are hashed at once. */
const SLICE = 1024 * 1024;

/** Reads the index of a repository; undefined where it is missing, not a regular file, or in an unsupported format. */
export async function readIndexFile(file: string): Promise<IndexFile | undefined> {
  try {
    // Opening a pipe at this path must not block a thread.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      const bytes = stats.isFile() && stats.size <= MAX_BYTES ? await handle.readFile() : undefined;
      return bytes && (await IndexFile.of(bytes));
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

export class IndexFile {
  private constructor(
    readonly bytes: Buffer,
    private readonly version: number,
    private readonly count: number,
  ) {}

  /** Returns undefined unless the whole content is valid. */
  static async of(bytes: Buffer): Promise<IndexFile | undefined> {
    const version = bytes.length < HEADER + HASH || bytes.toString('latin1', 0, 4) !== 'DIRC' ? 0 : bytes.readUInt32BE(4);
    if (version < 2 || version > 4 || !(await isWhole(bytes))) {
      return undefined;
    }
    const index = new IndexFile(bytes, version, bytes.readUInt32BE(8));
    const end = await index.each(() => undefined);
    return end !== undefined && hasKnownExtensions(bytes, end) ? index : undefined;
  }

  /** Visits the entries until `visit` returns false. @returns the end of the entries; undefined where one is damaged */
  async each(visit: (entry: RawEntry) => boolean | void): Promise<number | undefined> {
    const { bytes, version, count } = this;
    const entry = new FileEntry(bytes);
    const pace = new Pace();
    let at = HEADER;
    for (let index = 0; index < count; index++) {
      const end = version === 4 ? entry.readCompressed(at) : entry.read(at);
      if (end === undefined || end > bytes.length - HASH) {
        return undefined;
      }
      if (visit(entry) === false) {
        return end;
      }
      at = end;
      await pace.step();
    }
    return at;
  }
}

class FileEntry implements RawEntry {
  private at = 0;
  private flags = 0;
  private isSkipped = false;
  private name: Buffer;
  private nameStart = 0;
  private nameEnd = 0;
  /** The folder of the last query, with a `/` at its end. */
  private folder: { readonly name: string; readonly bytes: Buffer } | undefined;
  /** The name of a version 4 entry, which shares its beginning with the previous name. */
  private scratch = Buffer.allocUnsafe(LONGEST_LENGTH);

  constructor(private readonly bytes: Buffer) {
    this.name = bytes;
  }

  get isWatched(): boolean {
    return (this.flags & ASSUME_UNCHANGED) === 0 && !this.isSkipped;
  }

  path(): string {
    return this.name.toString('utf8', this.nameStart, this.nameEnd);
  }

  isBelow(folder: string): boolean {
    this.folder = this.folder?.name === folder ? this.folder : { name: folder, bytes: Buffer.from(`${folder}/`) };
    const { bytes } = this.folder;
    const end = this.nameStart + bytes.length;
    return end < this.nameEnd && this.name.compare(bytes, 0, bytes.length, this.nameStart, end) === 0;
  }

  decode(): IndexEntry | undefined {
    const { bytes, at, flags } = this;
    if ((flags & STAGE) !== 0) {
      return undefined;
    }
    const field = (index: number): number => bytes.readUInt32BE(at + index * 4);
    const ctimeMs = field(0) * 1000 + field(1) / 1e6;
    const mtimeMs = field(2) * 1000 + field(3) / 1e6;
    return {
      path: this.path(),
      oid: bytes.toString('hex', at + 40, at + FLAGS),
      mode: field(6),
      unwatched: !this.isWatched,
      size: field(9),
      changedMs: Math.max(ctimeMs, mtimeMs),
      mtimeMs,
      ctimeMs,
      ino: field(5),
      dev: field(4),
    };
  }

  /** Reads an entry of version 2 or 3, which is padded with NUL bytes. @returns its end; undefined where it is damaged */
  read(at: number): number | undefined {
    const { bytes } = this;
    const start = this.readFlags(at);
    if (start === undefined) {
      return undefined;
    }
    const end = bytes.indexOf(0, start);
    this.name = bytes;
    this.nameStart = start;
    this.nameEnd = end;
    return this.hasLength(end - start) ? at + ((end - at + 8) & ~7) : undefined;
  }

  /** Reads an entry of version 4: the number of bytes to drop from the end of the last name, and the text to append. */
  readCompressed(at: number): number | undefined {
    const { bytes } = this;
    let start = this.readFlags(at);
    if (start === undefined) {
      return undefined;
    }
    let byte = bytes[start++]!;
    let dropped = byte & 127;
    while (byte >= 128 && dropped <= MAX_BYTES) {
      byte = bytes[start++] ?? 0;
      dropped = (dropped + 1) * 128 + (byte & 127);
    }
    const end = bytes.indexOf(0, start);
    const shared = this.nameEnd - dropped;
    if (end < 0 || shared < 0) {
      return undefined;
    }
    const length = shared + end - start;
    if (length > this.scratch.length) {
      this.scratch = Buffer.concat([this.scratch], length * 2);
    }
    bytes.copy(this.scratch, shared, start, end);
    this.name = this.scratch;
    this.nameStart = 0;
    this.nameEnd = length;
    return this.hasLength(length) ? end + 1 : undefined;
  }

  /** Returns the start of the name. */
  private readFlags(at: number): number | undefined {
    const { bytes } = this;
    if (at + FIXED + 2 > bytes.length) {
      return undefined;
    }
    this.at = at;
    this.flags = bytes.readUInt16BE(at + FLAGS);
    const isExtended = (this.flags & EXTENDED) !== 0;
    this.isSkipped = isExtended && (bytes.readUInt16BE(at + FIXED) & SKIP_WORKTREE) !== 0;
    return at + FIXED + (isExtended ? 2 : 0);
  }

  private hasLength(length: number): boolean {
    const stored = this.flags & LONGEST_LENGTH;
    return length > 0 && (stored === LONGEST_LENGTH ? length >= stored : length === stored);
  }
}

/** True when the checksum matches. Git writes zeros for it with `index.skipHash`. Another kind of hash never matches. */
async function isWhole(bytes: Buffer): Promise<boolean> {
  const end = bytes.length - HASH;
  const stored = bytes.subarray(end);
  if (stored.every((byte) => byte === 0)) {
    return true;
  }
  const hash = createHash('sha1');
  const pace = new Pace();
  for (let at = 0; at < end; at += SLICE) {
    hash.update(bytes.subarray(at, Math.min(end, at + SLICE)));
    await pace.heavyStep();
  }
  return hash.digest().equals(stored);
}

/** False where an extension changes the meaning of the entries. Such extensions have lower-case names. */
function hasKnownExtensions(bytes: Buffer, from: number): boolean {
  const end = bytes.length - HASH;
  let at = from;
  while (at + 8 <= end && bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) {
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}
