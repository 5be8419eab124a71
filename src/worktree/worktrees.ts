/** The worktrees of a repository: lists, creates, compares and removes them. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Failure, failureOf, fault } from '../core/model/failure';
import { realPathOf } from '../util/realPath';
import { type Git, READING } from '../util/git';
import { keepCommits, keepFiles } from './keepFiles';
import { type Losses, lossesOf } from './losses';
import { folderName } from './names';
import { Reader } from './reader';
import { type RemoveOptions, removeWorktree } from './removal';
import { type FileChange, Snapshots } from './snapshots';
import { modulesOf, type WorktreeModule } from './submoduleCommits';
import { updateSubmodules } from './submodules';
import { NOTE, removeOldBases, takeAlong, type UncommittedChanges, uncommittedChanges } from './takeAlong';
import { withTemporaryStore } from './temporaryStore';
import { adminFolderOf, CHECKOUT_MS, parseList, pointsTo, type Repository, type Worktree } from './worktreeList';

export type { Repository, Worktree } from './worktreeList';

/** The start point of a new branch. */
export type BranchStart = { readonly type: 'current' } | { readonly type: 'upstream' } | { readonly type: 'ref'; readonly ref: string };

export interface CreateOptions {
  readonly branch: string;
  readonly start: BranchStart;
  /** The folder in which the worktree's folder is created; absolute. */
  readonly parent: string;
  /** True to copy the uncommitted changes of the opened working tree, which becomes the base with them. */
  readonly takeAlong?: boolean;
  readonly signal?: AbortSignal;
}

export interface WorktreeChanges {
  /** The commit with which the worktree is compared. */
  readonly base: string;
  /** Changed files, including uncommitted and new ones. */
  readonly files: readonly FileChange[];
  /** Paths of submodules with changes, which are not in `files`. */
  readonly submodules: readonly string[];
  /** Paths of nested repositories that are not submodules, which are not in `files`. */
  readonly nested: readonly string[];
  /** Commits since `base`. */
  readonly commits: number;
  /** True when there are uncommitted changes. */
  readonly isDirty: boolean;
}

/** The most entries that are read to compute the size. */
const MAX_ENTRIES = 200_000;
/** The size in bytes from which a file is listed without its lines, because listing must not copy it. */
const LARGE_BYTES = 4 * 1024 * 1024;

export class Worktrees {
  readonly snapshots: Snapshots;

  constructor(readonly git: Git) {
    this.snapshots = new Snapshots(git);
  }

  /** The repository that contains `folder`. @throws Fault `worktree.no_repository` */
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

  /** All worktrees, the main working tree first. */
  async list({ root }: Pick<Repository, 'root'>): Promise<readonly Worktree[]> {
    return this.listFrom(root);
  }

