/** Applies the work of a worktree to the main tree, as uncommitted changes or as a merge of its branch, completely or not at all. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { failureOf, fault } from '../core/model/failure';
import { READING } from '../util/git';
import { realPathOf } from '../util/realPath';
import { applyPatch } from './applyPatch';
import { copyNested } from './nestedRepositories';
import { named, refuseLinks, refuseObstacles } from './obstacles';
import { Reader } from './reader';
import { lstatInside } from './realFolders';
import { ALL_SUBMODULES, type FileChange, stage } from './snapshots';
import { statusOf } from './status';
import { keepSubmoduleCommits, type UnkeptModule } from './submoduleCommits';
import { NOBODY, type TemporaryStore, withTemporaryStore } from './temporaryStore';
import { CHECKOUT_MS, type Repository, type Worktree } from './worktreeList';
import type { Worktrees } from './worktrees';

export interface Applied {
  readonly files: readonly FileChange[];
  /** Submodules with changes that were not applied. */
  readonly submodules: readonly string[];
  /** Nested repositories that are not submodules, copied with their history. */
  readonly nested: readonly string[];
  /** Nested repositories that were not copied. */
  readonly nestedLeft: readonly string[];
}

export interface IntegrateOptions {
  /** Called with each path that will change, before any change. False stops with the fault `request.cancelled`. */
  readonly review?: (paths: readonly string[]) => Promise<boolean>;
  /** Called with the files that both sides changed, before the fault `worktree.conflicts`. */
  readonly onConflicts?: (paths: readonly string[]) => void;
}

/** The name of a conflict whose files Git did not list. */
const UNNAMED = '…';
/** Merges that are tried until each changed file was compared with the disk. A rename in the main tree adds a round. */
const MAX_ROUNDS = 4;
/** Files in a Git folder that mark an operation waiting for the user. */
const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/**
 * Applies the worktree's changes since its base, including uncommitted ones, as uncommitted changes of the main tree. Merges them three-way with
 * the main tree, including its uncommitted changes. The index, the stash and all branches stay.
 * @throws Fault: no file was changed, unless the code is `worktree.partly_applied`
 */
export async function applyToMain(
  worktrees: Worktrees,
  repository: Repository,
  worktree: Worktree,
  { review, onConflicts }: IntegrateOptions = {},
): Promise<Applied> {
  await worktrees.mustBelong(repository, worktree);
  const { git, snapshots } = worktrees;
  const { root } = repository;
  await mustHaveTree(worktrees, root);
  await keepSubmoduleCommits(git, await worktrees.modules(repository, worktree));
  return withTemporaryStore(git, root, async (store) => {
    const base = await worktrees.baseOf(repository, worktree);
    const theirs = await snapshots.take(worktree.path, base, store, { filters: true });
    const baseTree = await (await Reader.in(git, root)).text(['rev-parse', '--verify', `${base}^{tree}`]);
    const { submodules, nested } = theirs;
    if (theirs.tree === baseTree && nested.length === 0) {
      throw fault(submodules.length > 0 ? 'worktree.only_submodules' : 'worktree.no_changes', { submodules: submodules.join(', ') });
    }
    const merged = theirs.tree === baseTree ? undefined : await mergedFiles(worktrees, root, baseTree, theirs.tree, store, onConflicts);
    const files = merged?.files ?? [];
    if (files.length === 0 && nested.length === 0) {
      throw fault('worktree.already_applied');
    }
    await reviewed(review, [...files.map((file) => file.path), ...nested.map((name) => `${name}/.git`)]);
    // Checked after the question, because files may have been created meanwhile.
    await refuseObstacles(git, root, files);
    const copies = await copyNested(worktree.path, root, nested);
    try {
      if (files.length === 0 && copies.copied.length === 0) {
        throw fault('worktree.nested_left', named(copies.left));
      }
      if (merged && files.length > 0) {
        const patch = store.file('patch');
        await snapshots.patch(root, merged.ours, merged.tree, patch, store);
        await applyPatch(git, root, { file: patch, changes: files, result: merged.tree }, store);
      }
      await copies.finish();
    } finally {
      await copies.discard();
    }
    return { files, submodules, nested: copies.copied, nestedLeft: copies.left };
  });
}

