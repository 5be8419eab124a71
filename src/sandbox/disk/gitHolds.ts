/**
 * Files that a project may lack and that decide which programs Git and VS Code run. A sandbox can only hold back what exists, so they are made
 * before it starts. These are a `.vscode`, a folder for hooks, and a `commondir` that names the repository itself. Another `commondir` would take the
 * place of the configuration.
 */
import { lstatSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../../core/platform/disposable';
import { areOthersRunning } from './privateFolders';

/** The name of a file that says where the configuration, the hooks and the objects are. */
export const COMMON = 'commondir';
const ITSELF = '.\n';

/** The number of sandboxes of this process that need the file, by its path. */
const holds = new Map<string, number>();
let isListening = false;

/**
 * Makes the files in the session's folders and in these folders of Git, which must be no links. Disposing removes those that only a sandbox
 * needs.
 */
export async function holdFiles(roots: readonly string[], gitFolders: readonly string[]): Promise<Disposable> {
  const held: string[] = [];
  const hold = (file: string): void => {
    holds.set(file, (holds.get(file) ?? 0) + 1);
    held.push(file);
  };
  for (const root of roots) {
    const folder = path.join(root, '.vscode');
    const isMade = await mkdir(folder).then(
      () => true,
      () => false,
    );
    if (isMade || holds.has(folder)) {
      hold(folder);
    }
  }
  for (const folder of gitFolders) {
    const isRepository = await Promise.all([lstat(folder), lstat(path.join(folder, 'HEAD'))]).then(
      ([found]) => found.isDirectory(),
      () => false,
    );
    if (!isRepository) {
      continue;
    }
    await mkdir(path.join(folder, 'hooks')).catch(() => undefined);
    const config = await readFile(path.join(folder, 'config'), 'utf8').catch(() => '');
    if (/^[ \t]*worktreeconfig\b/im.test(config)) {
      await writeFile(path.join(folder, 'config.worktree'), '', { flag: 'wx' }).catch(() => undefined);
    }
    const file = path.join(folder, COMMON);
    await writeFile(file, ITSELF, { flag: 'wx' }).catch(() => undefined);
    hold(file);
  }
  if (held.length > 0 && !isListening) {
    isListening = true;
    process.on('exit', () => [...holds.keys()].forEach(remove));
  }
  return { dispose: () => held.splice(0).forEach(release) };
}

function release(file: string): void {
  const count = (holds.get(file) ?? 1) - 1;
  holds.set(file, count);
  if (count === 0) {
    holds.delete(file);
    remove(file);
  }
}

/** Another window may have a sandbox for the same repository, which would lose the file. The last one removes it. */
function remove(file: string): void {
  try {
    const found = areOthersRunning() ? undefined : lstatSync(file);
    if (found?.isDirectory()) {
      // Fails for a folder with files in it.
      rmdirSync(file);
    } else if (found?.isFile() && readFileSync(file, 'utf8') === ITSELF) {
      rmSync(file);
    }
  } catch {
    // The repository may be gone.
  }
}
