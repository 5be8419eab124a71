/** The types of file transactions that their callers use. */
import type { WriteOptions } from './disk/wholeWrite';
import type { ChangeLog } from './store/changeLog';
import type { FileStates } from './turns/fileStates';

/**
 * The reason why a file was left unchanged.
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

/** Writes a file's new state. The window does it in the editor where the file is open. Options are passed on to `DiskFiles`. */
export interface RestoreTarget {
  write(path: string, bytes: Uint8Array, mode: number, options?: WriteOptions): Promise<void>;
  link(path: string, target: string, options?: WriteOptions): Promise<void>;
  remove(path: string, options?: WriteOptions): Promise<void>;
}

export interface FileTransactionDependencies {
  readonly states: FileStates;
  readonly log: ChangeLog;
  /** Writes on disk when absent. */
  readonly target?: RestoreTarget;
  /** False for a path in none of the session's folders. Usually called for the folder of a file. */
  contains(path: string): Promise<boolean>;
  now(): number;
  mintId(): string;
  /** Returns the id of the turn whose changes are not recorded yet. Absent: none. */
  unrecordedTurn?(): string | undefined;
}
