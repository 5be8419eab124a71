/** An operation on a file. Deleting and moving are writes of each path that they name. */
export type FileAccess = 'read' | 'write';

/** The identity of the folder at a path, at the time of the lookup. */
export interface FolderPin {
  /** The real path of the folder. */
  readonly real: string;
  /** Device and inode; `birth` in ns since the epoch, where it distinguishes two folders with the same inode. */
  readonly inode: { readonly dev: bigint; readonly ino: bigint; readonly birth?: bigint };
  /** True when the file system keeps inodes, so that the same folder has the same inode later. */
  readonly lasting: boolean;
}

/** The identities of a session's folders when the user agreed to them. */
export interface FolderPins {
  /** Looks a folder up once. Undefined: the folder did not exist. Never rejects. */
  of(folder: string): Promise<FolderPin | undefined>;
  /** Reports that `folder` was replaced by another folder. */
  changed(folder: string): void;
}

/** The folders a session may touch. Absolute paths. */
export interface Roots {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** When absent, the folders are identified at the first use. */
  readonly pins?: FolderPins;
}

/** The roots of a session without folders, such as a replayed log. No path lies in them. */
export const NO_ROOTS: Roots = { cwd: '', additionalDirectories: [] };

/** False for {@link NO_ROOTS}. */
export function hasFolder({ cwd }: Roots): boolean {
  return cwd !== '';
}
