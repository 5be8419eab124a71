/** Creates the folder that package runners start in. */
import { mkdir, mkdtemp, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns an empty, real folder in `storage` that, where the system can tell, only its owner can access. Reuses the previous folder if it still
 * qualifies. Rejects with the system's error when none can be created.
 * @param storage absolute; created when missing. The contents of its parents are trusted as the user's own.
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
