/** Checks that a file is really below the session's folders, without a link on the way, and is not a repository's own. */
import path from 'node:path';
import type { DiskFiles } from '../disk/diskFiles';
import { isBelow } from '../disk/git';
import { isSince } from './fileStates';

/** Caches its results, so use one per copy or per end of a turn. */
export class OwnFolders {
  private readonly folders = new Map<string, Promise<'real' | 'missing' | 'link'>>();

  /** @param roots the session's folders, real paths */
  constructor(
    private readonly files: DiskFiles,
    private readonly roots: readonly string[],
  ) {}

  /** True when a link is on the way from the session's folder to the file, or the disk cannot say. A missing folder is not a link. */
  async isBehindLink(file: string): Promise<boolean> {
    return (await this.kindOf(path.dirname(file))) === 'link';
  }

  /** `missing`: the file's folder did not exist, so the file does not exist. `link`: see {@link isBehindLink}. */
  pathKindOf(file: string): Promise<'real' | 'missing' | 'link'> {
    return this.kindOf(path.dirname(file));
  }

  /**
   * True when a folder above the file may have been moved here at `since` or later: a move changes the times of the folder and of the one above. The times
   * of the files in it stay.
   */
  async mayBeMoved(file: string, since: number): Promise<boolean> {
    for (
      let folder = path.dirname(file);
      this.roots.some((root) => isBelow(folder, root) && folder !== root);
      folder = path.dirname(folder)
    ) {
      const [stat, above] = await Promise.all([folder, path.dirname(folder)].map((each) => this.files.stat(each).catch(() => undefined)));
      if (!stat || !above || (isSince(stat, since) && isSince(above, since))) {
        return true;
      }
    }
    return false;
  }

  private kindOf(folder: string): Promise<'real' | 'missing' | 'link'> {
    let known = this.folders.get(folder);
    if (!known) {
      known = this.roots.some((root) => isBelow(folder, root)) ? this.check(folder) : Promise.resolve('real' as const);
      this.folders.set(folder, known);
    }
    return known;
  }

  private async check(folder: string): Promise<'real' | 'missing' | 'link'> {
    const above = await this.kindOf(path.dirname(folder));
    if (above !== 'real') {
      return above;
    }
    return this.files.stat(folder).then(
      (stat) => (stat ? (stat.kind === 'link' ? 'link' : 'real') : 'missing'),
      () => 'link',
    );
  }
}

/** True for a file of a repository itself. Case-insensitive file systems accept other spellings, too. */
export function isInGitFolder(file: string): boolean {
  return file.split(path.sep).some((name) => name.toLowerCase() === '.git');
}

/** True for the name of a link, or another name than that of the file. @param real the path that `named` leads to */
export async function isLinkName(files: Pick<DiskFiles, 'stat'>, named: string, real: string): Promise<boolean> {
  if (named === real) {
    return false;
  }
  // The whole folder may be open through a link, which `stat` refuses.
  const kind = await files.stat(named).then(
    (stat) => stat?.kind,
    () => undefined,
  );
  return kind === 'link' || path.basename(named) !== path.basename(real);
}
