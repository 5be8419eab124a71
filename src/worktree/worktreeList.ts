/** Reads Git's list of worktrees, and finds Git's own folder of each. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { realPathOf } from '../util/realPath';

/** A worktree in Git's list. */
export interface Listed {
  /** Absolute. */
  readonly path: string;
  /** Undefined for a branch without a commit. */
  readonly head?: string;
  /** The short name; undefined when a commit is checked out. */
  readonly branch?: string;
  readonly isLocked: boolean;
}

/** A repository that contains a folder of the workspace. */
export interface Repository {
  /** The main working tree; absolute. */
  readonly root: string;
  /** The open working tree, which may be a worktree. Its branch is the current one. */
  readonly opened: string;
  /** The folder of the objects and branches; absolute. */
  readonly gitFolder: string;
}

/** A working tree of a repository. */
export interface Worktree extends Listed {
  /** True for the repository's own working tree. */
  readonly isMain: boolean;
  /** True when the folder does not exist, but Git still lists it. */
  readonly isGone: boolean;
}

/** ms, enough for a large repository, its hooks and its submodules. */
export const CHECKOUT_MS = 15 * 60_000;

/** Parses `git worktree list --porcelain`: one field per line, and an empty line after each worktree. */
export function parseList(lines: readonly string[]): Listed[] {
  const listed: Listed[] = [];
  let current: { path?: string; head?: string; branch?: string; isLocked: boolean } = { isLocked: false };
  for (const line of [...lines, '']) {
    if (line === '') {
      if (current.path !== undefined) {
        listed.push({ ...current, path: path.normalize(current.path) });
      }
      current = { isLocked: false };
      continue;
    }
    const space = line.indexOf(' ');
    const [key, value] = space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
    switch (key) {
      case 'worktree':
        current.path = value;
        break;
      case 'HEAD':
        current.head = value;
        break;
      case 'branch':
        current.branch = value.replace(/^refs\/heads\//, '');
        break;
      case 'locked':
        current.isLocked = true;
        break;
    }
  }
  return listed;
}

/** Git's own folder of a worktree, absolute; undefined when there is none. The worktree itself may be gone. */
export async function adminFolderOf(gitFolder: string, worktree: string): Promise<string | undefined> {
  const all = path.join(gitFolder, 'worktrees');
  const wanted = new Set([worktree, await realPathOf(worktree).catch(() => worktree)]);
  for (const name of await readdir(all).catch(() => [])) {
    const folder = path.join(all, name);
    const link = await readFile(path.join(folder, 'gitdir'), 'utf8').catch(() => undefined);
    if (link !== undefined) {
      const target = path.dirname(path.resolve(folder, link.replace(/\r?\n$/, '')));
      if (wanted.has(target) || wanted.has(await realPathOf(target).catch(() => target))) {
        return folder;
      }
    }
  }
  return undefined;
}

/** True when the folder's `.git` file points back. Git's list may name any folder, whose own configuration Git would then read. */
export async function pointsTo(worktree: string, adminFolder: string): Promise<boolean> {
  const file = path.join(worktree, '.git');
  const found = await lstat(file).catch(() => undefined);
  const text = found?.isFile() ? await readFile(file, 'utf8').catch(() => '') : '';
  const target = /^gitdir: ([^]*?)\r?\n?$/.exec(text)?.[1];
  if (target === undefined) {
    return false;
  }
  const [one, other] = await Promise.all([realPathOf(path.resolve(worktree, target)), realPathOf(adminFolder)]).catch(() => [
    '',
    undefined,
  ]);
  return one === other;
}
