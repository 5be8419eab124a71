/** The worktrees of a repository: which there are, making one, what changed in it, and doing away with it. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Failure, failureOf, fault } from '../core/model/failure';
import { realPathOf } from '../util/realPath';
import type { Git } from '../util/git';
import { folderName } from './names';
import { updateSubmodules } from './submodules';
import { type FileChange, Snapshots } from './snapshots';

export interface Repository {
  /** The main working tree; absolute. */
  readonly root: string;
  /** The working tree that is open, which may be a worktree: what is current there is meant. */
  readonly opened: string;
  /** Where its objects and branches are; absolute. */
  readonly gitFolder: string;
}

export interface Worktree {
  /** Absolute. */
  readonly path: string;
  /** Absent for a branch without a commit. */
  readonly head?: string;
  /** Short; absent when a commit is checked out. */
  readonly branch?: string;
  /** The repository's own working tree. */
  readonly isMain: boolean;
  readonly isLocked: boolean;
  /** Its folder was deleted, and Git still lists it. */
  readonly isGone: boolean;
}

/** Where a new branch begins. */
export type BranchStart = { readonly type: 'current' } | { readonly type: 'upstream' } | { readonly type: 'ref'; readonly ref: string };

export interface CreateOptions {
  readonly branch: string;
  readonly start: BranchStart;
  /** The folder in which it gets one of its own; absolute. */
  readonly parent: string;
  readonly signal?: AbortSignal;
}

export interface WorktreeChanges {
  /** The commit that it is compared with. */
  readonly base: string;
  /** Files, uncommitted and new ones too. */
  readonly files: readonly FileChange[];
  /** Submodules with changes of their own, by path: they are no part of `files`. */
  readonly submodules: readonly string[];
  /** Commits since `base`. */
  readonly commits: number;
  /** Something is not committed. */
  readonly isDirty: boolean;
}

/** Beside Git's own notes of a worktree, so that it goes with it. */
const NOTE = 'acp-host.json';
/** ms: a large repository, its hooks and its submodules. */
export const CHECKOUT_MS = 15 * 60_000;
/** Entries that are looked at for the size. */
const MAX_ENTRIES = 200_000;

export class Worktrees {
  readonly snapshots: Snapshots;

  constructor(readonly git: Git) {
    this.snapshots = new Snapshots(git);
  }

  /** The repository that `folder` is in. @throws Fault `worktree.no_repository` */
  async repositoryOf(folder: string): Promise<Repository> {
    const common = await this.git.text(folder, ['rev-parse', '--git-common-dir']).catch((error: unknown) => {
      const failure = failureOf(error);
      throw failure.code === 'git.failed' ? fault('worktree.no_repository', { folder }) : error;
    });
    const gitFolder = path.resolve(folder, common);
    const [main] = await this.listFrom(folder);
    if (!main) {
      throw fault('worktree.no_repository', { folder });
    }
    const opened = await this.git.text(folder, ['rev-parse', '--show-toplevel']).catch(() => main.path);
    return { root: main.path, opened: path.normalize(opened), gitFolder };
  }

  /** The main working tree first. */
  async list({ root }: Pick<Repository, 'root'>): Promise<readonly Worktree[]> {
    return this.listFrom(root);
  }

