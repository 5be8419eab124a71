/** A file whose changes wait for the user. */
import { type FileRecord, type FileState, THE_USER } from '../../core/fileChanges/records';
import type { LiveHunks } from '../hunks/liveHunks';

/** True for a file with something to review. Other files only have set-aside hunks, to be read. */
export function isPending(file: ReviewFile): boolean {
  const { hunks, oldPath, isGone } = file;
  return !isGone && (!hunks || hunks.hunks.length > 0 || oldPath !== undefined || isEmptyCreation(file));
}

/** True for a new file of the agent: without the file, nothing is left to undo. */
export function isCreation({ before, oldPath, isDeleted }: Pick<ReviewFile, 'before' | 'oldPath' | 'isDeleted'>): boolean {
  return before.kind === 'none' && oldPath === undefined && !isDeleted;
}

/** True for a new file that was left empty and still is: no hunk shows its creation. With set-aside hunks, the user has emptied it. */
export function isEmptyCreation({ before, after, hunks }: Pick<ReviewFile, 'before' | 'after' | 'hunks'>): boolean {
  const isEmpty = hunks?.text === '' && hunks.hunks.length + hunks.setAside.length === 0;
  return isEmpty && before.kind === 'none' && after.kind === 'file' && after.size === 0;
}

/** True when an undo of the file can have an effect. For other files only keeping and opening are offered. */
export function isUndoable({ before, hunks }: Pick<ReviewFile, 'before' | 'hunks'>): boolean {
  return before.kind !== 'unknown' || (hunks !== undefined && hunks.hunks.length > 0);
}

/** True when the agent changed a file's permission to execute, which can still be restored. */
export function hasModeChange(before: FileState, after: FileState | undefined): boolean {
  return before.kind === 'file' && after?.kind === 'file' && isExecutable(before.mode) !== isExecutable(after.mode);
}

/** The three permissions to execute. */
export const EXECUTE = 0o111;

export function isExecutable(mode: number): boolean {
  return (mode & EXECUTE) !== 0;
}

/** A file of the review. */
export interface ReviewFile {
  /** Absolute; real. */
  readonly path: string;
  /** The path before the first of its changes, if it was moved. */
  readonly oldPath?: string;
  /** The state before the first of its changes. */
  readonly before: FileState;
  /** The state after the newest turn that changed it, or after our own undo. `unknown` for reviews of an earlier version. */
  readonly after: FileState;
  readonly isDeleted: boolean;
  /** The deleted file exists again, but not by a turn, which would end the deletion. Not stored. */
  readonly isBack?: true;
  /** The created file does not exist, and no turn has deleted it. It waits again when it exists again. Not stored. */
  readonly isGone?: true;
  /** Turns that changed it, oldest first. */
  readonly turns: readonly string[];
  /** Another author may have made a part of its changes. Once set, it stays while the file waits. */
  readonly shared?: true;
  /** See `FileRecord.sharedWith`. */
  readonly sharedWith?: readonly string[];
  /** One of its turns put another file with several names at the path: no write may go into that file. */
  readonly relinked?: true;
  /** Set when there were too many changes to follow them one by one. */
  readonly isLarge?: true;
  /** Absent for a file that can at most be kept or restored as a whole: it is binary, too large, moved, or no earlier version is known. */
  readonly hunks?: LiveHunks;
}

/** A write that the user has reviewed before it was made: the agent's proposal, and the text that the user accepted. */
export interface AcceptedWrite {
  /** Real. */
  readonly path: string;
  readonly proposed: string;
  readonly text: string;
}

/**
 * The other authors of a file after one more turn.
 * @param isWithUser the user wrote more than can be told apart
 * @param isMixed an unknown author may have written a part
 */
export function sharedOf(
  known: ReviewFile | undefined,
  record: FileRecord,
  isWithUser: boolean,
  isMixed: boolean,
): Pick<ReviewFile, 'shared' | 'sharedWith'> {
  const sharedWith = [...new Set([...(known?.sharedWith ?? []), ...(record.sharedWith ?? []), ...(isWithUser ? [THE_USER] : [])])];
  return {
    ...((known?.shared || record.shared || isWithUser || isMixed) && { shared: true }),
    ...(sharedWith.length > 0 && { sharedWith }),
  };
}
