/** The folder that package runners start in. */
import { mkdir, mkdtemp, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * A folder in `storage` that is empty, a real one, and (where the system tells) only its owner's: the one of before where it still is so,
 * else another. Rejects with the system's error when none can be made.
 * @param storage absolute; made when missing. What lies in its parents is taken for the user's own.
 */
export async function emptyFolderIn(storage: string): Promise<string> {
  const usual = path.join(storage, 'package-runner');
  await mkdir(storage, { recursive: true });
  await mkdir(usual, { mode: 0o700 }).catch(() => undefined);
  return (await isEmptyAndOurs(usual)) ? usual : mkdtemp(`${usual}-`);
}

async function isEmptyAndOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  const ours = process.getuid === undefined || (found?.uid === process.getuid() && (found.mode & 0o077) === 0);
  return found !== undefined && found.isDirectory() && ours && (await readdir(folder).catch(() => ['?'])).length === 0;
}
