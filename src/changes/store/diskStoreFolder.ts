import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import nodeFs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { withFileLock } from '../../util/fileLock';
import { renameOver, whileInUse } from '../../util/windows/renameOver';
import {
  type AppendOptions,
  type FileId,
  type FileVersion,
  HEAD_LENGTH,
  isSameFile,
  StoreClosedError,
  type StoreFolder,
} from './storeFolder';

/** The functions of `node:fs/promises` that a store uses. Tests replace them to make the disk fail. */
export type StoreFs = Pick<typeof nodeFs, 'link' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat'>;

/** The attempts to delete a folder in which Windows reports an open file. */
const BUSY_RETRIES = 5;
/** The most attempts to append to a file that another window replaces at the same time. */
const MAX_ATTEMPTS = 4;
const LOCK = '.lock';
/** ms after which a window that holds the lock counts as hanging. Copying a large store to a slow disk takes seconds. */
const LOCK_MS = 60_000;

/** A store's folder on disk. Each write creates it when it is missing, because the user may delete it at any time. */
export class DiskStoreFolder implements StoreFolder {
  private closed = false;
  /** Files with appended bytes that are not flushed yet. */
  private readonly unflushed = new Set<string>();
  /** The files whose first bytes were read, by name. */
  private readonly known = new Map<string, { readonly key: string; readonly version: FileVersion }>();

  /** @param folder absolute */
  constructor(
    private readonly folder: string,
    private readonly fs: StoreFs = nodeFs,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {}

  async append(name: string, bytes: Uint8Array, { at, flush = true }: AppendOptions = {}): Promise<FileVersion> {
    if (flush) {
      await this.flushOthers(name);
    }
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const version = await this.appendOnce(name, bytes, at, flush);
      if (version) {
        if (!flush) {
          this.unflushed.add(name);
        }
        return version;
      }
      if (at !== undefined) {
        break;
      }
    }
    throw failure('ESTALE', `replaced or deleted while it was written: ${this.at(name)}`);
  }

  async read(name: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    const file = await this.fs.open(this.at(name), 'r').catch(ifMissing);
    if (!file) {
      return undefined;
    }
    try {
      // A damaged index may have a length that does not fit into memory.
      const { size } = await file.stat();
      return offset + length <= size ? await readFully(file, offset, length) : undefined;
    } finally {
      await file.close().catch(() => undefined);
    }
  }

  async readAll(name: string): Promise<Uint8Array | undefined> {
    return this.fs.readFile(this.at(name)).catch(ifMissing);
  }

  async readFrom(name: string, offset: number): Promise<{ bytes: Uint8Array; id: FileId } | undefined> {
    const file = await this.fs.open(this.at(name), 'r').catch(ifMissing);
    try {
      return file && { bytes: await readRest(file, offset), id: await idOf(file) };
    } finally {
      await file?.close().catch(() => undefined);
    }
  }

  async length(name: string): Promise<number | undefined> {
    return (await this.fs.stat(this.at(name)).catch(ifMissing))?.size;
  }

  async version(name: string): Promise<FileVersion | undefined> {
    const stat = await this.fs.stat(this.at(name), { bigint: true }).catch(ifMissing);
    const known = this.known.get(name);
    if (stat && known?.key === keyOf(stat)) {
      return known.version;
    }
    // On Windows an open file is in the way of those who delete the folder, so it is opened only after a change.
    const file = stat && (await this.fs.open(this.at(name), 'r').catch(ifMissing));
    try {
      const key = file && keyOf(await file.stat({ bigint: true }));
      const version = file && { length: (await file.stat()).size, id: await idOf(file) };
      if (key !== undefined && version) {
        this.known.set(name, { key, version });
      }
      return version;
    } finally {
      await file?.close().catch(() => undefined);
    }
  }

  async names(): Promise<readonly string[]> {
    return (await this.fs.readdir(this.folder).catch(ifMissing)) ?? [];
  }

  async replace(name: string, bytes: Uint8Array, { flush = true }: { readonly flush?: boolean } = {}): Promise<void> {
    await this.flushOthers(name);
    await this.putInPlace(name, [bytes], { flushesFolder: flush });
  }

