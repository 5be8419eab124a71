/**
 * The list of files in one folder of a session. Loaded on first use and refreshed on later use; the earlier list is used meanwhile. Independent of
 * VS Code.
 */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { gitDeleted, gitFiles, gitSubmodules, ripgrepFiles } from '../../context/listFiles';
import { PathIndex, type PathMatch, type PathQuery } from '../../context/pathIndex';
import { IgnoreFiles } from '../editor/ignoreFiles';
import { exists } from './presentFiles';
import { inTimeSlices } from '../shared/timeSlice';

/** The time in ms for which a list is fresh. */
const FRESH_MS = 5_000;
/** The maximum number of nested repositories that are listed. */
const MAX_INNER = 50;
/** The maximum number of repeated searches after removing deleted files. */
const MAX_ROUNDS = 10;

export interface FolderFilesDependencies {
  git(): Promise<string | undefined>;
  ripgrep(): Promise<string | undefined>;
  /** Lists the files when neither git nor ripgrep can. Paths are relative to the folder, with "/". */
  search(folder: string): Promise<readonly string[]>;
  /** Reads a file by its path relative to the folder. Resolves to undefined when the file does not exist. */
  read(folder: string, path: string): Promise<string | undefined>;
  now(): number;
}

export class FolderFiles {
  private index = new PathIndex();
  private filledAt: number | undefined;
  private filling: Promise<void> | undefined;
  private readonly over = new AbortController();

  constructor(
    readonly folder: string,
    private readonly deps: FolderFilesDependencies,
  ) {}

  /** The current list, which may be empty. */
  get known(): PathIndex {
    return this.index;
  }

  /** False until the first list is complete. */
  get isListed(): boolean {
    return this.filledAt !== undefined;
  }

  /** Searches the index, without files that were deleted since it was filled. Resolves to undefined when the query is outdated. */
  async search(query: PathQuery): Promise<PathMatch[] | undefined> {
    for (let round = 0; ; round++) {
      const { index } = this;
      const found = await index.search(query);
      const areThere = found && (await Promise.all(found.map((match) => exists(path.join(this.folder, match.path)))));
      if (!found || !areThere || areThere.every(Boolean)) {
        return found;
      }
      index.remove(found.filter((_, at) => !areThere[at]).map((match) => match.path));
      if (round >= MAX_ROUNDS) {
        return found.filter((_, at) => areThere[at]);
      }
    }
  }

  /** Resolves when the list is at most some seconds old. Never rejects. */
  fresh(): Promise<void> {
    if (this.filledAt !== undefined && this.deps.now() - this.filledAt < FRESH_MS) {
      return Promise.resolve();
    }
    return (this.filling ??= this.fill().finally(() => {
      this.filling = undefined;
      this.filledAt = this.deps.now();
    }));
  }

  dispose(): void {
    this.over.abort();
  }

  private async fill(): Promise<void> {
    const next = new PathIndex();
    // The first list is visible while it grows; a later one replaces the earlier list when it is complete.
    if (this.index.size === 0) {
      this.index = next;
    }
    try {
      const listed = await this.listed(next);
      if (this.filledAt === undefined) {
        await listed.warmUp();
      }
      this.index = listed;
    } catch {
      // The current list stays.
    }
  }

  private async listed(index: PathIndex): Promise<PathIndex> {
    const { folder, deps, over } = this;
    const git = await deps.git();
    if (git !== undefined && (await this.byGit(git, folder, '', index, { count: 0 }))) {
      return this.withoutIgnored(index);
    }
    const ripgrep = await deps.ripgrep();
    if (ripgrep !== undefined && (await ripgrepFiles(ripgrep, folder, (paths) => index.add(paths), over.signal))) {
      return index;
    }
    await index.addInSlices(await deps.search(folder));
    return index;
  }

  /** Lists a repository, and the repositories inside it that git reports. @param prefix the path from the root */
  private async byGit(git: string, folder: string, prefix: string, index: PathIndex, inner: { count: number }): Promise<boolean> {
    const repositories: string[] = [];
    const [submodules, deleted] = await Promise.all([this.submodules(git, folder, prefix), gitDeleted(git, folder, this.over.signal)]);
    const isDone = await gitFiles(
      git,
      folder,
      (listed) => {
        const present = deleted.size === 0 ? listed : listed.filter((file) => !deleted.has(file));
        const paths = submodules.size === 0 ? present : present.map((file) => (submodules.has(file) ? `${file}/` : file));
        repositories.push(...paths.filter((file) => file.endsWith('/')));
        index.add(prefix === '' ? paths : paths.map((file) => prefix + file));
      },
      this.over.signal,
    );
    for (const repository of repositories) {
      if (++inner.count <= MAX_INNER) {
        await this.byGit(git, `${folder}/${repository}`, prefix + repository, index, inner);
      }
    }
    return isDone;
  }

  /** Returns the submodules that are checked out, because git lists each as if it were a file. */
  private async submodules(git: string, folder: string, prefix: string): Promise<ReadonlySet<string>> {
    const hasSome = (await this.deps.read(this.folder, `${prefix}.gitmodules`)) !== undefined;
    const named = hasSome ? await gitSubmodules(git, folder, this.over.signal) : [];
    const isThere = await Promise.all(named.map((name) => isFilled(folder, name)));
    return new Set(named.filter((_, at) => isThere[at]));
  }

  /** Applies `.ignore` files, which ripgrep and VS Code's search respect, but git does not. */
  private async withoutIgnored(index: PathIndex): Promise<PathIndex> {
    const { folder, deps, over } = this;
    const hasSome = !index.called((name) => name === '.ignore').next().done || (await deps.read(folder, '.ignore')) !== undefined;
    if (!hasSome) {
      return index;
    }
    const ignored = new IgnoreFiles((file) => deps.read(folder, file), ['.ignore']);
    const kept: string[] = [];
    for await (const file of inTimeSlices(index.within(''), () => over.signal.throwIfAborted())) {
      if (!(await ignored.ignores(file))) {
        kept.push(file);
      }
    }
    const next = new PathIndex();
    await next.addInSlices(kept);
    return next;
  }
}

/** True when a submodule's folder, and each folder above it, is a real folder: a link may lead to a repository outside of the session's folders. */
async function isFilled(folder: string, inside: string): Promise<boolean> {
  let at = folder;
  for (const name of inside.split('/')) {
    at += `/${name}`;
    const found = await lstat(at).catch(() => undefined);
    if (!found?.isDirectory() || name === '..') {
      return false;
    }
  }
  return (await lstat(`${at}/.git`).catch(() => undefined)) !== undefined;
}
