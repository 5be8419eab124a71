/** The stored changes of all sessions: lists their sizes, and deletes them. */
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { renameOver } from '../../util/windows/renameOver';
import { isLeftOver } from '../../util/writeFileSafely';

export interface StoredChanges {
  readonly sessionKey: string;
  /** Absolute. */
  readonly folder: string;
  readonly bytes: number;
  /** The time of the last write, in ms since the epoch. */
  readonly at: number;
}

const ENDING = '.changes';

/** ms after which no window is still deleting a renamed folder. */
const ABANDONED_MS = 60_000;

/**
 * Returns the stored changes of each session. Deletes folders whose deletion a crash has interrupted.
 * @param folders has a folder for each project, in which each session has its own
 * @param now ms since the epoch
 */
export async function keptChanges(folders: string, now = Date.now()): Promise<readonly StoredChanges[]> {
  const found: StoredChanges[] = [];
  for (const project of await namesIn(folders)) {
    for (const name of await namesIn(path.join(folders, project))) {
      const folder = path.join(folders, project, name);
      if (name.endsWith(ENDING)) {
        found.push({ sessionKey: name.slice(0, -ENDING.length), folder, ...(await sizeOf(folder)) });
      } else if (isLeftOver(name) && name.includes(`${ENDING}.`)) {
        await removeAbandoned(folder, now);
      }
    }
  }
  return found;
}

/** Returns the sessions to delete, oldest first, so that the rest takes no more than `maxBytes`. @param isInUse true for a session that stays */
export async function sessionsOverLimit(
  kept: readonly StoredChanges[],
  maxBytes: number,
  isInUse: (sessionKey: string) => Promise<boolean>,
): Promise<readonly StoredChanges[]> {
  let bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
  const going: StoredChanges[] = [];
  for (const each of [...kept].sort((one, other) => one.at - other.at)) {
    if (bytes > maxBytes && !(await isInUse(each.sessionKey))) {
      going.push(each);
      bytes -= each.bytes;
    }
  }
  return going;
}

/**
 * Deletes a session's stored changes. Renames the folder first, so that a crash leaves no half of a store under its name.
 * @param isInUse called right before and after the rename, because a window may have opened the session since it was listed
 * @returns false when the folder stays, because it was written since it was listed or is in use
 * @throws the disk's error when the folder cannot be renamed
 */
export async function removeKept(
  { sessionKey, folder, at }: StoredChanges,
  isInUse: (sessionKey: string) => Promise<boolean> = async () => false,
): Promise<boolean> {
  if ((await isInUse(sessionKey)) || (await sizeOf(folder)).at > at) {
    return false;
  }
  const away = path.join(path.dirname(folder), `.${path.basename(folder).slice(0, MAX_NAME)}.${randomBytes(12).toString('hex')}.tmp`);
  try {
    await renameOver(folder, away);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return true;
    }
    throw error;
  }
  if ((await isInUse(sessionKey)) || (await sizeOf(away)).at > at) {
    // Fails when the other window has already written to a new folder. Its store has then noticed that the earlier objects are missing.
    const isBack = await renameOver(away, folder).then(
      () => true,
      () => false,
    );
    if (isBack) {
      return false;
    }
  }
  await rm(away, { recursive: true, force: true });
  return true;
}

/** The most characters of the folder's name in the temporary one, as in `isLeftOver`. */
const MAX_NAME = 60;

async function removeAbandoned(folder: string, now: number): Promise<void> {
  // A rename sets the folder's ctime.
  const renamedAt = await stat(folder).then(
    ({ ctimeMs }) => ctimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  if (Math.abs(now - renamedAt) > ABANDONED_MS) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function sizeOf(folder: string): Promise<{ readonly bytes: number; readonly at: number }> {
  const files = await Promise.all((await namesIn(folder)).map((each) => stat(path.join(folder, each)).catch(() => undefined)));
  return {
    bytes: files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
    at: Math.max(0, ...files.map((file) => file?.mtimeMs ?? 0)),
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