  async replaceAppended(name: string, bytes: Uint8Array, read: FileVersion | undefined): Promise<{ added: Uint8Array; id: FileId }> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const old = await this.oldFile(name);
      try {
        const from = old && read && isSameFile(old.id, read.id) ? read.length : 0;
        const early = old ? await old.rest(from) : Buffer.alloc(0);
        const isWanted = async (): Promise<boolean> => {
          const present = await this.version(name);
          return present && old ? isSameFile(present.id, old.id) : present === undefined && old === undefined;
        };
        const id = await this.putInPlace(name, [bytes, early], { isWanted });
        if (!id) {
          continue;
        }
        const late = old ? await old.rest(from + early.length).catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
        if (late.length > 0) {
          await this.append(name, late).catch(() => undefined);
        }
        return { added: Buffer.concat([early, late]), id };
      } finally {
        await old?.release().catch(() => undefined);
      }
    }
    throw failure('ESTALE', `replaced by another window: ${this.at(name)}`);
  }

  async exclusive<T>(run: () => Promise<T>): Promise<T> {
    const create = async (_: string, text: string): Promise<void> => {
      const file = await this.open(LOCK, 'wx');
      await file.appendFile(Buffer.from(text)).finally(() => file.close().catch(() => undefined));
    };
    return withFileLock(this.at(LOCK), run, LOCK_MS, { platform: this.platform, create });
  }

  async rename(name: string, to: string, check?: () => Promise<void>): Promise<void> {
    const rename = (from: string, target: string): Promise<void> => this.fs.rename(from, target);
    await renameOver(this.at(name), this.at(to), { platform: this.platform, rename, ...(check && { check }) });
  }

  async remove(name: string): Promise<void> {
    await whileInUse(() => this.fs.rm(this.at(name), { force: true }), { platform: this.platform });
  }

  async size(): Promise<number> {
    const sizes = await Promise.all((await this.names()).map(async (name) => (await this.length(name)) ?? 0));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async removeAll(): Promise<void> {
    await this.fs.rm(this.folder, { recursive: true, force: true, maxRetries: BUSY_RETRIES });
  }

  /** Makes every later write reject with {@link StoreClosedError}, so that it does not create a deleted folder again. */
  close(): void {
    this.closed = true;
  }

  /** Keeps a file readable while it is replaced. Windows replaces no open file, so there a second name keeps it. Undefined when there is none. */
  private async oldFile(name: string): Promise<OldFile | undefined> {
    if (this.platform !== 'win32') {
      const file = await this.fs.open(this.at(name), 'r').catch(ifMissing);
      try {
        return file && { id: await idOf(file), rest: (from) => readRest(file, from), release: () => file.close() };
      } catch (error) {
        await file?.close().catch(() => undefined);
        throw error;
      }
    }
    const second = temporaryName(name);
    // Without hard links, bytes that another window appends in the moment of the replacement are lost.
    const kept = await this.fs.link(this.at(name), this.at(second)).then(
      () => second,
      () => name,
    );
    const release = async (): Promise<void> => void (kept === second && (await this.remove(second)));
    const version = await this.version(kept).catch((error: unknown) => release().then(() => Promise.reject(error as Error)));
    const rest = async (from: number): Promise<Uint8Array> => {
      const read = await this.readFrom(kept, from);
      // Without a second name, the name may belong to the new file by now.
      const isOld = kept === second || (read && version && isSameFile(read.id, version.id));
      return read && isOld ? read.bytes : Buffer.alloc(0);
    };
    return version && { id: version.id, rest, release };
  }

  /** Returns undefined when the file at this path is no longer the one that was written. */
  private async appendOnce(name: string, bytes: Uint8Array, at: number | undefined, flush: boolean): Promise<FileVersion | undefined> {
    const file = await this.open(name, at === undefined ? 'a+' : at === 0 ? 'ax+' : constants.O_RDWR | constants.O_APPEND);
    let size: number | undefined;
    try {
      const before = await file.stat({ bigint: true });
      if (at !== undefined && Number(before.size) !== at) {
        throw failure('ESTALE', `${before.size} bytes instead of ${at}: ${this.at(name)}`);
      }
      size = Number(before.size);
      await file.appendFile(bytes);
      if (flush) {
        await file.datasync();
        if (size === 0) {
          await this.flushFolder();
        }
      }
      const after = await this.fs.stat(this.at(name), { bigint: true }).catch(ifMissing);
      const length = Number(after?.size);
      const isWhole = at === undefined ? length >= size + bytes.length : length === size + bytes.length;
      // No other file has the inode while this one is open.
      return isWhole && after?.ino === before.ino ? { length, id: await idOf(file) } : undefined;
    } catch (error) {
      if (size !== undefined) {
        await takeBack(file, size, bytes);
      }
      throw error;
    } finally {
      await file.close().catch(() => undefined);
    }
  }

  /** Opens a file for writing, and creates the folder when it is missing. */
  private async open(name: string, flags: string | number): Promise<FileHandle> {
    if (this.closed) {
      throw new StoreClosedError(`closed: ${this.folder}`);
    }
    const file = await this.fs.open(this.at(name), flags, 0o600).catch(ifMissing);
    if (file) {
      return file;
    }
    if (typeof flags === 'number') {
      throw failure('ENOENT', `deleted: ${this.at(name)}`);
    }
    await this.fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
    return this.fs.open(this.at(name), flags, 0o600);
  }

  /**
   * Writes a file under another name, flushes it and renames it.
   * @param isWanted called right before each attempt of the rename, because another window may replace the file while Windows refuses to
   * @returns the id of the new file; undefined when it was not wanted
   */
  private async putInPlace(
    name: string,
    pieces: readonly Uint8Array[],
    { isWanted = async () => true, flushesFolder = true }: { isWanted?(): Promise<boolean>; readonly flushesFolder?: boolean } = {},
  ): Promise<FileId | undefined> {
    const temporary = temporaryName(name);
    const file = await this.open(temporary, 'wx+');
    let id: FileId;
    try {
      try {
        for (const piece of pieces) {
          await file.appendFile(piece);
        }
        await file.sync();
        id = await idOf(file);
      } finally {
        await file.close().catch(() => undefined);
      }
      await this.rename(temporary, name, async () => {
        if (!(await isWanted())) {
          throw new UnwantedError();
        }
      });
    } catch (error) {
      await this.remove(temporary).catch(() => undefined);
      if (error instanceof UnwantedError) {
        return undefined;
      }
      throw error;
    }
    this.unflushed.delete(name);
    await (flushesFolder && this.flushFolder());
    return id;
  }

  /** Flushes the other files first, because a flushed record must not refer to an object whose index line is not flushed. */
  private async flushOthers(name: string): Promise<void> {
    for (const other of [...this.unflushed].filter((each) => each !== name)) {
      this.unflushed.delete(other);
      try {
        const file = await this.fs.open(this.at(other), 'r+').catch(ifMissing);
        await file?.datasync().finally(() => file.close().catch(() => undefined));
      } catch (error) {
        this.unflushed.add(other);
        throw error;
      }
    }
  }

  /** Flushes the names of new files. Windows and some network file systems cannot open a folder, and keep names without it. */
  private async flushFolder(): Promise<void> {
    const folder = await this.fs.open(this.folder, 'r').catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close().catch(() => undefined);
  }

  private at(name: string): string {
    return path.join(this.folder, name);
  }
}

