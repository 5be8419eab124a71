/** Takes the snapshots of a folder: of its repository, of the repositories inside it, or of the plain folder. */
import path from 'node:path';
import {
  gitStatus,
  type GitStatus,
  isBelow,
  isInRepository,
  type Repository,
  repositoryOf,
  type RunGit,
  submodulePaths,
} from '../disk/git';
import type { FileStates } from './fileStates';
import { snapshotOfFolder } from './folderSnapshot';
import { RepositorySnapshot } from './repositorySnapshot';
import { indexFacts, repositoryStart } from './repositoryStart';
import type { Since, FilesSnapshot, Trouble } from './filesSnapshot';

/** The most repositories inside a folder, at any depth, that are read. */
const MAX_NESTED = 100;

export class SnapshotTaker {
  private readonly repositories = new Map<string, Promise<Repository | undefined>>();

  /** @param git absent when git is not available @param now ms since the epoch */
  constructor(
    private readonly states: FileStates,
    private readonly git: RunGit | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * @param root absolute
   * @param since the beginning of the turn, in ms since the epoch
   * @param onTrouble called for each part that has no snapshot; the others report their own troubles. Never rejects.
   */
  async snapshotsOf(
    root: string,
    since: Since,
    onTrouble: (trouble: Trouble) => void = () => undefined,
  ): Promise<readonly FilesSnapshot[]> {
    const taken: Promise<FilesSnapshot>[] = [];
    const seen = new Set<string>();
    const { states, now } = this;
    const take = async (folder: string): Promise<void> => {
      if (seen.size > MAX_NESTED || seen.has(folder)) {
        return;
      }
      seen.add(folder);
      const git = this.git && (await isInRepository(folder)) ? this.git : undefined;
      // Both run in parallel, because each process takes time, and nearly every folder is in a repository.
      const status = git && gitStatus(git, folder, { ignored: true }).then((found) => ({ found, at: now() }));
      const repository = git && (await this.repositoryOf(git, folder));
      // A link, or a folder without a repository of its own, leads elsewhere.
      if (folder !== root && (!repository || path.relative(repository.top, folder) !== '')) {
        return;
      }
      // Started later, so that these processes do not delay the prompt, and in parallel with the status.
      const facts = git && repository && indexFacts(git, folder, repository);
      const { found: start, at: listedAt } = (repository && (await status)) ?? { found: undefined, at: 0 };
      if (repository && !start) {
        onTrouble({ kind: 'git', detail: folder });
      }
      if (!git || !repository || !start || isIgnored(folder, repository, start)) {
        taken.push(snapshotOfFolder(states, folder, since, now));
        return;
      }
      const place = { run: git, states, root: folder, repository };
      const nested = this.nestedIn(git, folder, repository.top, start);
      taken.push(
        repositoryStart(place, start, listedAt, facts!, since).then(
          async (facts) => new RepositorySnapshot(place, facts, since, await nested),
        ),
      );
      await Promise.all((await nested).map((each) => take(each).catch(() => onTrouble({ kind: 'git', detail: each }))));
    };
    const failed = (): void => onTrouble({ kind: 'files', detail: root });
    await take(root).catch(failed);
    return (await Promise.all(taken.map((snapshot) => snapshot.catch(failed)))).flatMap((snapshot) => snapshot ?? []);
  }

  /** Returns the repositories that exist below `folder`, absolute. */
  private async nestedIn(git: RunGit, folder: string, top: string, { nested }: GitStatus): Promise<readonly string[]> {
    const { files } = this.states;
    const isThere = (file: string): Promise<boolean> =>
      files.stat(file).then(
        (stat) => stat !== undefined,
        () => true,
      );
    const submodules = (await isThere(path.join(top, '.gitmodules'))) ? await submodulePaths(git, top) : [];
    const found = [...new Set([...nested, ...submodules])].map((name) => path.join(top, name));
    const exists = await Promise.all(found.map(async (each) => isBelow(each, folder) && isThere(path.join(each, '.git'))));
    return found.filter((_, index) => exists[index]);
  }

  private repositoryOf(git: RunGit, folder: string): Promise<Repository | undefined> {
    let repository = this.repositories.get(folder);
    if (!repository) {
      repository = repositoryOf(git, folder);
      this.repositories.set(folder, repository);
      // Not cached, because the user may turn the folder into a repository.
      void repository.then((found) => found === undefined && this.repositories.delete(folder));
    }
    return repository;
  }
}

/** True when the repository above ignores the whole folder, so that git lists none of its files. */
function isIgnored(folder: string, { top }: Repository, { ignored }: GitStatus): boolean {
  return (ignored ?? []).some((name) => {
    const at = path.join(top, name).replace(/[/\\]$/, '');
    return name.endsWith('/') && (at === folder || isBelow(folder, at));
  });
}
