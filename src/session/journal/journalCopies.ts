/**
 * Copies a journal into a folder beside it before the journal is rewritten. The newest few copies are stored for some weeks, and deleted with their
 * session.
 * A journal that is cut to the user's size limit is not copied: the copies would be over the limit, too.
 */

/** Copies of one journal. */
export const MAX_COPIES = 3;
/** ms after which a copy is deleted. */
export const COPY_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Copies the journal, if there is one, and deletes the copies over the limits.
 * @throws the file system's error: the journal must not be rewritten then
 */
export async function copyJournal(journal: string, copies: string, now = Date.now()): Promise<void> {
  const [{ constants, copyFile, lstat, mkdir }, path] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  const info = await lstat(journal).catch(() => undefined);
  if (!info?.isFile() || info.size === 0) {
    return;
  }
  await mkdir(copies, { recursive: true, mode: 0o700 });
  const newest = Math.max(...(await timesIn(copies)), 0);
  await copyFile(journal, path.join(copies, `${Math.max(now, newest + 1)}.jsonl`), constants.COPYFILE_EXCL);
  await pruneCopies(copies, now);
}

/** Deletes copies that are too old or too many, and the folder with the last of them. Never fails. */
export async function pruneCopies(copies: string, now = Date.now()): Promise<void> {
  const [{ rm, rmdir }, path] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  const times = await timesIn(copies);
  const old = times.sort((a, b) => b - a).filter((time, index) => index >= MAX_COPIES || time < now - COPY_MS);
  await Promise.all(old.map((time) => rm(path.join(copies, `${time}.jsonl`), { force: true }).catch(() => undefined)));
  if (old.length === times.length) {
    await rmdir(copies).catch(() => undefined);
  }
}

/** The times of the copies, in ms since the epoch. */
async function timesIn(copies: string): Promise<number[]> {
  const { readdir } = await import('node:fs/promises');
  return (await readdir(copies).catch(() => [])).flatMap((name) => /^(\d{1,15})\.jsonl$/.exec(name)?.[1] ?? []).map(Number);
}
