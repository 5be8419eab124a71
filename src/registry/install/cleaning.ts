/** Deletes folders so that they stop to count at once, and what installations that did not finish have left. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isGone, withFileLock } from '../../util/fileLock';
import { isLeftOver } from '../../util/writeFileSafely';
import { installFault } from '../registryReasons';
import { foldersIn, readVersion, STATE_FILE, USES } from './record';
import { usedVersions } from './uses';

const TRASH = '.trash';
/** The process that installs into a folder. */
const OWNER = '.owner';
/** ms after which a folder without an owner was left by a crash between its creation and its first file. */
const UNOWNED_MS = 60 * 60_000;
/** ms after which no window writes a small file any longer. */
const WRITE_MS = 60_000;

export async function writeOwner(folder: string): Promise<void> {
  await writeFile(path.join(folder, OWNER), `${process.pid} ${hostname()}`);
}

export async function removeOwner(folder: string): Promise<void> {
  await rm(path.join(folder, OWNER), { force: true });
}

/**
 * Moves the folder away and deletes it. A crash in between leaves only trash. A full disk may refuse the move, and then the folder is deleted in place.
 * So does another window that deletes the trash in that moment.
 * @throws Fault `in_use` where a running program prevents it
 */
export async function discard(root: string, folder: string): Promise<void> {
  const trash = path.join(root, TRASH, randomUUID());
  try {
    await mkdir(path.dirname(trash), { recursive: true });
    await rename(folder, trash);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (process.platform === 'win32' && (code === 'EPERM' || code === 'EBUSY' || code === 'EACCES')) {
      throw installFault('in_use');
    }
    await remove(folder);
    return;
  }
  // Windows may still scan a file. The rest is deleted at the next start.
  await remove(trash).catch(() => undefined);
}

/** Deletes trash, unfinished installations of processes that ended, and agents without a version. Never rejects. */
export async function clean(root: string, now: () => number): Promise<void> {
  await remove(path.join(root, TRASH)).catch(() => undefined);
  for (const name of await foldersIn(root)) {
    const home = path.join(root, name);
    const versions = await foldersIn(home);
    let left = 0;
    for (const version of versions) {
      const folder = path.join(home, version);
      const isKept = (await readVersion(folder)) !== undefined || !(await isAbandoned(folder, now));
      left += isKept ? 1 : 0;
      if (!isKept) {
        await discard(root, folder).catch(() => undefined);
      }
    }
    await removeLeftOvers(home);
    if (left === 0 && (await usedVersions(home)).size === 0) {
      await removeEmpty(home).catch(() => undefined);
    }
  }
  await removeLeftOvers(root);
  const locks = path.join(root, '.locks');
  for (const name of await readdir(locks).catch((): string[] => [])) {
    const [pid, host] = (await readFile(path.join(locks, name), 'utf8').catch(() => '')).split(' ');
    if (host === hostname() && isGone(Number(pid))) {
      // Takes the lock over, and deletes it.
      await withFileLock(path.join(locks, name), () => Promise.resolve()).catch(() => undefined);
    }
  }
}

/** Deletes the folder of an agent unless another window has begun to install a version into it. */
async function removeEmpty(home: string): Promise<void> {
  await rmdir(path.join(home, USES)).catch(() => undefined);
  await rm(path.join(home, STATE_FILE), { force: true });
  await rmdir(home);
}

async function isAbandoned(folder: string, now: () => number): Promise<boolean> {
  const owner = await readFile(path.join(folder, OWNER), 'utf8').catch(() => undefined);
  const [pid, host] = owner?.split(' ') ?? [];
  if (pid !== undefined && host === hostname()) {
    return isGone(Number(pid));
  }
  const info = await stat(folder).catch(() => undefined);
  return info === undefined || Math.abs(now() - info.mtimeMs) > UNOWNED_MS;
}

/** Deletes the temporary files of writes that a crash ended. A new one may belong to a write of another window. */
async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const info = isLeftOver(name) ? await stat(path.join(folder, name)).catch(() => undefined) : undefined;
    if (info && Math.abs(Date.now() - info.mtimeMs) > WRITE_MS) {
      await rm(path.join(folder, name), { force: true }).catch(() => undefined);
    }
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
