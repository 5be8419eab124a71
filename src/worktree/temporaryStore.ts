/** A temporary object store and index, so that comparing working trees adds nothing to the user's repository. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Git } from '../util/git';
import { Reader } from './reader';

export interface TemporaryStore {
  /** Makes Git read the repository's objects and write new ones to the temporary store. */
  readonly env: Readonly<Record<string, string>>;
  /** A path for a file that is deleted with the store. */
  file(name: string): string;
}

/** Author and date of temporary commits. */
export const NOBODY = {
  GIT_AUTHOR_NAME: 'ACP Host',
  GIT_AUTHOR_EMAIL: 'acp-host@localhost',
  GIT_COMMITTER_NAME: 'ACP Host',
  GIT_COMMITTER_EMAIL: 'acp-host@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};

/** Creates a store and deletes it when `use` has settled. @throws Fault, and the errors of `use` */
export async function withTemporaryStore<T>(git: Git, folder: string, use: (store: TemporaryStore) => Promise<T>): Promise<T> {
  const own = await mkdtemp(path.join(os.tmpdir(), 'acp-host-index-'));
  try {
    const reader = await Reader.in(git, folder);
    const real = path.resolve(folder, await reader.text(['rev-parse', '--git-path', 'objects']));
    const objects = path.join(own, 'objects');
    await mkdir(objects);
    // Git follows the alternates of `real` by itself.
    const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(real) };
    let count = 0;
    return await use({ env, file: (name) => path.join(own, `${++count}-${name}`) });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Copies the folder's index to `file`. The stored file times spare Git from reading unchanged files. */
export async function copyIndex(reader: Reader, file: string): Promise<void> {
  const real = path.resolve(reader.folder, await reader.text(['rev-parse', '--git-path', 'index']));
  await copyFile(real, file).catch(() => reader.run(['read-tree', 'HEAD'], { env: { GIT_INDEX_FILE: file } }));
}

/** A path between quotes, because a colon separates the paths of the list. */
function quoted(file: string): string {
  return `"${file.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
