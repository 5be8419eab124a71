/** The marks of running agents: a file per use and process, so that no window deletes a version that runs. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isGone } from '../../util/fileLock';
import { readRow } from '../../util/processes/processList';
import { USES } from './record';

const SEPARATOR = '~';
/** In the name of a mark whose process is a keeper. */
const KEPT = 'kept';
/** ms after which the mark of another machine no longer counts. Its processes cannot be seen, and a crash may have left it. */
const FOREIGN_MS = 7 * 24 * 60 * 60_000;
/** ms for which a keeper may go on after its window has ended its agent. */
const KEEPER_MS = 3000;
const POLL_MS = 100;

/** Marks the version as used by this process. @returns a function that ends the use */
export async function markUse(version: string): Promise<() => void> {
  const file = await writeMark(version, process.pid, randomUUID().slice(0, 8));
  return () => rmSync(file, { force: true });
}

/** Marks the version as used by a keeper, until that process has ended. Its agent may outlive this window. */
export async function markKept(version: string, keeperPid: number): Promise<void> {
  await writeMark(version, keeperPid, KEPT);
}

async function writeMark(version: string, pid: number, suffix: string): Promise<string> {
  const folder = path.join(path.dirname(version), USES);
  const file = path.join(folder, [path.basename(version), pid, suffix].join(SEPARATOR));
  await mkdir(folder, { recursive: true });
  await writeFile(file, [hostname(), readRow(pid)?.started ?? ''].join(' '));
  return file;
}

/** Returns the names of the used versions of an agent. Marks of processes that ended are deleted. @param home the agent's folder */
export async function usedVersions(home: string): Promise<ReadonlySet<string>> {
  return new Set((await marksIn(home)).map(({ version }) => version));
}

/** Resolves to true when no process uses a version of the agent. Waits for keepers that are about to end. @param home the agent's folder */
export async function isUnused(home: string): Promise<boolean> {
  for (let waited = 0; ; waited += POLL_MS) {
    const marks = await marksIn(home);
    if (marks.length === 0 || marks.some(({ isKept }) => !isKept) || waited >= KEEPER_MS) {
      return marks.length === 0;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function marksIn(home: string): Promise<{ readonly version: string; readonly isKept: boolean }[]> {
  const folder = path.join(home, USES);
  const marks: { version: string; isKept: boolean }[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const [version = '', pid, suffix] = name.split(SEPARATOR);
    if (await isInUse(path.join(folder, name), Number(pid))) {
      marks.push({ version, isKept: suffix === KEPT });
    } else {
      await rm(path.join(folder, name), { force: true });
    }
  }
  return marks;
}

/** False when the process of a mark has ended. Another process may have its id now, which the time of its start shows on Linux. */
async function isInUse(file: string, pid: number): Promise<boolean> {
  const [host, started] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  if (host && host !== hostname()) {
    const info = await stat(file).catch(() => undefined);
    return info !== undefined && Math.abs(Date.now() - info.mtimeMs) < FOREIGN_MS;
  }
  return !isGone(pid) && (!started || String(readRow(pid)?.started ?? started) === started);
}
