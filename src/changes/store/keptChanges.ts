/** What all sessions keep of earlier versions: how much it is, and how it goes. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

export interface KeptChanges {
  readonly sessionKey: string;
  /** Absolute. */
  readonly folder: string;
  readonly bytes: number;
  /** ms since the epoch: when it was written last. */
  readonly at: number;
}

const ENDING = '.changes';

/** @param folders has a folder for each project, in which each session has its own */
export async function keptChanges(folders: string): Promise<readonly KeptChanges[]> {
  const found: KeptChanges[] = [];
  for (const project of await namesIn(folders)) {
    for (const name of (await namesIn(path.join(folders, project))).filter((each) => each.endsWith(ENDING))) {
      const folder = path.join(folders, project, name);
      const files = await Promise.all((await namesIn(folder)).map((each) => stat(path.join(folder, each)).catch(() => undefined)));
      found.push({
        sessionKey: name.slice(0, -ENDING.length),
        folder,
        bytes: files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
        at: Math.max(0, ...files.map((file) => file?.mtimeMs ?? 0)),
      });
    }
  }
  return found;
}

/** Those that go, the oldest first, so that all together keep no more than `maxBytes`. @param isInUse what is open stays */
export async function tooMuch(
  kept: readonly KeptChanges[],
  maxBytes: number,
  isInUse: (sessionKey: string) => Promise<boolean>,
): Promise<readonly KeptChanges[]> {
  let bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
  const going: KeptChanges[] = [];
  for (const each of [...kept].sort((one, other) => one.at - other.at)) {
    if (bytes > maxBytes && !(await isInUse(each.sessionKey))) {
      going.push(each);
      bytes -= each.bytes;
    }
  }
  return going;
}

export async function removeKept({ folder }: KeptChanges): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
