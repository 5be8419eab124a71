/** Finds the files that a path in an agent's text can mean, in all folders of the session. Does not use VS Code. */
import path from 'node:path';
import type { Roots } from '../core/model/roots';
import { diskBytes } from './checkedBytes';
import { RootCheck } from './roots';

/** The most parent folders that are searched for the top of a Git repository. */
const MAX_PARENTS = 40;

/** One batch of searches. The tops of repositories are found only once. */
export class FindFiles {
  readonly check: RootCheck;
  private readonly folders: readonly string[];
  private repositories: Promise<readonly Repository[]> | undefined;

  constructor(roots: Roots, check = new RootCheck(roots)) {
    this.check = check;
    this.folders = [...new Set([roots.cwd, ...roots.additionalDirectories])];
  }

  /**
   * Returns the files inside the session's folders that `named` can mean, each once, the likeliest first. The path may be relative to each folder,
   * begin with the folder's name, or be relative to the top of the repository that contains the folder. Never rejects.
   * @param named a path as the agent wrote it
   * @param wanted whether folders count, too
   */
  async find(named: string, wanted: 'files' | 'any' = 'files'): Promise<readonly string[]> {
    const found = new Map<string, string>();
    for (const candidate of path.isAbsolute(named) ? [named] : await this.candidates(named)) {
      const real = await this.realPath(candidate, wanted);
      if (real !== undefined && !found.has(real)) {
        found.set(real, candidate);
      }
    }
    return [...found.values()];
  }

  /** True when `candidate` is a file in the session's folders. Never rejects. */
  async isFile(candidate: string): Promise<boolean> {
    return (await this.realPath(candidate, 'files')) !== undefined;
  }

  /** Returns the paths of `named` relative to the tops of repositories, inside the session's folders or not. */
  async fromTops(named: string): Promise<readonly string[]> {
    return (await this.tops()).map(({ top }) => path.join(top, named));
  }

  private async candidates(named: string): Promise<readonly string[]> {
    const whole = path.normalize(named);
    const [first] = whole.split(path.sep);
    const byName = this.folders.filter((folder) => path.basename(folder) === first && whole.length > first.length + 1);
    const fromTop = (await this.tops()).filter(({ inside }) => whole.startsWith(inside + path.sep));
    return [
      ...this.folders.map((folder) => path.join(folder, whole)),
      ...byName.map((folder) => path.join(path.dirname(folder), whole)),
      ...fromTop.map(({ top }) => path.join(top, whole)),
    ];
  }

  private async realPath(candidate: string, wanted: 'files' | 'any'): Promise<string | undefined> {
    try {
      if (await this.check.leadsAway(candidate)) {
        return undefined;
      }
      const real = await this.check.resolve(candidate);
      const { kind } = await diskBytes.stat(real);
      return kind === 'file' || (wanted === 'any' && kind === 'directory') ? real : undefined;
    } catch {
      return undefined;
    }
  }

  private tops(): Promise<readonly Repository[]> {
    return (this.repositories ??= Promise.all(this.folders.map((folder) => this.repositoryOf(folder))).then((all) =>
      all.filter((each) => each !== undefined),
    ));
  }

  /** Returns the repository that contains `folder` as a subfolder. */
  private async repositoryOf(folder: string): Promise<Repository | undefined> {
    const { lstat } = await import('node:fs/promises');
    let top = folder;
    for (let count = 0; count < MAX_PARENTS; count++) {
      if (await this.check.leadsAway(top)) {
        return undefined;
      }
      const isTop = await lstat(path.join(top, '.git')).then(
        () => true,
        () => false,
      );
      const parent = path.dirname(top);
      if (isTop || parent === top) {
        return isTop && top !== folder ? { top, inside: path.relative(top, folder) } : undefined;
      }
      top = parent;
    }
    return undefined;
  }
}

interface Repository {
  readonly top: string;
  /** The session's folder, relative to {@link top}. */
  readonly inside: string;
}
