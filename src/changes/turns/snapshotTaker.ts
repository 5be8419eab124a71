/** Which snapshots tell how a folder stands: of its repository, of those inside of it, or of the plain folder. */
import path from 'node:path';
import { gitStatus, type GitStatus, isInRepository, type RunGit, submodulePaths, topOf } from '../disk/git';
import type { FileStates } from './fileStates';
import { snapshotOfFolder } from './folderSnapshot';
import { snapshotOfRepository } from './repositorySnapshot';
import type { Snapshot } from './snapshot';

/** Repositories inside of a folder that are looked at, each below another one included. */
const MOST_NESTED = 100;

export class SnapshotTaker {
  private readonly tops = new Map<string, Promise<string | undefined>>();

  /** @param git absent: there is none */
  constructor(
    private readonly states: FileStates,
    private readonly git: RunGit | undefined,
  ) {}

  /** @param root absolute. @param since ms since the epoch: when the turn began. Never rejects; what can't be read has no snapshot. */
  async snapshotsOf(root: string, since: number): Promise<readonly Snapshot[]> {
    const taken: Promise<Snapshot | undefined>[] = [];
    const seen = new Set<string>();
    const take = async (folder: string): Promise<void> => {
      if (seen.size > MOST_NESTED || seen.has(folder)) {
        return;
      }
      seen.add(folder);
      const { states } = this;
      const git = this.git && (await isInRepository(folder)) ? this.git : undefined;
      // Both at once: where there is a repository, which is the rule, the first turn gains the time that a process takes.
      const status = git && gitStatus(git, folder);
      const top = git && (await this.topOf(git, folder));
      // A link, or what is no repository after all, leads elsewhere.
      if (folder !== root && (top === undefined || path.relative(top, folder) !== '')) {
        return;
      }
      const start = top === undefined ? undefined : await status;
      if (!git || top === undefined || !start) {
        taken.push(snapshotOfFolder(states, folder, since));
        return;
      }
      taken.push(snapshotOfRepository(git, states, folder, top, start, since));
      await Promise.all((await this.nestedIn(git, folder, top, start)).map((nested) => take(nested).catch(() => undefined)));
    };
    await take(root).catch(() => undefined);
    return (await Promise.all(taken.map((snapshot) => snapshot.catch(() => undefined)))).flatMap((snapshot) => snapshot ?? []);
  }

  /** Those that are there, below `folder`, absolute. */
  private async nestedIn(git: RunGit, folder: string, top: string, { nested }: GitStatus): Promise<readonly string[]> {
    const { files } = this.states;
    const submodules = (await files.stat(path.join(top, '.gitmodules'))) ? await submodulePaths(git, top) : [];
    const found = [...nested, ...submodules].map((name) => path.join(top, name));
    const isThere = await Promise.all(
      found.map(async (each) => each.startsWith(folder + path.sep) && (await files.stat(path.join(each, '.git'))) !== undefined),
    );
    return found.filter((_, index) => isThere[index]);
  }

  private topOf(git: RunGit, folder: string): Promise<string | undefined> {
    let top = this.tops.get(folder);
    if (!top) {
      top = topOf(git, folder);
      this.tops.set(folder, top);
      // Somebody may make it a repository.
      void top.then((found) => found === undefined && this.tops.delete(folder));
    }
    return top;
  }
}
