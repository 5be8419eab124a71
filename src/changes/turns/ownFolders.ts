/** Whether a file is really below the session's folders: no link on the way, no repository's own files. */
import path from 'node:path';
import type { DiskFiles } from '../disk/diskFiles';
import { isBelow } from '../disk/git';

/** One per turn end: the answers are as old as the object. */
export class OwnFolders {
  private readonly folders = new Map<string, Promise<boolean>>();

  /** @param roots the session's folders, real paths */
  constructor(
    private readonly files: DiskFiles,
    private readonly roots: readonly string[],
  ) {}

  /** False when a link, or no folder at all, is on the way to the file. True for a file outside of the session's folders. */
  async leadTo(file: string): Promise<boolean> {
    return this.isReal(path.dirname(file));
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
      (stat) => stat?.kind === 'folder',
      () => false,
    );
  }
}

/** True for a file of a repository itself. Case-insensitive file systems know it by other names, too. */
export function isInGitFolder(file: string): boolean {
  return file.split(path.sep).some((name) => name.toLowerCase() === '.git');
}
