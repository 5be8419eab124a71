/** What is known of a file at a moment, and what turns and restores did to files. Pure. */

/** Why there is no earlier version. late: it may have been changed before its copy was taken. */
export type UnknownReason = 'late' | 'too_large' | 'limit' | 'unreadable' | 'filtered';

/** A file's content and kind at a moment. `hash` names its bytes in the store; with `kept` false they are not there. */
export type FileState =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly hash: string; readonly size: number; readonly mode: number; readonly kept: boolean }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly size?: number };

/** What became of one file. */
export interface FileRecord {
  /** Absolute; real. */
  readonly path: string;
  /** Where it was before, when it was moved. */
  readonly oldPath?: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly binary?: boolean;
  /** Another session's turn ran in the same folder, and nothing says whose change it was. */
  readonly shared?: boolean;
  /** Lines; absent where they were not counted. */
  readonly added?: number;
  readonly removed?: number;
}

/** What is written down of a session, in order. A message's checkpoint is named as its turn. */
export type ChangeRecord =
  | { readonly type: 'checkpoint'; readonly turnId: string; readonly at: number }
  | { readonly type: 'turn'; readonly turnId: string; readonly at: number; readonly files: readonly FileRecord[] }
  /** `files` are about to be written; what `before` says is kept. */
  | { readonly type: 'restore'; readonly restoreId: string; readonly at: number; readonly files: readonly FileRecord[] };

/** Of a file's permissions the one that a repository knows. */
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
 * How the files stood when a record was made: of each file that it or a later one touched, what the first of them found. Files that nobody touched
 * are as they were.
 * @param from the index of the checkpoint, or of the step that is to be taken back
 */
export function statesBefore(records: readonly ChangeRecord[], from: number): Map<string, FileState> {
  const states = new Map<string, FileState>();
  const put = (path: string, state: FileState): void => void (states.has(path) || states.set(path, state));
  for (const record of records.slice(from)) {
    for (const { path, oldPath, before } of record.type === 'checkpoint' ? [] : record.files) {
      if (oldPath === undefined) {
        put(path, before);
      } else {
        put(oldPath, before);
        put(path, { kind: 'none' });
      }
    }
  }
  return states;
}

/** How the newest record that touched each file left it. */
export function statesAfter(records: readonly ChangeRecord[]): Map<string, FileState> {
  const states = new Map<string, FileState>();
  for (const record of records) {
    for (const { path, oldPath, after } of record.type === 'checkpoint' ? [] : record.files) {
      if (oldPath !== undefined) {
        states.set(oldPath, { kind: 'none' });
      }
      states.set(path, after);
    }
  }
  return states;
}
