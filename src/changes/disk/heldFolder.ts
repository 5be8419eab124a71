/** An open folder whose file is about to be changed. It is checked once, and stays the same folder until it is closed. */
import { constants } from 'node:fs';
import type nodeFiles from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { DiskSystem } from '../../util/diskSystem';
import { hasLeft, isAt, isSamePath } from '../../util/location';
import { isGitPath, isInRepositoryFolder } from './gitFolders';

/** The calls of the operating system that `diskFilesOn` uses; tests replace them. */
export interface FilesSystem extends DiskSystem, Pick<typeof nodeFiles, 'readdir' | 'rename' | 'rmdir' | 'symlink'> {}

export interface HeldFolder {
  /**
   * Returns the path for an operation on an entry. On Linux it names an entry of this very folder, even if the folder's path leads elsewhere by then.
   */
  of(name: string): string;
  /** Rejects with ESTALE when the path of the folder now leads elsewhere. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Flags that prevent following a link at the end of a path, and waiting for the writer of a pipe. Windows has neither. */
export const CAREFULLY = ((constants.O_NOFOLLOW as number | undefined) ?? 0) | ((constants.O_NONBLOCK as number | undefined) ?? 0);
/** Linux: opens a handle that needs no permission to read. Node has no constant for it. */
const O_PATH = 0o10000000;

/**
 * Opens the folder at `folder`, where the real path of each component must be the component itself.
 * @param make creates the folder and those above it where they are missing
 * @throws ESTALE when a symbolic link is on the way, EGITDIR inside a `.git`, ENOENT without `make`
 */
export async function holdFolder(system: FilesSystem, folder: string, make: boolean): Promise<HeldFolder> {
  if (!path.isAbsolute(folder) || path.normalize(folder) !== folder || folder.includes('\0')) {
    throw coded('EINVAL', folder, 'not a whole path');
  }
  refuseGit(folder);
  return system.platform === 'linux' ? holdByHandle(system, folder, make) : holdByPath(system, folder, make);
}

/** Throws EGITDIR for a path inside a `.git`. */
export function refuseGit(file: string): void {
  if (isGitPath(file)) {
    throw coded('EGITDIR', file, 'belongs to Git');
  }
}

/** Rejects with EGITDIR for an entry of a repository's own folder, even if the folder has another name. */
export async function refuseRepository(system: FilesSystem, file: string): Promise<void> {
  const exists = (each: string): Promise<boolean> =>
    system.lstat(each).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (isMissing(error)) {
          return false;
        }
        throw error;
      },
    );
  if (await isInRepositoryFolder(file, exists)) {
    throw coded('EGITDIR', file, 'belongs to Git');
  }
}

async function holdByHandle(system: FilesSystem, folder: string, make: boolean): Promise<HeldFolder> {
  const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const handle = await system.open(folder, flags).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || !make || path.dirname(folder) === folder) {
      // A link has replaced the folder.
      throw error.code === 'ELOOP' || (error.code === 'ENOTDIR' && (await isLink(system, folder))) ? hasLeft(folder) : error;
    }
    const above = await holdByHandle(system, path.dirname(folder), make);
    try {
      await refuseRepository(system, folder);
      const name = above.of(path.basename(folder));
      await system.mkdir(name).catch(unlessThere);
      await syncFolder(system, above.of('.'));
      return await system.open(name, flags);
    } finally {
      await above.close();
    }
  });
  const check = async (): Promise<void> => {
    if (!(await isAt(handle, folder, system))) {
      throw hasLeft(folder);
    }
  };
  return closingUnless(handle, check, {
    of: (name) => `/proc/self/fd/${handle.fd}/${name}`,
    check,
    // Closing cannot lose any data, and its failure must not hide a result.
    close: () => handle.close().catch(() => undefined),
  });
}

async function closingUnless(handle: FileHandle, check: () => Promise<void>, held: HeldFolder): Promise<HeldFolder> {
  try {
    await check();
    return held;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Compares the real path and the inode before and after, because there are no handles on folders. */
async function holdByPath(system: FilesSystem, folder: string, make: boolean): Promise<HeldFolder> {
  await (make && makeFolders(system, folder));
  const inode = async (): Promise<string> => {
    const stats = await system.lstat(folder, { bigint: true });
    if (!stats.isDirectory()) {
      throw stats.isSymbolicLink() ? hasLeft(folder) : coded('ENOTDIR', folder, 'not a folder');
    }
    if (!isSamePath(await system.realpath(folder), folder)) {
      throw hasLeft(folder);
    }
    return `${stats.dev} ${stats.ino}`;
  };
  const before = await inode();
  return {
    of: (name) => path.join(folder, name),
    check: async () => {
      if ((await inode()) !== before) {
        throw hasLeft(folder);
      }
    },
    close: async () => undefined,
  };
}

/** Creates the folders one by one, so that none is created through a link that appeared meanwhile. */
async function makeFolders(system: FilesSystem, folder: string): Promise<void> {
  const stats = await system.lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || path.dirname(folder) === folder) {
      throw error;
    }
    return undefined;
  });
  if (!stats) {
    await makeFolders(system, path.dirname(folder));
    await refuseRepository(system, folder);
    await system.mkdir(folder).catch(unlessThere);
    await syncFolder(system, path.dirname(folder));
  }
  if (!isSamePath(await system.realpath(folder), folder)) {
    throw hasLeft(folder);
  }
}

async function isLink(system: FilesSystem, folder: string): Promise<boolean> {
  return (await system.lstat(folder)).isSymbolicLink();
}

/** True for the error of a path at which nothing exists. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Waits until the entries of a folder are on the disk. Windows cannot, nor can a user without permission to read the folder. */
export async function syncFolder(system: FilesSystem, folder: string): Promise<void> {
  if (system.platform === 'win32') {
    return;
  }
  const handle = await system.open(folder, constants.O_RDONLY | constants.O_DIRECTORY).catch((error: NodeJS.ErrnoException) => {
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

/** Syncs a file or a folder; resolves where the file system cannot sync folders. */
export async function syncHandle(handle: FileHandle): Promise<void> {
  await handle.sync().catch((error: NodeJS.ErrnoException) => {
    if (!WITHOUT_SYNC.has(error.code ?? '')) {
      throw error;
    }
  });
}

/** The errors of file systems that cannot sync a folder. */
const WITHOUT_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EBADF']);

export function coded(code: string, file: string, reason: string): Error {
  return Object.assign(new Error(`${code}: ${reason}: ${file}`), { code });
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}