  /** The checked out branch, its upstream, and all others, newest first. */
  async branches({ opened: root }: Pick<Repository, 'opened'>): Promise<{ current?: string; upstream?: string; names: readonly string[] }> {
    const reader = await Reader.in(this.git, root);
    const current = await reader.text(['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [1] });
    const upstream = await reader
      .text(['rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}'])
      .catch((error: unknown) => (failureOf(error).code === 'git.failed' ? '' : Promise.reject(error)));
    const format = ['for-each-ref', '--sort=-committerdate', '--count=500', '--format=%(refname:short)', 'refs/heads', 'refs/remotes'];
    const names = (await reader.text(format)).split('\n').filter((name) => name !== '' && !name.endsWith('/HEAD'));
    return { names, ...(current !== '' && { current }), ...(upstream !== '' && { upstream }) };
  }

  /**
   * Creates a worktree with a new branch. Git's hooks run. The main tree, its index and its other branches do not change. `problems`: errors after
   * the worktree was created. `taken`: the files that were copied for `takeAlong`.
   * @throws Fault
   */
  async create(
    repository: Repository,
    { branch, start, parent, signal, takeAlong: takes = false }: CreateOptions,
  ): Promise<{ worktree: Worktree; problems: readonly Failure[]; taken: readonly string[] }> {
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
      await git.run(root, [...READING, 'worktree', 'add', '--no-track', '-b', branch, '--', folder, base], options);
    } catch (error) {
      const failure = failureOf(error);
      // A hook runs after the worktree was created, so that it exists although the hook failed.
      if (failure.code !== 'git.failed' || !(await this.find(root, folder))) {
        throw error;
      }
      problems.push({ code: 'worktree.hook_failed', ...(failure.detail !== undefined && { detail: failure.detail }) });
    }
    const id = randomUUID();
    await this.note(folder, { base, ...(ref !== undefined && { ref }), id });
    problems.push(...(await updateSubmodules(git, repository, folder, options)));
    const copied = takes ? await takeAlong(git, opened, folder, { commit: base, id }) : undefined;
    if (copied) {
      await this.note(folder, { base: copied.base, ...(ref !== undefined && { ref }), id });
    }
    const worktree = await this.find(root, folder);
    if (!worktree) {
      throw fault('worktree.gone', { path: folder });
    }
    return { worktree, problems, taken: copied?.files ?? [] };
  }

  /** The uncommitted changes of the opened working tree, for a worktree that starts there. @throws Fault */
  async uncommitted({ opened }: Pick<Repository, 'opened'>, start: BranchStart): Promise<UncommittedChanges> {
    return uncommittedChanges(this.git, opened, (await this.startOf(opened, start)).base);
  }

  /** Compares a worktree with its base. Runs no filter and writes nothing into the repository. @throws Fault */
  async changes(repository: Repository, worktree: Worktree): Promise<WorktreeChanges> {
    await this.mustBelong(repository, worktree);
    const { git, snapshots } = this;
    const base = await this.baseOf(repository, worktree);
    const commits = Number(await (await Reader.in(git, worktree.path)).text(['rev-list', '--count', `${base}..HEAD`]));
    return withTemporaryStore(git, worktree.path, async (store) => {
      const { tree, submodules, nested, unstaged, isDirty } = await snapshots.take(worktree.path, base, store, { largeFrom: LARGE_BYTES });
      const files = new Map((await snapshots.files(worktree.path, base, tree, store)).map((change) => [change.path, change]));
      for (const change of unstaged) {
        // A new file may have the same name as one in the base.
        const before = files.get(change.path);
        const isNew = change.status === 'added' && before?.status !== 'deleted';
        files.set(change.path, isNew ? change : { path: change.path, status: before?.status === 'added' ? 'added' : 'modified' });
      }
      return { base, files: [...files.values()].sort(byPath), submodules, nested, commits, isDirty };
    });
  }

  /** The commit from which the worktree's changes are counted. */
  async baseOf({ root }: Pick<Repository, 'root'>, { path: folder }: Worktree): Promise<string> {
    const noted = await this.noteOf(folder);
    const reader = await Reader.in(this.git, folder);
    if (noted && (await reader.run(['cat-file', '-e', `${noted}^{commit}`], { codes: [1, 128] })).code === 0) {
      return noted;
    }
    const head = await (await Reader.in(this.git, root)).text(['rev-parse', '--verify', 'HEAD']);
    return reader.text(['merge-base', 'HEAD', head]);
  }

  /**
   * The current data that removing the worktree would delete. Reads the worktree again, because the caller's list may be old. Never rejects because
   * a part is unknown.
   */
  async losses(repository: Repository, worktree: Worktree): Promise<Losses> {
    const now = await this.current(repository, worktree).catch(() => worktree);
    return lossesOf(this.git, repository.root, now, {
      adminFolder: () => this.adminFolder(repository, now),
      modules: () => this.modules(repository, now),
    });
  }

  /** The worktree with its current branch, commit and lock. @throws Fault `worktree.gone` when it is no longer listed */
  async current(repository: Pick<Repository, 'root'>, { path: folder }: Pick<Worktree, 'path'>): Promise<Worktree> {
    const now = (await this.list(repository)).find((each) => each.path === folder);
    if (!now) {
      throw fault('worktree.gone', { path: folder });
    }
    return now;
  }

  /** Copies the files that would be lost into a new folder, and stores the commits. @throws Fault `worktree.not_kept` */
  async keep(repository: Repository, worktree: Worktree, losses: Losses, target: string): Promise<void> {
    await keepFiles(this.git, worktree, losses, await this.modules(repository, worktree), target);
    await keepCommits(this.git, repository.root, worktree, losses);
  }

  /** @throws Fault, and nothing was removed */
  async remove(repository: Repository, worktree: Worktree, options: RemoveOptions): Promise<void> {
    await removeWorktree(this, repository, worktree, options);
    // A base that stays is removed with the next worktree.
    await removeOldBases(this.git, repository.root, repository.gitFolder).catch(() => undefined);
  }

  /** The submodule repositories that belong only to the worktree. @throws Fault */
  async modules(repository: Repository, worktree: Worktree): Promise<readonly WorktreeModule[]> {
    const { root, gitFolder } = repository;
    const { path: folder, isGone } = worktree;
    const adminFolder = await this.adminFolder(repository, worktree);
    return modulesOf(this.git, { root, gitFolder }, adminFolder, isGone ? undefined : folder);
  }

  /** The size of a folder in bytes. `isAtLeast`: the folder has more entries than were read. */
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

  /** @throws Fault `worktree.gone`; `worktree.not_ours` for a listed folder that is another repository */
  async mustBelong({ gitFolder }: Pick<Repository, 'gitFolder'>, worktree: Worktree): Promise<void> {
    this.mustBeThere(worktree);
    const adminFolder = await adminFolderOf(gitFolder, worktree.path);
    if (adminFolder === undefined || !(await pointsTo(worktree.path, adminFolder))) {
      throw fault('worktree.not_ours', { path: worktree.path });
    }
  }

  private async adminFolder({ gitFolder }: Pick<Repository, 'gitFolder'>, { path: folder }: Worktree): Promise<string> {
    const found = await adminFolderOf(gitFolder, folder);
    if (found === undefined) {
      throw fault('worktree.gone', { path: folder });
    }
    return found;
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
    // Git before 2.36 does not support `-z` here. Paths with a line feed are then not parsed correctly.
    const parts = await this.git
      .parts(folder, [...READING, 'worktree', 'list', '--porcelain', '-z'])
      .catch(async () => (await this.git.text(folder, [...READING, 'worktree', 'list', '--porcelain'])).split('\n').concat(''));
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
    const reader = await Reader.in(this.git, root);
    const found = await reader.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], { codes: [1, 128] });
    if (found.code !== 0) {
      throw fault('worktree.no_commit', { ref: start.type === 'upstream' ? 'upstream' : ref });
    }
    return { base: found.stdout.toString().trim(), ...(start.type === 'ref' && { ref }) };
  }

  private async note(folder: string, note: object): Promise<void> {
    const file = path.join(await this.git.text(folder, ['rev-parse', '--absolute-git-dir']), NOTE);
    await writeFile(file, JSON.stringify(note));
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

function byPath(one: FileChange, other: FileChange): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}
