/** Removes one worktree, and nothing that was not agreed to. */
import { fault } from '../core/model/failure';
import type { Git } from '../util/git';
import { keepCommits } from './keepFiles';
import type { Losses } from './losses';
import { Reader } from './reader';
import { keepSubmoduleCommits, type WorktreeModule } from './submoduleCommits';
import { CHECKOUT_MS, type Repository, type Worktree } from './worktreeList';

export interface RemoveOptions {
  /** The branch goes, too. */
  readonly branch: boolean;
  /** The losses that the user has agreed to. Removing stops when there are others by now. */
  readonly expected?: Losses;
}

interface RemovalDependencies {
  readonly git: Git;
  current(repository: Repository, worktree: Worktree): Promise<Worktree>;
  modules(repository: Repository, worktree: Worktree): Promise<readonly WorktreeModule[]>;
  losses(repository: Repository, worktree: Worktree): Promise<Losses>;
}

/**
 * Deletes the folder of a worktree with everything in it. For a worktree whose folder is gone, deletes Git's record of this one alone: another one may
 * be on a disk that is not connected. Commits of submodules, and of a detached HEAD that is gone, are kept under `refs/acp-host/kept/` first.
 * @throws Fault, and nothing was removed: `worktree.locked`, `worktree.submodule_commits`, `worktree.changed_meanwhile`
 */
export async function removeWorktree(
  worktrees: RemovalDependencies,
  repository: Repository,
  worktree: Worktree,
  { branch, expected }: RemoveOptions,
): Promise<void> {
  const { git } = worktrees;
  const { root } = repository;
  if (worktree.isMain) {
    throw fault('worktree.is_main');
  }
  const now = await worktrees.current(repository, worktree);
  if (now.isLocked) {
    throw fault('worktree.locked', { path: worktree.path });
  }
  // A disk that is connected again brings its files.
  if (now.isGone !== worktree.isGone) {
    throw fault('worktree.changed_meanwhile');
  }
  await keepSubmoduleCommits(git, await worktrees.modules(repository, now));
  if (expected) {
    const { fingerprint, commitsIn } = await worktrees.losses(repository, now);
    // A kept commit that is missing from the main copy was made after the copy.
    if (fingerprint !== expected.fingerprint || commitsIn.some(({ isKept }) => isKept)) {
      throw fault('worktree.changed_meanwhile');
    }
  }
  if (now.isGone) {
    await keepCommits(git, root, now, await worktrees.losses(repository, now));
  }
  const reader = await Reader.in(git, root);
  // Force: Git refuses any that has submodules, and the caller has asked about the rest.
  await reader.run(['worktree', 'remove', '--force', '--', worktree.path], { timeoutMs: CHECKOUT_MS });
  if (branch && now.branch !== undefined) {
    await reader.run(['branch', '-D', '--', now.branch]);
  }
}
