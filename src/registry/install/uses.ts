/** The marks of running agents: a file per use and process, so that no window deletes a version that runs. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isGone } from '../../util/fileLock';
import { USES } from './record';

const SEPARATOR = '~';

/** Marks the version as used by this process. @returns a function that ends the use */
export async function markUse(version: string): Promise<() => void> {
  const folder = path.join(path.dirname(version), USES);
  const file = path.join(folder, [path.basename(version), process.pid, randomUUID().slice(0, 8)].join(SEPARATOR));
  await mkdir(folder, { recursive: true });
  await writeFile(file, hostname(), { flag: 'wx' });
  return () => rmSync(file, { force: true });
}

/** Returns the names of the used versions of an agent. Marks of processes that ended are deleted. @param home the agent's folder */
export async function usedVersions(home: string): Promise<ReadonlySet<string>> {
  const folder = path.join(home, USES);
  const used = new Set<string>();
  for (const name of await readdir(folder).catch(() => [])) {
    const [version = '', pid] = name.split(SEPARATOR);
    if (isGone(Number(pid))) {
      await rm(path.join(folder, name), { force: true });
    } else {
      used.add(version);
    }
  }
  return used;
}
