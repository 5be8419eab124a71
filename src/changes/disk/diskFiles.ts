/** Files as bytes, for those who copy and restore them. */
import { constants, type Stats } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, readdir, readlink, rm, rmdir, symlink } from 'node:fs/promises';
import path from 'node:path';

export interface FileStat {
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  /** bytes */
  readonly size: number;
  /** Permissions alone. */
  readonly mode: number;
  /** ms since the epoch, with fractions. */
  readonly mtimeMs: number;
  /** When content, permissions or name last changed: no program can set it. */
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly ino: number;
}

/** What the machine says of files; tests put themselves in between. Paths are absolute; no link is followed at their end. */
export interface DiskFiles {
  /** Undefined when there is nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Undefined when there are more bytes than `maxBytes`, or it is no file that can be read. */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Both at once, which costs less; undefined where it is no file, or cannot be opened without following a link. */
  statAndRead(path: string, maxBytes: number): Promise<{ readonly stat: FileStat; readonly bytes: Uint8Array | undefined } | undefined>;
  readLink(path: string): Promise<string>;
  /** Names in a folder with their kinds; none where it cannot be read. */
  list(folder: string): Promise<readonly { readonly name: string; readonly kind: FileStat['kind'] }[]>;
  /** Makes the folders above; an existing file keeps its inode. */
  write(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  link(path: string, target: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Nothing happens to one that is not empty. */
  removeEmptyFolder(path: string): Promise<void>;
}

/** Links are not followed; a pipe that nobody writes to is not waited for. Windows knows neither. */
const UNFOLLOWED = (constants.O_NOFOLLOW as number | undefined) && constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const diskFiles: DiskFiles = {
  async stat(file) {
    const stats = await lstat(file).catch(() => undefined);
    return stats && statOf(stats);
  },
  async read(file, maxBytes) {
    return (await opened(file, constants.O_RDONLY, maxBytes))?.bytes;
  },
  async statAndRead(file, maxBytes) {
    return UNFOLLOWED ? opened(file, constants.O_RDONLY | UNFOLLOWED, maxBytes) : undefined;
  },
  readLink: (file) => readlink(file),
  async list(folder) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  },
  async write(file, bytes, mode) {
    await mkdir(path.dirname(file), { recursive: true });
    if ((await lstat(file).catch(() => undefined))?.isSymbolicLink()) {
      await rm(file);
    }
    const handle = await open(file, 'a', mode);
    try {
      await handle.truncate(0);
      await handle.appendFile(bytes);
    } finally {
      await handle.close();
    }
    await chmod(file, mode);
  },
  async link(file, target) {
    await mkdir(path.dirname(file), { recursive: true });
    await rm(file, { force: true });
    await symlink(target, file);
  },
  remove: (file) => rm(file, { force: true }),
  removeEmptyFolder: (folder) => rmdir(folder).catch(() => undefined),
};

async function opened(
  file: string,
  flags: number,
  maxBytes: number,
): Promise<{ readonly stat: FileStat; readonly bytes: Uint8Array | undefined } | undefined> {
  const handle = await open(file, flags).catch(() => undefined);
  try {
    const stats = await handle?.stat();
    if (!handle || !stats?.isFile()) {
      return undefined;
    }
    return { stat: statOf(stats), bytes: stats.size > maxBytes ? undefined : await bytesOf(handle, stats.size, maxBytes) };
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

async function bytesOf(handle: FileHandle, size: number, maxBytes: number): Promise<Uint8Array | undefined> {
  // One more than there are: of hundreds of files each call counts, and `readFile` makes two more.
  const bytes = Buffer.allocUnsafeSlow(size + 1);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  if (bytesRead === size) {
    return bytes.subarray(0, bytesRead);
  }
  const whole = await handle.readFile();
  return whole.length > maxBytes ? undefined : whole;
}

function statOf(stats: Stats): FileStat {
  return { ...timesOf(stats), kind: kindOf(stats), size: stats.size, mode: stats.mode & 0o7777, ino: stats.ino };
}

function timesOf({ mtimeMs, ctimeMs, birthtimeMs }: Stats): Pick<FileStat, 'mtimeMs' | 'ctimeMs' | 'birthtimeMs'> {
  return { mtimeMs, ctimeMs, birthtimeMs };
}

function kindOf(entry: { isFile(): boolean; isSymbolicLink(): boolean; isDirectory(): boolean }): FileStat['kind'] {
  return entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'other';
}
