/**
 * Takes the uncommitted changes of a working tree along into a new worktree of the same commit. Files are copied byte by byte, so that the working
 * tree, its index and the stash stay as they are. The copied state becomes the base of the worktree.
 */
import { copyFile, mkdir, readFile, readlink, rm, rmdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { type Failure, fault } from '../core/model/failure';
import type { Git } from '../util/git';
import { linkedGitFolders } from './namedCommits';
import { named } from './obstacles';
import { Reader } from './reader';
import { isSafeParent, lstatInside } from './realFolders';
import { Snapshots } from './snapshots';
import { statusOf } from './status';
import { NOBODY, withTemporaryStore } from './temporaryStore';

/** A file in Git's own folder of a worktree, so that Git deletes it with the worktree. */
export const NOTE = 'acp-host.json';
/** The refs that keep bases from garbage collection. Git does not spare a ref in the folder of a worktree. Each is named by the id in a note. */
const BASES = 'refs/acp-host/base/';

/** The maximum size of all files together, in bytes, and their maximum number: a copy must not take minutes or fill the disk. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 5000;

export interface UncommittedChanges {
  /** Changed, deleted and new files, relative with slashes, sorted. Ignored files are not among them. */
  readonly files: readonly string[];
  /** Nested repositories that are not submodules. They stay behind. */
  readonly nested: readonly string[];
  /** The reason why the changes can't be taken along. */
  readonly refusal?: Failure;
}

interface ChangedFiles extends UncommittedChanges {
  readonly deleted: ReadonlySet<string>;
}

/**
 * Returns the uncommitted changes of a working tree. Runs no program of the repository and writes nothing.
 * @param folder the top of the working tree, absolute
 * @param commit the commit from which the worktree starts
 * @throws Fault
 */
export async function uncommittedChanges(git: Git, folder: string, commit: string): Promise<UncommittedChanges> {
  const { deleted: _, ...changes } = await changedFiles(git, folder, commit);
  return changes;
}

/**
 * Copies the uncommitted changes of `from` into `to`, a new worktree without changes. Returns the new base and the copied files.
 * @param id of the worktree, in its note
 * @throws Fault `worktree.changes_not_taken` when a file can't be copied, or the reason why changes can't be taken along
 */
export async function takeAlong(
  git: Git,
  from: string,
  to: string,
  { commit, id }: { readonly commit: string; readonly id: string },
): Promise<{ readonly base: string; readonly files: readonly string[] }> {
  const { files, deleted, refusal } = await changedFiles(git, from, commit);
  if (refusal) {
    throw fault(refusal.code, refusal.params);
  }
  try {
    // A file may replace a folder whose files were deleted.
    for (const name of files.filter((each) => deleted.has(each))) {
      await remove(to, name);
    }
    for (const name of files.filter((each) => !deleted.has(each))) {
      await copy(from, to, name);
    }
  } catch (error) {
    throw fault('worktree.changes_not_taken', { path: to }, { detail: error instanceof Error ? error.message : String(error) });
  }
  return { base: await baseWith(git, to, commit, id), files };
}

/** Deletes the bases of worktrees that no longer exist. @param gitFolder shared by the worktrees; absolute @throws Fault */
export async function removeOldBases(git: Git, root: string, gitFolder: string): Promise<void> {
  const reader = await Reader.in(git, root);
  const refs = await reader.lines(['for-each-ref', '--format=%(refname)', BASES]);
  if (refs.length === 0) {
    return;
  }
  const notes = await Promise.all(
    (await linkedGitFolders(gitFolder)).map((folder) => readFile(path.join(folder, NOTE), 'utf8').catch(() => '')),
  );
  for (const ref of refs.filter((each) => !notes.some((note) => note.includes(each.slice(BASES.length))))) {
    await reader.run(['update-ref', '-d', ref]);
  }
}

