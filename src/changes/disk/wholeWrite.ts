/** Writes files so that the path has the whole old or the whole new content at every moment. A file with several names is written in place. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { hasLeft, isAt } from '../../util/location';
import { renameOver } from '../../util/windows/renameOver';
import { type FileStat, isSameFile, toStat } from './fileStat';
import {
  CAREFULLY,
  coded,
  type FilesSystem,
  type HeldFolder,
  holdFolder,
  isMissing,
  refuseGit,
  refuseRepository,
  syncFolder,
} from './heldFolder';
import { modeFor, replaceInPlace, writeAll } from './inPlace';

export interface WriteOptions {
  /** The stat of the file to replace; null when nothing may exist. Another file is left, and the call rejects with ECHANGED. Any file when absent. */
  readonly expected?: FileStat | null;
  /**
   * Allows writing into a file with several names. A crash can leave a mixture of the old and the new bytes, and the temporary file beside it. The
   * caller has both contents, and repairs the file at the next start.
   */
  readonly inPlace?: boolean;
  /** Replaces only one name of a file with several names. The file is unchanged under the others. */
  readonly replacesName?: boolean;
  /** 24 hexadecimal digits of the temporary file's name; random when absent. */
  readonly tempId?: string;
  /** True when the caller syncs the folder, once for many files. */
  readonly syncsLater?: boolean;
}

const CREATING = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | CAREFULLY;

export interface WholeWriter {
  write(file: string, bytes: Uint8Array, mode: number, options?: WriteOptions): Promise<void>;
  link(file: string, target: string, options?: WriteOptions): Promise<void>;
  remove(file: string, options?: WriteOptions): Promise<void>;
}

export function tempName(tempId: string): string {
  return `.acp-host-${tempId}.tmp`;
}

/** True for the name of a temporary file that a crash may have left. */
export function isTempName(name: string): boolean {
  return /^\.acp-host-[0-9a-f]{24}\.tmp$/.test(name);
}

export function wholeWriter(system: FilesSystem): WholeWriter {
  return {
    write: (file, bytes, mode, options = {}) =>
      inFolder(system, file, true, async (folder) => {
        const there = await statIn(system, folder, file);
        refuseUnexpected(file, there, options);
        refuseOthers(file, there);
        if (there?.kind === 'file') {
          await refuseReadOnly(system, folder, file, there);
          if (there.nlink > 1 && !options.replacesName) {
            await writeInPlace(system, folder, file, bytes, mode, there, options);
            return;
          }
        }
        const temp = folder.of(tempName(options.tempId ?? randomId()));
        await replacing(system, folder, file, temp, there, options, () =>
          writeTemp(system, file, temp, bytes, there?.kind === 'file' ? there : undefined, mode),
        );
      }),
    link: (file, target, options = {}) =>
      inFolder(system, file, true, async (folder) => {
        const there = await statIn(system, folder, file);
        refuseUnexpected(file, there, options);
        refuseOthers(file, there);
        const temp = folder.of(tempName(options.tempId ?? randomId()));
        await replacing(system, folder, file, temp, there, options, () => system.symlink(target, temp));
      }),
    remove: (file, options = {}) =>
      inFolder(system, file, false, async (folder) => {
        const there = await statIn(system, folder, file);
        refuseUnexpected(file, there, options);
        refuseOthers(file, there);
        if (there) {
          await folder.check();
          await system.unlink(folder.of(path.basename(file)));
          await (options.syncsLater || syncFolder(system, folder.of('.')));
        }
      }).catch((error: unknown) => {
        // The folder does not exist, so neither does the file.
        if (!isMissing(error)) {
          throw error;
        }
      }),
  };
}

async function inFolder(system: FilesSystem, file: string, make: boolean, act: (folder: HeldFolder) => Promise<void>): Promise<void> {
  refuseGit(file);
  const folder = await holdFolder(system, path.dirname(file), make);
  try {
    await refuseRepository(system, file);
    await act(folder);
    // Where folders have no handles, a folder that was replaced meanwhile is detected here at the latest.
    await (system.platform === 'linux' || folder.check());
  } finally {
    await folder.close();
  }
}

