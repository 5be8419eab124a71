import type { FileState } from '../../core/fileChanges/records';
import type { FileStat } from '../disk/fileStat';

/** A problem of a turn's recording: a copy was not stored, git failed, or a folder or file could not be read. */
export interface Trouble {
  readonly kind: 'store' | 'git' | 'files';
  readonly detail?: string;
}

/** The beginning of a turn, in ms since the epoch. -Infinity after the clock was set back, so that no copy counts as taken in time. */
export type Since = number | (() => number);

export function sinceNow(since: Since): number {
  return typeof since === 'number' ? since : since();
}

/** A file at the beginning of the turn. */
export interface EarlierFile {
  readonly state: FileState;
  /** With `none`: the time in ms since the epoch from which on the file is known to be absent. */
  readonly absentAt?: number;
  /** The inode, or its lower 32 bits if git knows no more. */
  readonly ino?: number;
  readonly size?: number;
  /** Present where the file itself was read. */
  readonly stat?: FileStat;
  /** Present for a file that was equal to its git object: the facts that recognize it under another path. */
  readonly clean?: CleanFile;
}

/** A file whose content git had certainly compared before the turn. */
export interface CleanFile {
  /** The lower 32 bits, like those of `dev`. */
  readonly ino: number;
  readonly dev: number;
  readonly size: number;
  /** ms since the epoch. */
  readonly mtimeMs: number;
  /** ms since the epoch. A rename of a folder above keeps it, and every change of the content sets it. */
  readonly ctimeMs: number;
  readonly binary: boolean;
}

/** A file that existed when the turn began and was removed or replaced since. */
export interface GoneFile {
  readonly path: string;
  readonly ino: number;
  readonly size: number;
  /** True for a file in an ignored folder: the file itself matches no pattern. */
  readonly isInFolder: boolean;
}

export interface ChangedFile {
  readonly path: string;
  /** The path before a rename that git reports. */
  readonly oldPath?: string;
}

/** A move of HEAD or of the stash in the turn, and the files that it wrote. */
export interface BroughtFiles {
  /** ms since the epoch, whole seconds; undefined when the time is unknown. */
  readonly at: number | undefined;
  readonly top: string;
  /** Absolute. */
  readonly paths: ReadonlySet<string>;
}

/** The files below a folder at the beginning of a turn, as far as they are known. */
export interface FilesSnapshot {
  /** Absolute. */
  readonly root: string;
  /** Problems of the start; those of the end are added by `changed`. */
  readonly troubles: readonly Trouble[];
  /** Returns the files that differ, absolute. Some may turn out to be equal. */
  changed(): Promise<readonly ChangedFile[]>;
  /** Returns the earlier files of these paths, in their order; undefined for a file that the snapshot does not know. */
  before(paths: readonly string[]): Promise<readonly (EarlierFile | undefined)[]>;
  /** Returns removed files without a copy: ignored ones. */
  gone(): Promise<readonly GoneFile[]>;
  /** Returns the git operations since the start. Must be called after `changed`. */
  brought(): Promise<readonly BroughtFiles[]>;
  /** Returns the facts from which a later window makes this snapshot again. */
  facts(): object;
}