  /** The branch that is checked out, its upstream, and all others, newest first. */
  async branches({ opened: root }: Pick<Repository, 'opened'>): Promise<{ current?: string; upstream?: string; names: readonly string[] }> {
    const current = await this.git.text(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [1] });
    const upstream = await this.git
      .text(root, ['rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}'])
      .catch((error: unknown) => (failureOf(error).code === 'git.failed' ? '' : Promise.reject(error)));
    const format = ['for-each-ref', '--sort=-committerdate', '--count=500', '--format=%(refname:short)', 'refs/heads', 'refs/remotes'];
    const names = (await this.git.text(root, format)).split('\n').filter((name) => name !== '' && !name.endsWith('/HEAD'));
    return { names, ...(current !== '' && { current }), ...(upstream !== '' && { upstream }) };
  }

  /**
   * A new worktree with a new branch. Git's hooks run. The main tree, its index and its other branches stay as they are. `problems`: what went wrong
   * after it was there. @throws Fault
   */
  async create(
    repository: Repository,
    { branch, start, parent, signal }: CreateOptions,
  ): Promise<{ worktree: Worktree; problems: readonly Failure[] }> {
    const { git } = this;
    const { root, opened } = repository;
    if (branch.startsWith('-') || (await git.run(root, ['check-ref-format', '--branch', branch], { codes: [1, 128] })).code !== 0) {
      throw fault('worktree.bad_branch', { branch });
    }
    if ((await git.run(root, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], { codes: [1] })).code === 0) {
      throw fault('worktree.branch_exists', { branch });
    }
    const { ref, base } = await this.startOf(opened, start);
    await mkdir(parent, { recursive: true });
    const taken = await readdir(parent);
    const folder = path.join(parent, folderName(branch, taken));
    const problems: Failure[] = [];
    const options = { timeoutMs: CHECKOUT_MS, ...(signal && { signal }) };
    try {
      await git.run(root, ['worktree', 'add', '--no-track', '-b', branch, '--', folder, base], options);
    } catch (error) {
      const failure = failureOf(error);
      // A hook that fails comes after the worktree was made.
      if (failure.code !== 'git.failed' || !(await this.find(root, folder))) {
        throw error;
      }
      problems.push({ code: 'worktree.hook_failed', ...(failure.detail !== undefined && { detail: failure.detail }) });
    }
    await this.note(folder, { base, ...(ref !== undefined && { ref }) });
    problems.push(...(await updateSubmodules(git, repository, folder, options)));
    const worktree = await this.find(root, folder);
    if (!worktree) {
      throw fault('worktree.gone', { path: folder });
    }
    return { worktree, problems };
  }

  /** Against what it began with; for one that was made elsewhere, against where it left the main tree's branch. @throws Fault */
  async changes(repository: Repository, worktree: Worktree): Promise<WorktreeChanges> {
    this.mustBeThere(worktree);
    const { git, snapshots } = this;
    const base = await this.baseOf(repository, worktree);
    const { tree, submodules } = await snapshots.take(worktree.path, base);
    const status = await git.parts(worktree.path, ['status', '--porcelain', '-z', '--ignore-submodules=none']);
    const commits = Number(await git.text(worktree.path, ['rev-list', '--count', `${base}..HEAD`]));
    const files = await snapshots.files(worktree.path, base, tree);
    return { base, files, submodules, commits, isDirty: status.length > 0 };
  }

  /** The commit that its changes are counted from. */
  async baseOf({ root }: Pick<Repository, 'root'>, { path: folder }: Worktree): Promise<string> {
    const noted = await this.noteOf(folder);
    const isKnown = noted && (await this.git.run(folder, ['cat-file', '-e', `${noted}^{commit}`], { codes: [1, 128] })).code === 0;
    if (isKnown) {
      return noted;
    }
    const head = await this.git.text(root, ['rev-parse', '--verify', 'HEAD']);
    return this.git.text(folder, ['merge-base', 'HEAD', head]);
  }

  /** What would be lost with it: uncommitted files, and commits that no other branch has. */
  async losses({ root }: Pick<Repository, 'root'>, worktree: Worktree): Promise<{ files: number; commits: number }> {
    const { git } = this;
    const files = worktree.isGone ? 0 : (await git.parts(worktree.path, ['status', '--porcelain', '-z', '--no-renames'])).length;
    if (worktree.branch === undefined) {
      const count =
        worktree.head === undefined
          ? '0'
          : await git.text(root, ['rev-list', '--count', worktree.head, '--not', '--branches', '--remotes']);
      return { files, commits: Number(count) };
    }
    const own = `refs/heads/${worktree.branch}`;
    const count = await git.text(root, ['rev-list', '--count', own, '--not', `--exclude=${worktree.branch}`, '--branches', '--remotes']);
    return { files, commits: Number(count) };
  }

  /** Its folder goes, with all that is in it; and its branch with `branch`. One whose folder is gone is only taken off Git's list. @throws Fault */
  async remove({ root }: Pick<Repository, 'root'>, worktree: Worktree, options: { readonly branch: boolean }): Promise<void> {
    if (worktree.isMain) {
      throw fault('worktree.is_main');
    }
    if (worktree.isGone) {
      await this.git.run(root, ['worktree', 'prune', '--expire=now']);
    } else {
      // Force: Git refuses any that has submodules, and who calls this has asked about the rest.
      await this.git.run(root, ['worktree', 'remove', '--force', '--', worktree.path], { timeoutMs: CHECKOUT_MS });
    }
    if (options.branch && worktree.branch !== undefined) {
      await this.git.run(root, ['branch', '-D', '--', worktree.branch]);
    }
  }

  /** Bytes in its folder; `isAtLeast` when there is more than was looked at. */
  async size(folder: string): Promise<{ readonly bytes: number; readonly isAtLeast: boolean }> {
    let bytes = 0;
    let entries = 0;
    const folders = [folder];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      const inside = await readdir(next, { withFileTypes: true }).catch(() => []);
      for (const entry of inside) {
        if (++entries > MAX_ENTRIES) {
          return { bytes, isAtLeast: true };
        }
        const file = path.join(next, entry.name);
        if (entry.isDirectory()) {
          folders.push(file);
        } else if (entry.isFile()) {
          bytes += (await stat(file).catch(() => undefined))?.size ?? 0;
        }
      }
    }
    return { bytes, isAtLeast: false };
  }

  /** @throws Fault `worktree.gone` */
  mustBeThere({ isGone, path: folder }: Worktree): void {
    if (isGone) {
      throw fault('worktree.gone', { path: folder });
    }
  }

  private async find(root: string, folder: string): Promise<Worktree | undefined> {
    const real = await realPathOf(folder);
    for (const worktree of await this.listFrom(root)) {
      if (worktree.path === folder || (await realPathOf(worktree.path)) === real) {
        return worktree;
      }
    }
    return undefined;
  }

  private async listFrom(folder: string): Promise<readonly Worktree[]> {
    // Git before 2.36 has no -z here: then a path with a line feed in it is not understood.
    const parts = await this.git
      .parts(folder, ['worktree', 'list', '--porcelain', '-z'])
      .catch(async () => (await this.git.text(folder, ['worktree', 'list', '--porcelain'])).split('\n').concat(''));
    const listed = parseList(parts);
    return Promise.all(
      listed.map(async (each, index) => {
        const isThere = await stat(each.path).then(
          (found) => found.isDirectory(),
          () => false,
        );
        return { ...each, isMain: index === 0, isGone: !isThere };
      }),
    );
  }

  private async startOf(root: string, start: BranchStart): Promise<{ base: string; ref?: string }> {
    const ref = start.type === 'ref' ? start.ref : start.type === 'upstream' ? '@{upstream}' : 'HEAD';
    const found = await this.git.run(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
      codes: [1, 128],
    });
    if (found.code !== 0) {
      throw fault('worktree.no_commit', { ref: start.type === 'upstream' ? 'upstream' : ref });
    }
    return { base: found.stdout.toString().trim(), ...(start.type === 'ref' && { ref }) };
  }

  private async note(folder: string, note: object): Promise<void> {
    const file = path.join(await this.git.text(folder, ['rev-parse', '--absolute-git-dir']), NOTE);
    await writeFile(file, JSON.stringify({ ...note, id: randomUUID() }));
  }

  private async noteOf(folder: string): Promise<string | undefined> {
    try {
      const file = path.join(await this.git.text(folder, ['rev-parse', '--absolute-git-dir']), NOTE);
      const { base } = JSON.parse(await readFile(file, 'utf8')) as { base?: unknown };
      return typeof base === 'string' && /^[0-9a-f]{40,64}$/.test(base) ? base : undefined;
    } catch {
      return undefined;
    }
  }
}

type Listed = Omit<Worktree, 'isMain' | 'isGone'>;

/** `git worktree list --porcelain`: a line each, and an empty one behind each worktree. */
function parseList(lines: readonly string[]): Listed[] {
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
