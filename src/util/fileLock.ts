/** One at a time over all processes of a machine: whoever makes the lock's file has it. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isDiskFull } from './diskFull';

/** ms after which a lock is a dead process's, where nothing else is said: what is done under one takes milliseconds. */
const STALE_MS = 5000;
const POLL_MS = 5;

/** Runs `run` while nobody else has the lock. Waits for its turn; a lock that a crash left is taken after some seconds. @param file its folder exists */
export async function withFileLock<T>(file: string, run: () => Promise<T>, staleMs = STALE_MS): Promise<T> {
  const own = `${process.pid} ${hostname()} ${randomUUID()}`;
  for (let wait = POLL_MS; !(await taken(file, own, staleMs)); wait = Math.min(wait * 1.5, 100)) {
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
  }
  try {
    return await run();
  } finally {
    // Whoever waited too long may have it by now.
    if ((await readFile(file, 'utf8').catch(() => undefined)) === own) {
      await rm(file, { force: true });
    }
  }
}

async function taken(file: string, own: string, staleMs: number): Promise<boolean> {
  try {
    await writeFile(file, own, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isDiskFull(error)) {
      await rm(file, { force: true }); // Made, and empty.
    }
    if (code !== 'EEXIST' && code !== 'EPERM' && code !== 'EACCES') {
      throw error;
    }
    if (code !== 'EEXIST' && process.platform !== 'win32') {
      throw error;
    }
  }
  const stale = await staleIn(file, staleMs);
  if (stale !== undefined) {
    // One of those that find it stale moves it away; the others find nothing to move, or somebody's new one, which they put back.
    const away = `${file}.${randomUUID()}`;
    try {
      await rename(file, away);
      if ((await readFile(away, 'utf8')) !== stale) {
        await link(away, file);
      }
    } catch {
      // Somebody else was there first.
    }
    await rm(away, { force: true });
  }
  return false;
}

/** What a lock holds whose process is gone, or that is old; a time that lies ahead is of a clock that was set back. Undefined when it is held. */
async function staleIn(file: string, staleMs: number): Promise<string | undefined> {
  const [text, info] = await Promise.all([readFile(file, 'utf8').catch(() => undefined), stat(file).catch(() => undefined)]);
  if (!info || text === undefined) {
    return undefined;
  }
  const [, pid, host] = /^(\d+) (\S+) /.exec(text) ?? [];
  const isDead = host === hostname() && isGone(Number(pid));
  return isDead || Math.abs(Date.now() - info.mtimeMs) > staleMs ? text : undefined;
}

/** No process of this machine has this id. One that is another user's is there. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
