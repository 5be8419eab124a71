/** The states of files at a time, and the records of file changes by turns, restores and undos. Pure. */

/**
 * The reason why an earlier version is unknown.
 *
 * - `late`: the file may have changed before its copy was taken.
 * - `too_large`: the file exceeds the size limit.
 * - `limit`: the store has no room, or could not write.
 * - `unreadable`: the file, its folder or git could not be read.
 * - `filtered`: git's version may differ from the bytes that were on the disk.
 * - `unproven`: the file was not seen before the turn, and nothing proves that the turn created it.
 */
export type UnknownReason = 'late' | 'too_large' | 'limit' | 'unreadable' | 'filtered' | 'unproven';

/**
 * A file's content and kind at a time. `none` is certain: the file did not exist. `hash` names the bytes in the store; with `kept` false the store
 * does not have them. `mode` has the permission bits.
 */
export type FileState =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly hash: string; readonly size: number; readonly mode: number; readonly kept: boolean }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly size?: number };

/** In `sharedWith`. No key of a session. */
export const THE_USER = 'user';
/** In `sharedWith`: the file changed while no window followed the turn, so that its author is not known. No key of a session. */
export const UNSEEN = 'unseen';

/** The change of one file. */
export interface FileRecord {
  /** Absolute; real. */
  readonly path: string;
  /** The path before a move; absolute, real. */
  readonly oldPath?: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly binary?: boolean;
  /** Two authors wrote the file in the same turn (the user, another session), and the product cannot distinguish their parts. */
  readonly shared?: boolean;
  /** The other authors of a shared file that are known: {@link THE_USER}, {@link UNSEEN}, or keys of sessions. */
  readonly sharedWith?: readonly string[];
  /** The user saved edits of their own in the turn. The review separates them from the agent's, and a return to `before` takes both. */
  readonly userEdits?: true;
  /** The turn put another file with several names at the path. A write replaces this name and leaves the other ones. */
  readonly relinked?: boolean;
  /** The inode of the file: in the record of a turn the one that the turn left, in that of a restore or undo the one that is replaced. */
  readonly inode?: number;
  /** Lines; absent where they were not counted. */
  readonly added?: number;
  readonly removed?: number;
}

interface Intent {
  readonly at: number;
  readonly files: readonly FileRecord[];
  /** A `done` record follows, so that the next start can recognize an interruption. Earlier versions wrote none. */
  readonly ends?: true;
  /** The id of the turn that was not recorded yet. Its files may have been in the middle of their changes. */
  readonly during?: string;
}

/** The records of a session, in order; `at` in ms since the epoch. A message's checkpoint has the id of its turn. */
export type ChangeRecord =
  | { readonly type: 'checkpoint'; readonly turnId: string; readonly at: number }
  | { readonly type: 'turn'; readonly turnId: string; readonly at: number; readonly files: readonly FileRecord[] }
  /** The intent of a restore: `files` are about to be written, and the store has each `before` and `after`. */
  | ({ readonly type: 'restore'; readonly restoreId: string } & Intent)
  /** The intent of an undo, as of a restore. */
  | ({ readonly type: 'undo'; readonly undoId: string } & Intent)
  /** The end of the restore or undo `id`. Paths in `left` are as they were. A restore or undo without an end was interrupted. */
  | {
      readonly type: 'done';
      readonly id: string;
      readonly at: number;
      readonly written: readonly string[];
      /** The inodes of the files in `written`, in the same order; 0 where there is none. */
      readonly inodes?: readonly number[];
      readonly left: readonly string[];
    };

/** True for a shared file that changed while no window followed the turn, without another known author. */
export function isOnlyUnseen({ sharedWith }: { readonly sharedWith?: readonly string[] }): boolean {
  return sharedWith?.length === 1 && sharedWith[0] === UNSEEN;
}

/** The only permission of a file that a repository knows. */
const EXECUTABLE = 0o100;

export function sameState(one: FileState, other: FileState): boolean {
  switch (one.kind) {
    case 'none':
      return other.kind === 'none';
    case 'file':
      return other.kind === 'file' && one.hash === other.hash && (one.mode & EXECUTABLE) === (other.mode & EXECUTABLE);
    case 'link':
      return other.kind === 'link' && one.target === other.target;
    case 'unknown':
      return false;
  }
}

/**
 * Returns the states of the files when a record was made: the first record that touched a file has the state that it found. Files that no record
 * touched have not changed. A step in the middle of a turn found what the agent had written by then: only the turn's record has the state before.
 * @param from the index of the checkpoint, or of the step that is to be taken back
 */
export function statesBefore(records: readonly ChangeRecord[], from: number): Map<string, FileState> {
  const states = new Map<string, FileState>();
  const later = records.slice(from);
  for (const [index, record] of later.entries()) {
    const during = index > 0 && 'during' in record ? record.during : undefined;
    const ofTurn = during === undefined ? undefined : foundBy(later.find((other) => other.type === 'turn' && other.turnId === during));
    for (const [path, found] of foundBy(record)) {
      const state = ofTurn ? (ofTurn.get(path) ?? IN_TURN) : found;
      void (states.has(path) || states.set(path, state));
    }
  }
  return states;
}

const IN_TURN: FileState = { kind: 'unknown', reason: 'late' };

/** Returns the states that a record found. @param record absent: none */
function foundBy(record: ChangeRecord | undefined): Map<string, FileState> {
  const states = new Map<string, FileState>();
  for (const { path, oldPath, before } of record ? filesOf(record) : []) {
    const isMove = oldPath !== undefined;
    void (isMove && !states.has(oldPath) && states.set(oldPath, before));
    void (states.has(path) || states.set(path, isMove ? { kind: 'none' } : before));
  }
  return states;
}

/** Returns the state in which the newest record left each file. */
export function statesAfter(records: readonly ChangeRecord[]): Map<string, FileState> {
  const states = new Map<string, FileState>();
  for (const record of records) {
    for (const { path, oldPath, after } of filesOf(record)) {
      if (oldPath !== undefined) {
        states.set(oldPath, { kind: 'none' });
      }
      states.set(path, after);
    }
  }
  return states;
}

function filesOf(record: ChangeRecord): readonly FileRecord[] {
  return record.type === 'checkpoint' || record.type === 'done' ? [] : record.files;
}