/** Replaces the file by the one that `make` creates as `temp`. The temporary file is removed when anything fails. */
async function replacing(
  system: FilesSystem,
  folder: HeldFolder,
  file: string,
  temp: string,
  there: FileStat | undefined,
  { syncsLater }: WriteOptions,
  make: () => Promise<void>,
): Promise<void> {
  try {
    await make();
    await renameOver(temp, folder.of(path.basename(file)), {
      platform: system.platform,
      rename: (from, to) => system.rename(from, to),
      // The check is as late as possible, and repeated while Windows refuses: another program may have saved the file meanwhile.
      check: async () => {
        await folder.check();
        refuseUnexpected(file, await statIn(system, folder, file), { expected: there ?? null });
      },
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      await system.unlink(temp).catch(() => undefined);
    }
    throw error;
  }
  await (syncsLater || syncFolder(system, folder.of('.')));
}

async function writeTemp(
  system: FilesSystem,
  file: string,
  temp: string,
  bytes: Uint8Array,
  old: FileStat | undefined,
  mode: number,
): Promise<void> {
  const handle = await system.open(temp, CREATING, 0o600);
  try {
    const made = path.join(path.dirname(file), path.basename(temp));
    if (system.platform !== 'linux' && !(await isAt(handle, made, system))) {
      throw hasLeft(file);
    }
    await writeAll(handle, bytes, 0);
    if (old) {
      await keepOwner(handle, file, old);
    }
    await handle.chmod(old ? modeFor(old.mode, mode) : mode & 0o777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Keeps the owner and group of a file, or rejects. */
async function keepOwner(handle: FileHandle, file: string, old: FileStat): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== old.uid || gid !== old.gid) {
    await handle.chown(old.uid, old.gid).catch((error: NodeJS.ErrnoException) => {
      throw coded(error.code === 'EPERM' ? 'EPERM' : (error.code ?? 'EIO'), file, 'cannot keep its owner');
    });
  }
}

async function writeInPlace(
  system: FilesSystem,
  folder: HeldFolder,
  file: string,
  bytes: Uint8Array,
  mode: number,
  there: FileStat,
  options: WriteOptions,
): Promise<void> {
  if (!options.inPlace) {
    throw coded('EMLINK', file, 'has several names');
  }
  // The temporary file shows the next start that the file may be a mixture of both contents.
  const marker = folder.of(tempName(options.tempId ?? randomId()));
  const made = await system.open(marker, CREATING, 0o600).catch((error: NodeJS.ErrnoException) => {
    // A write that a crash interrupted is repeated.
    if (error.code !== 'EEXIST' || options.tempId === undefined) {
      throw error;
    }
  });
  await made?.close();
  let isTorn = false;
  try {
    await syncFolder(system, folder.of('.'));
    await folder.check();
    const handle = await system.open(folder.of(path.basename(file)), constants.O_RDWR | CAREFULLY);
    try {
      if (!isSameFile(toStat(await handle.stat()), there) || !(await isAt(handle, file, system))) {
        throw coded('ECHANGED', file, 'another file');
      }
      await replaceInPlace(handle, there, bytes, modeFor(there.mode, mode));
    } finally {
      await handle.close();
    }
  } catch (error) {
    isTorn = (error as NodeJS.ErrnoException).code === 'ETORN';
    throw error;
  } finally {
    await (isTorn || system.unlink(marker));
  }
}

/** Refuses a file without permission to write it, because replacing it would bypass its permissions. */
async function refuseReadOnly(system: FilesSystem, folder: HeldFolder, file: string, { mode, uid }: FileStat): Promise<void> {
  if ((mode & 0o222) === 0) {
    throw coded('EACCES', file, 'read-only');
  }
  if (process.geteuid?.() !== uid || (mode & 0o200) === 0) {
    const handle = await system
      .open(folder.of(path.basename(file)), constants.O_WRONLY | CAREFULLY)
      .catch((error: NodeJS.ErrnoException) => {
        // A running program can be replaced, but not written.
        if (error.code !== 'ETXTBSY') {
          throw error;
        }
      });
    await handle?.close();
  }
}

/** Refuses folders, pipes and devices. */
function refuseOthers(file: string, there: FileStat | undefined): void {
  if (there?.kind === 'folder' || there?.kind === 'other') {
    throw coded(there.kind === 'folder' ? 'EISDIR' : 'ENOTSUP', file, 'not a file');
  }
}

function refuseUnexpected(file: string, there: FileStat | undefined, { expected }: WriteOptions): void {
  if (expected !== undefined && (expected === null ? there !== undefined : !there || !isSameFile(there, expected))) {
    throw coded('ECHANGED', file, 'another file');
  }
}

async function statIn(system: FilesSystem, folder: HeldFolder, file: string): Promise<FileStat | undefined> {
  try {
    return toStat(await system.lstat(folder.of(path.basename(file))));
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

function randomId(): string {
  return randomBytes(12).toString('hex');
}
