import type { FileState } from '../../core/fileChanges/records';

/** How the files below a folder stood when a turn began, as far as it is known. */
export interface Snapshot {
  /** Absolute. */
  readonly root: string;
  /** The files that are not what they were, absolute; `oldPath` where a repository says that one was moved. Some may turn out to be as they were. */
  changed(): Promise<readonly { readonly path: string; readonly oldPath?: string }[]>;
  /** What these files were, in their order; undefined for one of which it knows nothing. */
  before(paths: readonly string[]): Promise<readonly (FileState | undefined)[]>;
}