async function changedFiles(git: Git, folder: string, commit: string): Promise<ChangedFiles> {
  const reader = await Reader.in(git, folder);
  const { changed, untracked, nested } = await statusOf(reader);
  const deleted = new Set(changed.flatMap((entry) => (entry.isDeleted && !entry.isSubmodule ? [entry.path] : [])));
  // A file that was only deleted from the index still exists, and is listed twice.
  untracked.forEach((name) => deleted.delete(name));
  const files = [...new Set([...changed.flatMap((entry) => (entry.isSubmodule ? [] : [entry.path])), ...untracked])].sort();
  const refusal = await refusalOf(
    git,
    reader,
    { files, deleted, nested },
    commit,
    changed.filter(({ isSubmodule }) => isSubmodule),
  );
  return { files, deleted, nested, ...(refusal && { refusal }) };
}

async function refusalOf(
  git: Git,
  reader: Reader,
  { files, deleted, nested }: ChangedFiles,
  commit: string,
  links: readonly { readonly path: string }[],
): Promise<Failure | undefined> {
  const { folder } = reader;
  const unmerged = await reader.parts(['ls-files', '--unmerged', '-z']);
  if (unmerged.length > 0) {
    const names = [...new Set(unmerged.map((part) => part.slice(part.indexOf('\t') + 1)))];
    return { code: 'worktree.changes_conflicted', params: named(names) };
  }
  const submodules = [...links.map((link) => link.path), ...(await new Snapshots(git).dirtySubmodules(folder, nested))];
  if (submodules.length > 0) {
    return { code: 'worktree.changes_in_submodules', params: named([...new Set(submodules)].sort()) };
  }
  const head = await reader.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { codes: [1, 128] });
  if (head.stdout.toString().trim() !== commit) {
    return { code: 'worktree.changes_of_other_commit' };
  }
  const unreadable = files.filter((name) => name.includes('\ufffd'));
  if (unreadable.length > 0) {
    return { code: 'worktree.file_names', params: named(unreadable) };
  }
  let bytes = 0;
  for (const name of files.length > MAX_FILES ? [] : files) {
    bytes += deleted.has(name) ? 0 : ((await lstatInside(folder, name))?.size ?? 0);
  }
  return files.length > MAX_FILES || bytes > MAX_BYTES ? { code: 'worktree.changes_too_large' } : undefined;
}

/** Stores the worktree's present state as a commit after `commit`, which no branch has. The repository's filters run, as for each commit. */
async function baseWith(git: Git, folder: string, commit: string, id: string): Promise<string> {
  return withTemporaryStore(git, folder, async ({ file }) => {
    // The objects go to the repository, because the base must exist as long as the worktree.
    const { tree } = await new Snapshots(git).take(folder, commit, { env: {}, file }, { filters: true });
    const reader = await Reader.in(git, folder);
    const input = Buffer.from('Uncommitted changes that were taken along\n');
    const base = await reader.text(['commit-tree', tree, '-p', commit], { env: NOBODY, input });
    await reader.run(['update-ref', BASES + id, base]);
    return base;
  });
}

/** Deletes a file, and the folders that are empty without it. */
async function remove(root: string, name: string): Promise<void> {
  if (!(await isSafeParent(root, name))) {
    return; // A link in place of the folder has deleted the file already.
  }
  await rm(path.join(root, name), { force: true });
  for (let parent = path.posix.dirname(name); parent !== '.'; parent = path.posix.dirname(parent)) {
    const isRemoved = await rmdir(path.join(root, parent)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) {
      return;
    }
  }
}

async function copy(from: string, to: string, name: string): Promise<void> {
  const source = path.join(from, name);
  const found = await lstatInside(from, name);
  if (!found || !(found.isFile() || found.isSymbolicLink())) {
    return; // The file was deleted meanwhile, or is a pipe, which Git does not store either.
  }
  const target = path.join(to, name);
  if (!(await isSafeParent(to, name))) {
    throw fault('worktree.in_the_way', named([name]));
  }
  await mkdir(path.dirname(target), { recursive: true });
  // The old file may be a link, which must not be followed.
  await rm(target, { force: true });
  if (found.isSymbolicLink()) {
    await symlink(await readlink(source), target);
  } else {
    await copyFile(source, target);
  }
}
