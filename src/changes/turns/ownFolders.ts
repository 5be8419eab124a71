/** Checks that a file is really below the session's folders, without a link on the way, and is not a repository's own. */
import path from 'node:path';
import type { DiskFiles } from '../disk/diskFiles';
import { isBelow } from '../disk/git';

/** The answers are as old as the object: one per copy, or per turn end. */
export class OwnFolders {
  private readonly folders = new Map<string, Promise<boolean>>();

  /** @param roots the session's folders, real paths */
  constructor(
    private readonly files: DiskFiles,
    private readonly roots: readonly string[],
  ) {}

  /** True when a link is on the way from the session's folder to the file, or the disk cannot say. A missing folder is no link. */
  async isBehindLink(file: string): Promise<boolean> {
    return !(await this.isReal(path.dirname(file)));
  }

  private isReal(folder: string): Promise<boolean> {
    if (!this.roots.some((root) => isBelow(folder, root))) {
      return Promise.resolve(true);
    }
    const known = this.folders.get(folder) ?? this.check(folder);
    this.folders.set(folder, known);
    return known;
  }

  private async check(folder: string): Promise<boolean> {
    if (!(await this.isReal(path.dirname(folder)))) {
      return false;
    }
    return this.files.stat(folder).then(
      (stat) => stat?.kind !== 'link',
      () => false,
    );
  }
}

/** True for a file of a repository itself. Case-insensitive file systems know it by other names, too. */
export function isInGitFolder(file: string): boolean {
  return file.split(path.sep).some((name) => name.toLowerCase() === '.git');
}