/** Merges the worktree's branch into the branch of the main tree. Git's hooks run. @throws Fault: no file was changed */
export async function mergeIntoMain(
  worktrees: Worktrees,
  repository: Repository,
  worktree: Worktree,
  { review, onConflicts }: IntegrateOptions = {},
): Promise<{ readonly commits: number }> {
  const { git, snapshots } = worktrees;
  const { branch } = worktree;
  const { root } = repository;
  if (branch === undefined) {
    throw fault('worktree.no_branch');
  }
  if (!worktree.isGone) {
    await worktrees.mustBelong(repository, worktree);
  }
  await mustHaveTree(worktrees, root);
  await mustBeIdle(worktrees, root);
  const reader = await Reader.in(git, root);
  // The branch may move while the user reads the question.
  const commit = await reader.text(['rev-parse', '--verify', `refs/heads/${branch}^{commit}`]);
  const commits = Number(await reader.text(['rev-list', '--count', `HEAD..${commit}`]));
  if (commits === 0) {
    throw fault('worktree.nothing_to_merge', { branch });
  }
  const unkept = await keepSubmoduleCommits(git, await worktrees.modules(repository, worktree));
  await withTemporaryStore(git, root, async (store) => {
    // The merge is tried first, because one that stops halfway would leave conflict markers in the user's files.
    const { tree, conflicts } = await triedMerge(worktrees, root, 'HEAD', commit, store);
    if (conflicts.length > 0) {
      throw conflictsIn(conflicts, onConflicts);
    }
    await mustHaveCommits(reader, tree, unkept, store);
    const files = await snapshots.files(root, 'HEAD', tree, store);
    await reviewed(
      review,
      files.map((file) => file.path),
    );
    await refuseObstacles(git, root, files);
  });
  // Automatic garbage collection would delete the record of worktrees on a disk that was disconnected for months.
  const settings = ['core.fsmonitor=false', 'submodule.recurse=false', 'gc.auto=0', 'maintenance.auto=false'].flatMap((each) => [
    '-c',
    each,
  ]);
  const message = await reader.text(['fmt-merge-msg', '--no-log'], { input: `${commit}\t\tbranch '${branch}' of .\n` });
  const merge = ['merge', '--no-edit', '-m', message, '--no-autostash', '--no-overwrite-ignore', commit];
  await git.run(root, [...settings, ...merge], { timeoutMs: CHECKOUT_MS }).catch(async (error: unknown) => {
    // A hook may refuse the merge after it was made. A merge that Git itself refuses was never started.
    const begun = await git.run(root, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'], { codes: [1, 128] });
    if (begun.code === 0) {
      await git.run(root, ['merge', '--abort']);
    }
    throw error;
  });
  return { commits };
}

/**
 * Commits everything in the worktree to its branch. Git's hooks run. Returns the nested repositories that are not submodules, because the commit
 * has none of their files.
 * @throws Fault
 */
export async function commitAll({ git, mustBeThere }: Worktrees, worktree: Worktree, message: string): Promise<readonly string[]> {
  mustBeThere(worktree);
  const reader = await Reader.in(git, worktree.path, { filters: true });
  const { changed, untracked, nested } = await statusOf(reader);
  const edited = changed.filter(({ isEdited }) => isEdited);
  const paths = (isDeleted: boolean) => edited.flatMap((entry) => (entry.isDeleted === isDeleted ? [entry.path] : []));
  await stage(reader, paths(true), [...paths(false), ...untracked], {});
  const unchanged = await reader.run(['diff-index', '--cached', '--quiet', ALL_SUBMODULES, 'HEAD', '--'], { codes: [1, 128] });
  const merging = await reader.run(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'], { codes: [1, 128] });
  if (unchanged.code !== 0 || merging.code === 0) {
    const input = Buffer.from(message);
    await git.run(worktree.path, [...READING, 'commit', '--file=-', '--cleanup=strip'], { input, timeoutMs: CHECKOUT_MS });
  }
  return nested;
}

/**
 * Merges the worktree's tree with the current main tree. `ours`: the main tree. `files`: the differences of `tree` from it.
 * @throws Fault `worktree.conflicts`
 */
async function mergedFiles(
  worktrees: Worktrees,
  root: string,
  base: string,
  theirs: string,
  store: TemporaryStore,
  onConflicts: IntegrateOptions['onConflicts'],
): Promise<{ readonly ours: string; readonly tree: string; readonly files: readonly FileChange[] }> {
  const { snapshots } = worktrees;
  const touched = new Map((await snapshots.files(root, base, theirs, store)).map((change) => [change.path, change]));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await refuseLinks(root, [...touched.values()]);
    const ours = await snapshots.partial(root, [...touched.keys()], store);
    const { tree, conflicts } = await mergedTree(worktrees, root, { base, ours, theirs }, store);
    if (conflicts.length > 0) {
      await refuseUntracked(worktrees, root, base, conflicts);
      throw conflictsIn(conflicts, onConflicts);
    }
    const files = await snapshots.files(root, ours, tree, store);
    const others = files.filter((change) => !touched.has(change.path));
    if (others.length === 0) {
      return { ours, tree, files };
    }
    others.forEach((change) => touched.set(change.path, change));
  }
  throw fault('worktree.not_applied');
}

/**
 * Refuses conflicts with files that Git does not track, because these are not conflicts of lines. The base has those that were taken along.
 * @throws Fault `worktree.in_the_way`
 */
async function refuseUntracked({ git }: Worktrees, root: string, base: string, conflicts: readonly string[]): Promise<void> {
  const reader = await Reader.in(git, root);
  const tracked = new Set(await reader.parts(['ls-files', '-z']));
  const present: string[] = [];
  for (const name of conflicts) {
    if (tracked.has(name) || (await lstatInside(root, name))?.isDirectory() !== false) {
      continue;
    }
    if ((await reader.run(['cat-file', '-e', `${base}:${name}`], { codes: [1, 128] })).code !== 0) {
      present.push(name);
    }
  }
  if (present.length > 0) {
    throw fault('worktree.in_the_way', named(present));
  }
}

async function mergedTree(
  worktrees: Worktrees,
  root: string,
  { base, ours, theirs }: { readonly base: string; readonly ours: string; readonly theirs: string },
  store: TemporaryStore,
): Promise<TriedMerge> {
  const reader = await Reader.in(worktrees.git, root);
  const commit = (tree: string, ...parents: string[]) =>
    reader.text(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
      env: { ...store.env, ...NOBODY },
      input: Buffer.from('snapshot\n'),
    });
  const before = await commit(base);
  return triedMerge(worktrees, root, await commit(ours, before), await commit(theirs, before), store);
}

