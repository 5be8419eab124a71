/**
 * Files whose deletion the user has kept. The agent may have moved such a file over another one, and an undo of the other one would remove the only
 * copy. They are remembered while anything waits.
 */
import type { FileState } from '../../core/fileChanges/records';
import type { ReviewFile } from './reviewFile';

export interface KeptFile {
  readonly path: string;
  readonly before: FileState;
}

/** The most files that are remembered. The oldest are forgotten first. */
const MOST = 5000;

export class KeptAway {
  private readonly byPath = new Map<string, KeptFile>();

  get files(): readonly KeptFile[] {
    return [...this.byPath.values()];
  }

  add(file: KeptFile): void {
    this.byPath.delete(file.path);
    this.byPath.set(file.path, file);
    if (this.byPath.size > MOST) {
      this.byPath.delete(this.byPath.keys().next().value!);
    }
  }

  /** Remembers a kept row if its file is no longer at its path, or a link is there. */
  keep({ path, oldPath, before, after, isDeleted }: ReviewFile): void {
    if (oldPath === undefined && (isDeleted || after.kind === 'link') && before.kind !== 'none') {
      this.add({ path, before });
    }
  }

  clear(): void {
    this.byPath.clear();
  }
}