class UnwantedError extends Error {}

/** A file that is being replaced. */
interface OldFile {
  readonly id: FileId;
  /** Returns the bytes from an offset to the end, also when the name belongs to the new file already. */
  rest(from: number): Promise<Uint8Array>;
  release(): Promise<void>;
}

/** The pattern is that of `isLeftOver`. */
function temporaryName(name: string): string {
  return `.${name}.${randomBytes(12).toString('hex')}.tmp`;
}

/** Changes with each write. */
function keyOf({ ino, size, ctimeNs, mtimeNs }: BigIntStats): string {
  return [ino, size, ctimeNs, mtimeNs].join(' ');
}

async function idOf(file: FileHandle): Promise<FileId> {
  const { ino, size } = await file.stat({ bigint: true });
  const head = await readFully(file, 0, Math.min(Number(size), HEAD_LENGTH));
  return { inode: ino, head: head ?? Buffer.alloc(0) };
}

/** Cuts off the bytes of a failed append. Bytes that another window has appended stay. */
async function takeBack(file: FileHandle, size: number, bytes: Uint8Array): Promise<void> {
  try {
    const written = (await file.stat()).size - size;
    const tail = written > 0 && written <= bytes.length ? await readFully(file, size, written) : undefined;
    if (tail && Buffer.compare(tail, bytes.subarray(0, written)) === 0) {
      await file.truncate(size);
    }
  } catch {
    // The disk still fails. Readers ignore a torn line, and bytes that no line names.
  }
}

async function readRest(file: FileHandle, from: number): Promise<Uint8Array> {
  const { size } = await file.stat();
  return (size > from ? await readFully(file, from, size - from) : undefined) ?? Buffer.alloc(0);
}

/** Returns undefined when the file is shorter. */
async function readFully(file: FileHandle, offset: number, length: number): Promise<Uint8Array | undefined> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) {
      return undefined;
    }
    done += bytesRead;
  }
  return bytes;
}

function ifMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
    throw error;
  }
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
