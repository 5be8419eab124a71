/** The parts of file transactions that their callers see. */
import type { WriteOptions } from './disk/wholeWrite';
import type { ChangeLog } from './store/changeLog';
import type { FileStates } from './turns/fileStates';

/**
 * Why a file was left as it is.
 *
 * - `changed`: its state is not the expected one.
 * - `outside`: the path leads out of the session's folders, over a symbolic link, or into a folder of Git.
 * - `failed`: the system refused the write.
 * - `not_kept`: the store does not have the old or the new content.
 * - `cancelled`: the run was cancelled before.
 * - `moved`: the path has the only copy of a file that was left, too.
 */
export type LeftReason = 'changed' | 'outside' | 'failed' | 'not_kept' | 'cancelled' | 'moved';

export interface LeftFile {
  readonly path: string;
  readonly reason: LeftReason;
}

/** Writes a file's new state; the window does it in the editor where the file is open. Options go on to `DiskFiles`. */
export interface RestoreTarget {
  write(path: string, bytes: Uint8Array, mode: number, options?: WriteOptions): Promise<void>;
  link(path: string, target: string, options?: WriteOptions): Promise<void>;
  remove(path: string, options?: WriteOptions): Promise<void>;
}

export interface FileTransactionDependencies {
  readonly states: FileStates;
  readonly log: ChangeLog;
  /** Absent: on disk. */
  readonly target?: RestoreTarget;
  /** False for what is in none of the session's folders. Usually it is asked about the folder of a file. */
  contains(path: string): Promise<boolean>;
  now(): number;
  mintId(): string;
}
