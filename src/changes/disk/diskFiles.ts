/**
 * Reads and writes files as bytes, for copies and restores. Paths are real: nothing is read or changed through a symbolic link, at the end of a path
 * or on the way, and nothing in a `.git`. Errors are the system's, with its `code`.
 *
 * - ESTALE: a component of the path is a symbolic link, or the path leads elsewhere by now.
 * - EGITDIR: the path is in a folder in which Git keeps its data.
 * - ECHANGED: the file is not the expected one.
 */
import { constants } from 'node:fs';
import nodeFiles, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { hasLeft, isAt } from '../../util/location';
import { type FileStat, isSameFile, kindOf, toStat } from './fileStat';
import { CAREFULLY, coded, type FilesSystem, holdFolder, isMissing, refuseGit, refuseRepository, syncHandle } from './heldFolder';
import { modeFor } from './inPlace';
import { wholeWriter, type WriteOptions } from './wholeWrite';

export type { FileStat } from './fileStat';

/** The operating system's files; tests replace single calls. Paths are absolute. */
export interface DiskFiles {
  /** Returns the stat as a hint, without a check of the folders above. Undefined when nothing exists; rejects when the system cannot say. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Returns the bytes; undefined when there are more than `maxBytes`, or the file cannot be read. */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Returns both at once, which costs less; undefined where the file cannot be read. */
  statAndRead(path: string, maxBytes: number): Promise<{ readonly stat: FileStat; readonly bytes: Uint8Array | undefined } | undefined>;
  readLink(path: string): Promise<string>;
  /** Returns the names in a folder with their kinds; rejects when it cannot be read. */
  list(folder: string): Promise<readonly { readonly name: string; readonly kind: FileStat['kind'] }[]>;
  /**
   * Replaces the file or link at the path as a whole, or creates it with the folders above. A failed write leaves the old file. A file keeps its
   * owner, group and permissions. The executable bits come from `mode`, and a mode that git does not know narrows the others. A new file gets `mode`.
   * @throws EMLINK for a file with several names without `inPlace`; EACCES for a read-only file; EPERM where the owner cannot be kept
   */
  write(path: string, bytes: Uint8Array, mode: number, options?: WriteOptions): Promise<void>;
  /** Replaces the file or link at the path by a symbolic link, or creates the link with the folders above. */
  link(path: string, target: string, options?: WriteOptions): Promise<void>;
  /** Sets the permissions of a file as {@link write} does. */
  chmod(path: string, mode: number, options?: Pick<WriteOptions, 'expected'>): Promise<void>;
  /** Removes a file or link; resolves when nothing exists. */
  remove(path: string, options?: Pick<WriteOptions, 'expected'>): Promise<void>;
  /** Does nothing for a folder that is not empty, or for anything else. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Resolves when the file's content, or the folder's entries, are flushed to the disk. */
  sync(path: string): Promise<void>;
}

/** Another program may save by replacing the file, between the opening of the old one and the check. */
const MAX_TRIES = 5;

export const diskFiles: DiskFiles = diskFilesOn({ ...nodeFiles, platform: process.platform });

