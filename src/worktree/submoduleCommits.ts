/**
 * Preserves commits that exist only in a worktree's own copies of the submodules. Git deletes these copies with the worktree, so their commits are
 * first fetched into the main tree's copies. There they are stored under `refs/acp-host/kept/`, so that no garbage collection deletes them.
 */
import { lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { failureOf, fault } from '../core/model/failure';
import type { Git } from '../util/git';
import { existing, linesOf, linkedGitFolders, loggedCommits, namedCommits } from './namedCommits';
import { Reader } from './reader';
import { isPlainPath, isRealFolder, isRepository } from './realFolders';
import { filledSubmodules } from './submodules';

/** A submodule's repository that belongs to one worktree. */
export interface WorktreeModule {
  /** The submodule's name or path, as shown to the user. */
  readonly label: string;
  /** The Git folder; absolute. */
  readonly gitFolder: string;
  /** The Git folder of the main tree's copy of the submodule; undefined when there is none. */
  readonly main?: string;
  /** The folder for the main tree's missing copy; undefined when Git would not find a copy there. */
  readonly place?: string;
}

/** The most folders that are read below a Git folder's `modules`. */
const MAX_FOLDERS = 20_000;
/** ms */
const FETCH_MS = 15 * 60_000;
/** Prefix of the refs of commits that no branch has. Each ref is named by its commit. */
export const KEPT = 'refs/acp-host/kept/';

/**
 * The submodule repositories that are deleted with a worktree, including those of submodules that its files no longer have.
 * @param adminFolder Git's own folder of the worktree; absolute
 * @param folder the worktree; undefined when it is gone
 * @throws Fault
 */
export async function modulesOf(
  git: Git,
  { root, gitFolder }: { readonly root: string; readonly gitFolder: string },
  adminFolder: string,
  folder: string | undefined,
): Promise<readonly WorktreeModule[]> {
  const found: WorktreeModule[] = [];
  for (const name of await gitFoldersIn(path.join(adminFolder, 'modules'))) {
    const own = path.join(adminFolder, 'modules', name);
    const main = path.join(gitFolder, 'modules', name);
    const copy = (await isGitFolder(main)) ? main : await embedded(git, root, name);
    const place = name.split('/modules/').every(isPlainPath) ? main : undefined;
    found.push({ label: name, gitFolder: own, ...(copy !== undefined ? { main: copy } : place !== undefined && { place }) });
  }
  // An older Git, or a manual clone, puts the Git folder into the submodule itself.
  for (const each of folder === undefined ? [] : await filledSubmodules(git, folder)) {
    if (await isRealFolder(each.folder, '.git')) {
      const main = (await isRepository(root, each.path)) ? await gitFolderOf(git, path.join(root, each.path)) : undefined;
      found.push({ label: each.path, gitFolder: path.join(each.folder, '.git'), ...(main !== undefined && { main }) });
    }
  }
  return found;
}

/** Commits that the main tree's copy lacks or, when there is no copy, that are on no remote branch. */
export interface OwnCommits {
  /** The tips that no ref of the main copy reaches. */
  readonly tips: readonly string[];
  readonly commits: readonly string[];
}

/** @throws Fault when the repository can't be read */
export async function ownCommits(git: Git, { gitFolder, main }: Pick<WorktreeModule, 'gitFolder' | 'main'>): Promise<OwnCommits> {
  const own = await Reader.in(git, gitFolder, { isGitFolder: true });
  const tips = await tipsOf(git, own);
  if (tips.length === 0) {
    return { tips, commits: [] };
  }
  const isKnown = main === undefined ? undefined : await keptBy(git, main, tips);
  const missing = tips.filter((tip) => !isKnown?.has(tip));
  if (missing.length === 0) {
    return { tips: missing, commits: [] };
  }
  const commits = await own.lines(['rev-list', '--stdin', '--not', '--remotes'], { input: linesOf(missing) });
  if (main === undefined) {
    // Without a copy to compare with, only commits on no remote branch count: the others can be downloaded again.
    const isUnpublished = new Set(commits);
    return { tips: missing.filter((tip) => isUnpublished.has(tip)), commits };
  }
  const present = await existing(await Reader.in(git, main, { isGitFolder: true }), commits);
  return { tips: missing, commits: commits.filter((commit) => !present.has(commit)) };
}

/** A repository whose commits are lost with the worktree, because the main tree has no copy to fetch them into. */
export interface UnkeptModule {
  readonly label: string;
  readonly commits: readonly string[];
}

/**
 * Fetches the commits into the main tree's copies, only from disk. Returns the repositories without such a copy.
 * @throws Fault `worktree.submodule_commits`: the caller must stop
 */
export async function keepSubmoduleCommits(git: Git, modules: readonly WorktreeModule[]): Promise<readonly UnkeptModule[]> {
  const unkept: UnkeptModule[] = [];
  for (const each of modules) {
    try {
      const { tips, commits } = await ownCommits(git, each);
      const main = each.main ?? (commits.length > 0 && each.place !== undefined ? await createCopy(git, each, modules) : undefined);
      if (main !== undefined) {
        await fetchTips(git, each.gitFolder, main, tips);
      } else if (commits.length > 0) {
        unkept.push({ label: each.label, commits });
      }
    } catch (error) {
      const { code, detail } = failureOf(error);
      throw code === 'request.cancelled'
        ? error
        : fault('worktree.submodule_commits', { path: each.label }, detail === undefined ? {} : { detail });
    }
  }
  return unkept;
}

/**
 * Creates an empty repository where Git looks for the main tree's copy of a submodule that the worktree has added, and returns its folder. Copies
 * only the address of the configuration, because the worktree's configuration may name programs.
 */
async function createCopy(git: Git, { label, gitFolder, place = '' }: WorktreeModule, modules: readonly WorktreeModule[]): Promise<string> {
  const slash = label.lastIndexOf('/modules/');
  const outer = slash < 0 ? undefined : modules.find((each) => each.label === label.slice(0, slash));
  if (outer?.place !== undefined && !(await isGitFolder(outer.place))) {
    await createCopy(git, outer, modules);
  }
  if (await isGitFolder(place)) {
    return place;
  }
  const own = await Reader.in(git, gitFolder, { isGitFolder: true });
  const address = await own.text(['config', '--get', 'remote.origin.url'], { codes: [1] });
  await mkdir(path.dirname(place), { recursive: true });
  // Fails when `place` exists: it may be a folder of another submodule's name.
  await mkdir(place);
  await git.run(path.dirname(place), ['-c', 'core.hooksPath=/dev/null', 'init', '--quiet', '--bare', '--template=', '--', place]);
  const set = (key: string, value: string) => git.run(place, ['config', '--file', path.join(place, 'config'), key, value]);
  await set('core.bare', 'false');
  if (address !== '' && !address.startsWith('-') && !address.includes('\n')) {
    await set('remote.origin.url', address);
    await set('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  }
  return place;
}

async function fetchTips(git: Git, from: string, into: string, tips: readonly string[]): Promise<void> {
  if (tips.length === 0) {
    return;
  }
  const main = await Reader.in(git, into, { isGitFolder: true });
  // A configured program for this address must not replace Git's own.
  const flags = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-prune', '--upload-pack=git-upload-pack', '--stdin'];
  await main.run(['-c', 'protocol.version=2', '-c', 'protocol.file.allow=always', 'fetch', ...flags, '--', from], {
    input: tips.map((tip) => `${tip}:${KEPT}${tip}\n`).join(''),
    env: { GIT_ALLOW_PROTOCOL: 'file' },
    timeoutMs: FETCH_MS,
  });
  const kept = await keptBy(git, into, tips);
  if (!tips.every((tip) => kept.has(tip))) {
    throw fault('git.failed', { gitCommand: 'fetch' });
  }
}

/**
 * The commits that the repository names: in its refs except remote ones, HEAD, the stash, its logs and unfinished operations, and in those of its
 * linked worktrees.
 */
async function tipsOf(git: Git, reader: Reader): Promise<string[]> {
  const refs = await reader.lines(['for-each-ref', '--format=%(objecttype) %(*objecttype) %(objectname) %(*objectname) %(refname)']);
  const tips = refs.flatMap((line) => {
    const [type, target, oid, targetOid, name = ''] = line.split(' ');
    const commit = type === 'commit' ? oid : target === 'commit' ? targetOid : undefined;
    return commit === undefined || name.startsWith('refs/remotes/') ? [] : [commit];
  });
  const head = await reader.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { codes: [1] });
  tips.push(...(head.code === 0 ? [head.stdout.toString().trim()] : []));
  for (const gitFolder of [reader.folder, ...(await linkedGitFolders(reader.folder))]) {
    tips.push(...(await namedCommits(git, gitFolder)));
  }
  tips.push(...(await loggedCommits(reader, 'refs/stash')));
  return [...new Set(tips)];
}

/** The commits that a ref of the repository keeps. */
async function keptBy(git: Git, gitFolder: string, commits: readonly string[]): Promise<ReadonlySet<string>> {
  const reader = await Reader.in(git, gitFolder, { isGitFolder: true });
  const present = [...(await existing(reader, commits))];
  if (present.length === 0) {
    return new Set();
  }
  const unkept = new Set(await reader.lines(['rev-list', '--stdin', '--not', '--glob=refs/*'], { input: linesOf(present) }));
  return new Set(present.filter((commit) => !unkept.has(commit)));
}

/** Relative paths of the Git folders below `top`, at each depth; links are not followed. @throws Fault when there are too many */
async function gitFoldersIn(top: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  let count = 0;
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    if (++count > MAX_FOLDERS) {
      throw fault('worktree.submodule_commits', { path: top });
    }
    const at = path.join(top, inside);
    const isGit = inside !== '' && (await isGitFolder(at));
    if (isGit) {
      found.push(inside);
    }
    const entries = await readdir(isGit ? path.join(at, 'modules') : at, { withFileTypes: true }).catch(missing);
    const below = isGit ? path.posix.join(inside, 'modules') : inside;
    folders.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.posix.join(below, name)));
  }
  return found;
}

function missing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return [];
  }
  throw fault('worktree.submodule_commits', { path: error.path ?? '' }, { detail: String(error) });
}

async function isGitFolder(folder: string): Promise<boolean> {
  const names = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => lstat(path.join(folder, name)).catch(() => undefined)));
  return names.every((found) => found !== undefined);
}

/** The main tree's copy of a submodule whose Git folder is inside the submodule and whose name is its path. */
async function embedded(git: Git, root: string, name: string): Promise<string | undefined> {
  return (await isRepository(root, name)) ? gitFolderOf(git, path.join(root, name)) : undefined;
}

/** The Git folder of the repository whose top is `folder`; absolute. @throws Fault */
export async function gitFolderOf(git: Git, folder: string): Promise<string> {
  return path.resolve(folder, await (await Reader.in(git, folder)).text(['rev-parse', '--git-common-dir']));
}
