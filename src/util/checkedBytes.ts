import { constants } from 'node:fs';
import nodeFiles from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import nodePath from 'node:path';
import type { DiskSystem } from './diskSystem';
import { hasLeft, isAt, isSamePath } from './location';
import type { Inode } from './realPath';

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** True when no user has the permission to write it. */
  readonly readOnly: boolean;
}

/**
 * Reads and writes files by their real path. A symlink on that path was created later and is not followed. Errors are the system's, with its `code`.
 */
export interface Bytes {
  stat(path: string): Promise<FileStat>;
  /**
   * Rejects with EFBIG when the file has more than `maxBytes` bytes.
   * @param inode when given, only this file is read: another one at the path rejects with ESTALE
   */
  read(path: string, maxBytes?: number, inode?: Pick<Inode, 'dev' | 'ino'>): Promise<Uint8Array>;
  /** Replaces the content `before`. The file keeps its inode, mode and links. Returns false without writing when the content differs. */
  replace(path: string, before: Uint8Array, bytes: Uint8Array): Promise<boolean>;
  /** Creates a file and its folders. Rejects with EEXIST when it exists, and with ENOTDIR when one of its folders is a file. */
  create(path: string, bytes: Uint8Array): Promise<void>;
}

/** Windows has neither flag. Non-blocking, because a pipe at the path would wait for its other end. */
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Linux: opens only the location, which needs no permission to read. Node has no constant for it. */
const O_PATH = 0o10000000;
/** Other programs save a file by replacing it, possibly between our opening and our check. */
const MAX_TRIES = 5;

/**
 * Uses files through a handle. Before anything is read or written, it checks where the handle leads. Linux reports the path of a handle. On other
 * systems, the path's real path and inode are compared with the handle's after opening.
 */
export class DiskBytes implements Bytes {
  constructor(private readonly system: DiskSystem = { ...nodeFiles, platform: process.platform }) {}

  async stat(path: string): Promise<FileStat> {
    const stats = await this.system.lstat(path);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
    return { kind, size: stats.size, readOnly: (stats.mode & 0o222) === 0 };
  }

  async read(path: string, maxBytes = Infinity, inode?: Pick<Inode, 'dev' | 'ino'>): Promise<Uint8Array> {
    return this.holding(path, constants.O_RDONLY, async (file) => {
      const { size, dev, ino } = await file.stat({ bigint: true });
      if (inode && (inode.dev !== dev || inode.ino !== ino)) {
        throw hasLeft(path);
      }
      if (size > maxBytes) {
        throw coded('EFBIG', path, `${size} bytes`);
      }
      return file.readFile();
    });
  }

  /** Reads the first bytes of a file, at most `length`. @param inode the same as in {@link read} */
  async head(path: string, length: number, inode?: Pick<Inode, 'dev' | 'ino'>): Promise<Uint8Array> {
    return this.holding(path, constants.O_RDONLY, async (file) => {
      const { dev, ino } = await file.stat({ bigint: true });
      if (inode && (inode.dev !== dev || inode.ino !== ino)) {
        throw hasLeft(path);
      }
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, 0);
      return bytes.subarray(0, bytesRead);
    });
  }

  async replace(path: string, before: Uint8Array, bytes: Uint8Array): Promise<boolean> {
    return this.holding(path, constants.O_RDWR, async (file) => {
      // The administrator could otherwise write a file that no user has the permission to write.
      if (((await file.stat()).mode & 0o222) === 0) {
        throw coded('EACCES', path, 'read-only');
      }
      if (Buffer.compare(await file.readFile(), before) !== 0) {
        return false;
      }
      // Checked again as late as possible, because reading takes time.
      if (!(await isAt(file, path, this.system))) {
        throw hasLeft(path);
      }
      // In this order the old content keeps its space until the end, and a write that fails on a full disk cuts nothing off.
      await writeAll(file, bytes);
      await file.truncate(bytes.length);
      return true;
    });
  }

  async create(path: string, bytes: Uint8Array): Promise<void> {
    const folder = await this.folder(nodePath.dirname(path));
    try {
      const name = folder.of(nodePath.basename(path));
      const file = await this.system.open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | CAREFULLY);
      try {
        if (!(await isAt(file, path, this.system))) {
          await this.takeAway(file, name);
          throw hasLeft(path);
        }
        await writeAll(file, bytes);
      } finally {
        await file.close();
      }
    } finally {
      await folder.close();
    }
  }

  /** Opens the regular file at `path`, and rejects anything else. */
  private async holding<T>(path: string, flags: number, use: (file: FileHandle) => Promise<T>): Promise<T> {
    for (let left = MAX_TRIES; left > 0; left--) {
      const file = await this.system.open(path, flags | CAREFULLY);
      try {
        if (await isAt(file, path, this.system)) {
          const stats = await file.stat();
          if (!stats.isFile()) {
            throw coded(stats.isDirectory() ? 'EISDIR' : 'ENOTSUP', path, 'not a regular file');
          }
          return await use(file);
        }
      } finally {
        await file.close();
      }
    }
    throw hasLeft(path);
  }

  /**
   * Opens the folder at `path`, and creates it where it is missing. On Linux `of` names a file in this very folder, even if the path leads elsewhere
   * by then.
   */
  private async folder(path: string): Promise<{ of(name: string): string; close(): Promise<void> }> {
    if (this.system.platform !== 'linux') {
      await this.makeFolders(path);
      return { of: (name) => nodePath.join(path, name), close: async () => undefined };
    }
    const place = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const handle = await this.system.open(path, place).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || nodePath.dirname(path) === path) {
        throw error;
      }
      const above = await this.folder(nodePath.dirname(path));
      try {
        const name = above.of(nodePath.basename(path));
        await this.system.mkdir(name).catch(unlessThere);
        return await this.system.open(name, place);
      } finally {
        await above.close();
      }
    });
    if (!(await isAt(handle, path, this.system))) {
      await handle.close();
      throw hasLeft(path);
    }
    return { of: (name) => `/proc/self/fd/${handle.fd}/${name}`, close: () => handle.close() };
  }

  /** Creates the folders one by one, so that none is created through a symlink that appeared meanwhile. */
  private async makeFolders(path: string): Promise<void> {
    const real = await this.system.realpath(path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || nodePath.dirname(path) === path) {
        throw error;
      }
      await this.makeFolders(nodePath.dirname(path));
      await this.system.mkdir(path).catch(unlessThere);
      return this.system.realpath(path);
    });
    if (!(await this.system.lstat(path)).isDirectory()) {
      throw coded('ENOTDIR', path, 'not a folder');
    }
    if (!isSamePath(real, path)) {
      throw hasLeft(path);
    }
  }

  /** Deletes the empty file that was created in another folder. */
  private async takeAway(file: FileHandle, name: string): Promise<void> {
    const [made, there] = await Promise.all([file.stat({ bigint: true }), this.system.lstat(name, { bigint: true })]);
    if (made.ino === there.ino && made.dev === there.dev) {
      await this.system.unlink(name);
    }
  }
}

export const diskBytes = new DiskBytes();

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}

function coded(code: string, path: string, words: string): Error {
  return Object.assign(new Error(`${code}: ${words}: ${path}`), { code });
}
