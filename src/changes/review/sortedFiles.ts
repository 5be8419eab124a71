import type { ReviewFile } from './reviewFile';

/** The files of a review by path. Their order is computed once for each state: hundreds of files are read after each change. */
export class SortedFiles extends Map<string, ReviewFile> {
  private inOrder: readonly ReviewFile[] | undefined;

  /** The files in the order of their paths. */
  get sorted(): readonly ReviewFile[] {
    return (this.inOrder ??= [...this.values()].sort((one, other) => (one.path < other.path ? -1 : 1)));
  }

  override set(path: string, file: ReviewFile): this {
    this.inOrder = undefined;
    return super.set(path, file);
  }

  override delete(path: string): boolean {
    this.inOrder = undefined;
    return super.delete(path);
  }
}
