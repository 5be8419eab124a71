/** The changes of a session that wait for review, as its page shows them above the composer. */
import { array, type Infer, integer, literal, object, optional, string } from '../schema/schema';
import type { ChangeReportSummary } from './changeReport';

const pendingFile = object({
  /** Absolute; as the session names it. */
  path: string(),
  /** The path before a move; absolute, as the session names it. */
  oldPath: optional(string()),
  /** One of modify, add, delete and move, like in `FileChange`. */
  operation: string(),
  /** Lines; absent where they are not counted. */
  added: optional(integer()),
  removed: optional(integer()),
  /** The ids of the subagents that reported a change of the file in the newest turn that changed it; absent when none did. */
  subagents: optional(array(string())),
  /** `no`: no earlier version is known, so the file can only be kept. */
  undo: optional(literal('no')),
  /** `yes`: an editor has unsaved changes of the file, so that its text is not the one on the disk. */
  unsaved: optional(literal('yes')),
});
export type PendingFileSummary = Infer<typeof pendingFile>;

export const pendingChanges = object({
  /** The files in the order of their paths, up to {@link MAX_PENDING_FILES}. */
  files: array(pendingFile),
  /** The number of files that are not listed. */
  more: optional(integer()),
  /** Line counts of all files, as far as they are counted. */
  added: integer(),
  removed: integer(),
});
export type PendingChanges = Infer<typeof pendingChanges>;

/** The files that a running turn has changed so far, as far as the agent has reported them. */
export const runningChanges = {
  /** The files in the order of their first change, up to {@link MAX_PENDING_FILES}. `path` is absolute, as the agent names it. */
  files: array(object({ path: string(), operation: string() })),
  /** The number of files that are not listed. */
  more: optional(integer()),
};
const running = object(runningChanges);
export type RunningChanges = Infer<typeof running>;

/** The part of a session's state that belongs to the review. */
export interface ReviewState {
  /** The user's actions on the agent's changes that the next prompt reports; absent when there are none. */
  readonly changeReport?: ChangeReportSummary;
  /** The changes that wait for review; absent when there are none. */
  readonly pendingChanges?: PendingChanges;
  /** The files that the running turn has changed so far, until the review has them; absent when there are none. */
  readonly runningChanges?: RunningChanges;
}

/** The most files that the page lists. */
export const MAX_PENDING_FILES = 200;