interface TriedMerge {
  /** Contains conflict markers when there are conflicts. */
  readonly tree: string;
  /** The files with conflicts. */
  readonly conflicts: readonly string[];
}

/** Merges two commits without touching a file or a ref. */
async function triedMerge({ git }: Worktrees, root: string, one: string, other: string, store: TemporaryStore): Promise<TriedMerge> {
  const reader = await Reader.in(git, root, { filters: true });
  const tried = await reader.run(['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', one, other], {
    codes: [1],
    env: store.env,
  });
  // The tree's id, then the names of files, each ended by a NUL.
  const [tree = '', ...names] = tried.stdout.toString().split('\0');
  const listed = [...new Set(names.filter((name) => name !== ''))];
  return { tree: tree.trim(), conflicts: tried.code === 0 ? [] : listed.length > 0 ? listed : [UNNAMED] };
}

function conflictsIn(files: readonly string[], onConflicts: IntegrateOptions['onConflicts']): Error {
  onConflicts?.(files.filter((name) => name !== UNNAMED));
  return fault('worktree.conflicts', named(files));
}

async function reviewed(review: IntegrateOptions['review'], paths: readonly string[]): Promise<void> {
  if (review && !(await review(paths))) {
    throw fault('request.cancelled');
  }
}

/**
 * Refuses a bare repository, which has no main tree: Git would write into its Git folder. Also refuses `core.worktree`, with which the main tree is
 * elsewhere.
 */
async function mustHaveTree({ git }: Worktrees, root: string): Promise<void> {
  const top = await git.text(root, [...READING, 'rev-parse', '--show-toplevel']).catch((error: unknown) => {
    throw failureOf(error).code === 'git.failed' ? fault('worktree.no_main_tree') : error;
  });
  if ((await realPathOf(top)) !== (await realPathOf(root))) {
    throw fault('worktree.no_main_tree');
  }
}

/** Refuses to merge during an operation of the user: a failed merge is aborted, which would abort the user's merge, too. */
async function mustBeIdle({ git }: Worktrees, root: string): Promise<void> {
  const reader = await Reader.in(git, root);
  for (const name of UNFINISHED) {
    const file = path.resolve(root, await reader.text(['rev-parse', '--git-path', name]));
    if (await stat(file).catch(() => undefined)) {
      throw fault('worktree.main_busy');
    }
  }
}

/** Refuses a merge that names a submodule's commit that only the worktree's own copy has. */
async function mustHaveCommits(reader: Reader, tree: string, unkept: readonly UnkeptModule[], store: TemporaryStore): Promise<void> {
  if (unkept.length === 0) {
    return;
  }
  const parts = await reader.parts(['diff-tree', '-r', '-z', '--no-renames', ALL_SUBMODULES, 'HEAD', tree, '--'], { env: store.env });
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, mode, , oid = ''] = parts[index]!.split(' ');
    if (mode === '160000' && unkept.some(({ commits }) => commits.includes(oid))) {
      throw fault('worktree.submodule_commits', { path: parts[index + 1]! });
    }
  }
}
