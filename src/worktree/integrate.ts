/** Brings what was done in a worktree into the main tree: as uncommitted changes, or as a merge of its branch. All of it, or nothing. */
import { fault, failureOf } from '../core/model/failure';
import type { FileChange } from './snapshots';
import { CHECKOUT_MS, type Repository, type Worktree, type Worktrees } from './worktrees';

export interface Applied {
  readonly files: readonly FileChange[];
  /** Not brought along. */
  readonly submodules: readonly string[];
}

/** Of commits that nothing refers to. */
const NOBODY = {
  GIT_AUTHOR_NAME: 'ACP Host',
  GIT_AUTHOR_EMAIL: 'acp-host@localhost',
  GIT_COMMITTER_NAME: 'ACP Host',
  GIT_COMMITTER_EMAIL: 'acp-host@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};
const MAX_NAMED = 20;

/**
 * The worktree's changes since its base, uncommitted ones too, become uncommitted changes of the main tree, merged three-way with what the main tree
 * has, uncommitted or not. The index, the stash and all branches stay. @throws Fault `worktree.conflicts`: nothing was changed
 */
export async function applyToMain(worktrees: Worktrees, repository: Repository, worktree: Worktree): Promise<Applied> {
  worktrees.mustBeThere(worktree);
  const { git, snapshots } = worktrees;
  const { root } = repository;
  const base = await worktrees.baseOf(repository, worktree);
  const theirs = await snapshots.take(worktree.path, base);
  const baseTree = await git.text(root, ['rev-parse', '--verify', `${base}^{tree}`]);
  if (theirs.tree === baseTree) {
    throw fault(theirs.submodules.length > 0 ? 'worktree.only_submodules' : 'worktree.no_changes', {
      submodules: theirs.submodules.join(', '),
    });
  }
  const ours = await snapshots.take(root, base);
  const merged = await mergedTree(worktrees, root, baseTree, ours.tree, theirs.tree);
  const patch = await snapshots.patch(root, ours.tree, merged);
  const files = await snapshots.files(root, ours.tree, merged);
  if (files.length === 0) {
    throw fault('worktree.already_applied');
  }
  try {
    await snapshots.applyPatch(root, patch);
  } catch (error) {
    const { code, detail } = failureOf(error);
    throw code === 'git.failed' ? fault('worktree.not_applied', undefined, detail === undefined ? {} : { detail }) : error;
  }
  return { files, submodules: theirs.submodules };
}

/** Merges the worktree's branch into the branch of the main tree; Git's hooks run. @throws Fault: then nothing was changed */
export async function mergeIntoMain(worktrees: Worktrees, { root }: Repository, worktree: Worktree): Promise<{ readonly commits: number }> {
  const { git } = worktrees;
  const { branch } = worktree;
  if (branch === undefined) {
    throw fault('worktree.no_branch');
  }
  const ref = `refs/heads/${branch}`;
  const commits = Number(await git.text(root, ['rev-list', '--count', `HEAD..${ref}`]));
  if (commits === 0) {
    throw fault('worktree.nothing_to_merge', { branch });
  }
  // Looked at first: a merge that stops halfway would leave its marks in the user's files.
  const tried = await git.run(root, ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', 'HEAD', ref], { codes: [1] });
  if (tried.code === 1) {
    throw conflicts(tried.stdout);
  }
  await git.run(root, ['merge', '--no-edit', ref], { timeoutMs: CHECKOUT_MS }).catch(async (error: unknown) => {
    // A hook may refuse it after it was made; what Git itself refuses it has not begun.
    const begun = await git.run(root, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'], { codes: [1, 128] });
    if (begun.code === 0) {
      await git.run(root, ['merge', '--abort']);
    }
    throw error;
  });
  return { commits };
}

/** Everything in the worktree becomes a commit of its branch; Git's hooks run. @throws Fault */
export async function commitAll({ git, mustBeThere }: Worktrees, worktree: Worktree, message: string): Promise<void> {
  mustBeThere(worktree);
  await git.run(worktree.path, ['add', '--all', '--', '.'], { timeoutMs: CHECKOUT_MS });
  await git.run(worktree.path, ['commit', '--file=-', '--cleanup=strip'], { input: Buffer.from(message), timeoutMs: CHECKOUT_MS });
}

async function mergedTree({ git }: Worktrees, root: string, base: string, ours: string, theirs: string): Promise<string> {
  const commit = (tree: string, ...parents: string[]) =>
    git.text(root, ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
      env: NOBODY,
      input: Buffer.from('snapshot\n'),
    });
  const before = await commit(base);
  const [one, other] = [await commit(ours, before), await commit(theirs, before)];
  const tried = await git.run(root, ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', one, other], { codes: [1] });
  if (tried.code === 1) {
    throw conflicts(tried.stdout);
  }
  return tried.stdout.toString().split('\0')[0]!.trim();
}

/** The tree's id, then the names of files, each ended by a NUL. */
function conflicts(output: Buffer): Error {
  const [, ...names] = output.toString().split('\0');
  const files = [...new Set(names.filter((name) => name !== ''))];
  const shown = files.slice(0, MAX_NAMED).join(', ');
  return fault('worktree.conflicts', { count: files.length, files: files.length > MAX_NAMED ? `${shown}, …` : shown });
}