export function diskFilesOn(system: FilesSystem): DiskFiles {
  const writer = wholeWriter(system);
  const read = (file: string, maxBytes: number): ReturnType<DiskFiles['statAndRead']> => readAt(system, file, maxBytes);
  return {
    stat: (file) => statOf(system, file),
    read: async (file, maxBytes) => (await read(file, maxBytes))?.bytes,
    statAndRead: read,
    async readLink(file) {
      refuseGit(file);
      const folder = await holdFolder(system, path.dirname(file), false);
      try {
        const target = await system.readlink(folder.of(path.basename(file)));
        await folder.check();
        return target;
      } finally {
        await folder.close();
      }
    },
    async list(folder) {
      const held = await holdFolder(system, folder, false);
      try {
        const entries = await system.readdir(held.of('.'), { withFileTypes: true });
        await held.check();
        return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
      } finally {
        await held.close();
      }
    },
    write: (file, bytes, mode, options) => writer.write(file, bytes, mode, options),
    link: (file, target, options) => writer.link(file, target, options),
    async chmod(file, mode, { expected } = {}) {
      refuseGit(file);
      await refuseRepository(system, file);
      const handle = await openAt(system, file, constants.O_RDONLY);
      try {
        const stats = await handle.stat();
        if (!stats.isFile() || (expected !== undefined && !(expected && isSameFile(expected, toStat(stats))))) {
          throw coded('ECHANGED', file, 'another file');
        }
        await handle.chmod(modeFor(stats.mode & 0o7777, mode));
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    remove: (file, options) => writer.remove(file, options),
    removeEmptyFolder: (folder) => removeFolder(system, folder),
    sync: (file) => syncAt(system, file),
  };
}

async function statOf(system: FilesSystem, file: string): Promise<FileStat | undefined> {
  try {
    return toStat(await system.lstat(file));
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Opens the file at `file`; rejects with ESTALE when the path leads elsewhere. The caller checks the kind of the file. */
async function openAt(system: FilesSystem, file: string, flags: number): Promise<FileHandle> {
  for (let left = MAX_TRIES; left > 0; left--) {
    const handle = await system.open(file, flags | CAREFULLY);
    let isThere = false;
    try {
      isThere = await isAt(handle, file, system);
    } finally {
      await (isThere || handle.close());
    }
    if (isThere) {
      return handle;
    }
  }
  throw hasLeft(file);
}

async function readAt(system: FilesSystem, file: string, maxBytes: number): ReturnType<DiskFiles['statAndRead']> {
  refuseGit(file);
  let handle: FileHandle | undefined;
  try {
    handle = await openAt(system, file, constants.O_RDONLY);
    const stats = await handle.stat();
    if (!stats.isFile()) {
      return undefined;
    }
    return { stat: toStat(stats), bytes: stats.size > maxBytes ? undefined : await bytesOf(handle, stats.size, maxBytes) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESTALE') {
      throw error;
    }
    return undefined;
  } finally {
    // The bytes are complete, even if closing fails.
    await handle?.close().catch(() => undefined);
  }
}

async function bytesOf(handle: FileHandle, size: number, maxBytes: number): Promise<Uint8Array | undefined> {
  // Reads one byte more than the size. With hundreds of files each call counts, and `readFile` makes two more.
  const bytes = Buffer.allocUnsafeSlow(size + 1);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  if (bytesRead === size) {
    return bytes.subarray(0, bytesRead);
  }
  // The file has grown or shrunk meanwhile.
  const whole: Buffer[] = [];
  let length = 0;
  for (;;) {
    const piece = Buffer.allocUnsafeSlow(64 * 1024);
    const { bytesRead: more } = await handle.read(piece, 0, piece.length, length);
    length += more;
    if (length > maxBytes) {
      return undefined;
    }
    if (more === 0) {
      return Buffer.concat(whole);
    }
    whole.push(piece.subarray(0, more));
  }
}

async function removeFolder(system: FilesSystem, folder: string): Promise<void> {
  refuseGit(folder);
  const above = await holdFolder(system, path.dirname(folder), false);
  try {
    await refuseRepository(system, folder);
    await above.check();
    await system.rmdir(above.of(path.basename(folder))).catch((error: NodeJS.ErrnoException) => {
      if (!isMissing(error) && error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') {
        throw error;
      }
    });
    await above.check();
  } finally {
    await above.close();
  }
}

/** Has no effect where a folder cannot be opened for it, as on Windows. */
async function syncAt(system: FilesSystem, file: string): Promise<void> {
  const stat = await statOf(system, file);
  if (stat?.kind === 'file') {
    // Windows syncs only a writable file.
    const handle = await openAt(system, file, system.platform === 'win32' ? constants.O_RDWR : constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } else if (stat?.kind === 'folder' && system.platform !== 'win32') {
    const handle = await openAt(system, file, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
      // The folder may be writable but not readable.
      if (error.code !== 'EACCES') {
        throw error;
      }
    });
    try {
      await (handle && syncHandle(handle));
    } finally {
      await handle?.close();
    }
  }
}
