/** Removes one worktree, with only the losses that the user has agreed to. */
import { fault } from '../core/model/failure';
import type { Git } from '../util/git';
import { keepCommits } from './keepFiles';
import type { Losses } from './losses';
import { Reader } from './reader';
import { keepSubmoduleCommits, type WorktreeModule } from './submoduleCommits';
import { CHECKOUT_MS, type Repository, type Worktree } from './worktreeList';

export interface RemoveOptions {
  /** True when the branch is deleted, too. */
  readonly branch: boolean;
  /** The losses that the user has agreed to. Removing stops when they have changed since. */
  readonly expected?: Losses;
}

interface RemovalDependencies {
  readonly git: Git;
  current(repository: Repository, worktree: Worktree): Promise<Worktree>;
  modules(repository: Repository, worktree: Worktree): Promise<readonly WorktreeModule[]>;
  losses(repository: Repository, worktree: Worktree): Promise<Losses>;
}

/**
 * Deletes the folder of a worktree with everything in it. For a worktree whose folder is gone, deletes only Git's record of it, because another one
 * may be on a disk that is not connected. Commits of submodules, and of the detached HEAD of a gone worktree, are first stored under
 * `refs/acp-host/kept/`.
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
  // The files exist again when their disk was reconnected.
  if (now.isGone !== worktree.isGone) {
    throw fault('worktree.changed_meanwhile');
  }
  await keepSubmoduleCommits(git, await worktrees.modules(repository, now));
  if (expected) {
    const { fingerprint, commitsIn } = await worktrees.losses(repository, now);
    // The commits were kept before, so one that the main copy lacks was made since.
    if (fingerprint !== expected.fingerprint || commitsIn.some(({ isKept }) => isKept)) {
      throw fault('worktree.changed_meanwhile');
    }
  }
  if (now.isGone) {
    await keepCommits(git, root, now, await worktrees.losses(repository, now));
  }
  const reader = await Reader.in(git, root);
  // Git refuses to remove a worktree with submodules without `--force`, and the caller has asked about the other losses.
  await reader.run(['worktree', 'remove', '--force', '--', worktree.path], { timeoutMs: CHECKOUT_MS });
  if (branch && now.branch !== undefined) {
    await reader.run(['branch', '-D', '--', now.branch]);
  }
}
