/** Copies the files that Git does not store from a worktree to another folder, before the worktree is removed. */
import { cp, lstat, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fault } from '../core/model/failure';
import type { Git } from '../util/git';
import type { Losses } from './losses';
import { COPY } from './nestedRepositories';
import { Reader } from './reader';
import { isRepository, isSafeParent } from './realFolders';
import { KEPT, ownCommits, type WorktreeModule } from './submoduleCommits';
import type { Worktree } from './worktreeList';

/** Subfolders of the copy. */
const STAGED = 'staged versions';
const COMMITS = 'submodule commits';
/** ms */
const BUNDLE_MS = 15 * 60_000;

/**
 * Copies uncommitted, untracked and ignored files and nested repositories into a new folder. Also copies commits of submodules without a copy in
 * the main tree, as Git bundles. The worktree does not change.
 * @param target a folder that does not exist yet, outside of the worktree
 * @throws Fault `worktree.not_kept`, and the worktree must not be removed
 */
export async function keepFiles(
  git: Git,
  worktree: Worktree,
  losses: Losses,
  modules: readonly WorktreeModule[],
  target: string,
): Promise<void> {
  const from = worktree.path;
  const relative = path.relative(from, target);
  if (relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative))) {
    throw fault('worktree.not_kept', { path: target });
  }
  if (losses.unknown.length > 0) {
    throw fault('worktree.not_kept', { path: losses.unknown[0]!.path || from }, { detail: losses.unknown[0]!.detail });
  }
  let at = target;
  try {
    await mkdir(path.dirname(target), { recursive: true });
    await mkdir(target);
    const { nested, ignored, untracked, uncommitted } = losses;
    const folders = [...nested, ...ignored.map((entry) => entry.path.replace(/\/$/, ''))];
    const isInside = (name: string) => folders.some((folder) => name.startsWith(`${folder}/`));
    const outer = folders.filter((name) => !isInside(name));
    for (const name of outer) {
      at = name;
      await copyInto(from, target, name);
    }
    for (const name of [...untracked, ...uncommitted].filter((each) => !isInside(each))) {
      at = name;
      // The files of a submodule with another commit are listed one by one.
      if ((await lstat(path.join(from, name)).catch(() => undefined))?.isDirectory() !== true) {
        await copyInto(from, target, name);
      }
    }
    for (const name of uncommitted.filter((each) => !isInside(each))) {
      at = name;
      await keepStaged(git, from, name, path.join(target, STAGED));
    }
    for (const each of modules.filter(({ main, place }) => (main ?? place) === undefined)) {
      at = each.label;
      await bundle(git, each, path.join(target, COMMITS));
    }
  } catch (error) {
    throw fault('worktree.not_kept', { path: at }, { detail: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * Stores commits that no branch has under `refs/acp-host/kept/`: those of a detached HEAD, and those that only the log of HEAD names.
 * @throws Fault
 */
export async function keepCommits(git: Git, root: string, { branch, head }: Worktree, { commits, loggedCommits }: Losses): Promise<void> {
  const kept = [...(branch === undefined && head !== undefined && commits !== 0 ? [head] : []), ...loggedCommits];
  if (kept.length > 0) {
    const reader = await Reader.in(git, root);
    await reader.run(['update-ref', '--stdin'], { input: kept.map((commit) => `update ${KEPT}${commit} ${commit}\n`).join('') });
  }
}

async function copyInto(from: string, to: string, name: string): Promise<void> {
  const source = path.join(from, name);
  const found = await lstat(source).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : Promise.reject(error)));
  if (!found) {
    return; // A deleted file has no content.
  }
  if (!(await isSafeParent(from, name))) {
    return; // A link in place of the folder is copied as a link.
  }
  await mkdir(path.dirname(path.join(to, name)), { recursive: true });
  await cp(source, path.join(to, name), COPY);
}

/** Copies the staged version of a file, which may differ from both the last commit and the file. */
async function keepStaged(git: Git, from: string, name: string, to: string): Promise<void> {
  const { folder, inside } = await repositoryAbove(from, name);
  const reader = await Reader.in(git, folder);
  const staged = await reader.run(['diff-index', '--cached', '--quiet', 'HEAD', '--', inside], { codes: [1, 128] });
  if (staged.code !== 1) {
    return;
  }
  const content = await reader.run(['cat-file', 'blob', `:${inside}`], { codes: [128] });
  if (content.code === 0) {
    const file = path.join(to, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content.stdout, { flag: 'wx' });
  }
}

/** The innermost repository that contains a file, and the file's path in it. */
async function repositoryAbove(from: string, name: string): Promise<{ readonly folder: string; readonly inside: string }> {
  const parts = name.split('/');
  for (let count = parts.length - 1; count > 0; count--) {
    const above = parts.slice(0, count).join('/');
    if (await isRepository(from, above)) {
      return { folder: path.join(from, above), inside: parts.slice(count).join('/') };
    }
  }
  return { folder: from, inside: name };
}

async function bundle(git: Git, module: WorktreeModule, to: string): Promise<void> {
  const { commits } = await ownCommits(git, module);
  if (commits.length === 0) {
    return;
  }
  const file = path.join(to, `${module.label.replaceAll('/', '-')}.bundle`);
  await mkdir(to, { recursive: true });
  const reader = await Reader.in(git, module.gitFolder, { isGitFolder: true });
  await reader.run(['bundle', 'create', file, '--all', 'HEAD'], { timeoutMs: BUNDLE_MS });
}
