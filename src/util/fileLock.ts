/** A lock across all processes of a machine. The process that creates the lock file holds it. */
import { randomUUID } from 'node:crypto';
import { link, lstat, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isDiskFull } from './diskFull';
import { removeFile } from './windows/renameOver';

/** ms after which a lock counts as left by a dead process, unless the caller says otherwise. Work under a lock takes milliseconds. */
const STALE_MS = 5000;
const POLL_MS = 5;
/** ms for which Windows may refuse to create a lock that does not exist. A lock that is being deleted is refused for a moment. */
const REFUSED_MS = 5000;

/** For tests. */
export interface LockDependencies {
  readonly platform?: NodeJS.Platform;
  readonly refusedMs?: number;
  /** Creates the lock file, which must not exist. */
  create?(file: string, text: string): Promise<void>;
}

interface Refusal {
  readonly limitMs: number;
  /** The time of the first refusal; undefined when the last attempt found a lock. */
  since?: number | undefined;
}

/**
 * Runs `run` while it holds the lock. Waits until the lock is free; a lock that a crash left is taken after some seconds. @param file its folder
 * exists
 */
export async function withFileLock<T>(
  file: string,
  run: () => Promise<T>,
  staleMs = STALE_MS,
  { platform = process.platform, refusedMs = REFUSED_MS, create = createLock }: LockDependencies = {},
): Promise<T> {
  const refusal: Refusal = { limitMs: platform === 'win32' ? refusedMs : 0 };
  const own = `${process.pid} ${hostname()} ${randomUUID()}`;
  for (let wait = POLL_MS; !(await taken(() => create(file, own), file, staleMs, refusal)); wait = Math.min(wait * 1.5, 100)) {
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
  }
  try {
    return await run();
  } finally {
    // Another process may have taken over a lock that was held too long.
    if ((await readFile(file, 'utf8').catch(() => undefined)) === own) {
      await removeFile(file, { platform });
    }
  }
}

function createLock(file: string, text: string): Promise<void> {
  return writeFile(file, text, { flag: 'wx', mode: 0o600 });
}

async function taken(create: () => Promise<void>, file: string, staleMs: number, refusal: Refusal): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isDiskFull(error)) {
      await rm(file, { force: true }); // Created, but empty.
    }
    if (code !== 'EEXIST' && code !== 'EPERM' && code !== 'EACCES') {
      throw error;
    }
    if (!(await mayPass(file, code, refusal))) {
      throw error;
    }
  }
  const stale = await staleIn(file, staleMs);
  if (stale !== undefined) {
    // Only one of the processes that find it stale moves it away. The others find nothing, or a new lock, which they put back.
    const away = `${file}.${randomUUID()}`;
    try {
      await rename(file, away);
      if ((await readFile(away, 'utf8')) !== stale) {
        await link(away, file);
      }
    } catch {
      // Another process was faster.
    }
    await rm(away, { force: true });
  }
  return false;
}

/**
 * False when the error stays: a folder has the name of the lock, or Windows has refused to create it for too long. Then the folder cannot be written,
 * or a lock that a crash left cannot be read.
 */
async function mayPass(file: string, code: string, refusal: Refusal): Promise<boolean> {
  const isFolder = await lstat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
  refusal.since = code === 'EEXIST' ? undefined : (refusal.since ?? performance.now());
  return !isFolder && (refusal.since === undefined || performance.now() - refusal.since < refusal.limitMs);
}

/**
 * Returns the content of a lock whose process is gone, or that is old. A time in the future also counts, because the clock was set back. Undefined
 * when the lock is held.
 */
async function staleIn(file: string, staleMs: number): Promise<string | undefined> {
  const [text, info] = await Promise.all([readFile(file, 'utf8').catch(() => undefined), stat(file).catch(() => undefined)]);
  if (!info || text === undefined) {
    return undefined;
  }
  const [, pid, host] = /^(\d+) (\S+) /.exec(text) ?? [];
  const isDead = host === hostname() && isGone(Number(pid));
  return isDead || Math.abs(Date.now() - info.mtimeMs) > staleMs ? text : undefined;
}

/** True when no process of this machine has this id. Another user's process counts as existing. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
