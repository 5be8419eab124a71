/** Summarizes the pending changes for the session's page. Pure. */
import type { CountBudget } from '../../core/fileChanges/lineCounts';
import { MAX_PENDING_FILES, type PendingChanges, type PendingFileSummary } from '../../core/fileChanges/pendingChanges';
import { hunkCounts } from '../hunks/hunkCounts';
import { hasModeChange, isPending, isUndoable, type ReviewFile } from './reviewFile';

/** The budget for all counts of a session together, a few ms. A hunk beyond it counts with all its lines. */
const BUDGET: CountBudget = { units: 512 * 1024, steps: 100_000 };

export interface SummaryFacts {
  /** Returns the session's name of a file. */
  nameOf(path: string): string;
  /** Returns the number of lines of a deleted file's earlier version; undefined while it is not known. */
  deletedLines(file: ReviewFile): number | undefined;
  /** True for a file with unsaved changes in an editor. */
  isUnsaved?(path: string): boolean;
}

/** True for a file that waits for the user, including one whose permissions alone changed. */
export function waitsForReview(file: ReviewFile): boolean {
  return isPending(file) || hasModeChange(file.before, file.after);
}

/** Returns undefined when nothing waits for review. */
export function pendingSummary(all: readonly ReviewFile[], facts: SummaryFacts): PendingChanges | undefined {
  const budget = { ...BUDGET };
  const waiting = all.filter(waitsForReview);
  const files = waiting.map((file) => fileSummary(file, facts, budget));
  const more = files.length - MAX_PENDING_FILES;
  return files.length === 0
    ? undefined
    : {
        files: files.slice(0, MAX_PENDING_FILES),
        ...(more > 0 && { more }),
        added: files.reduce((sum, { added = 0 }) => sum + added, 0),
        removed: files.reduce((sum, { removed = 0 }) => sum + removed, 0),
      };
}

function fileSummary(file: ReviewFile, { nameOf, deletedLines, isUnsaved }: SummaryFacts, budget: CountBudget): PendingFileSummary {
  const { path, oldPath, before, isDeleted, hunks } = file;
  const removed = isDeleted ? deletedLines(file) : undefined;
  return {
    path: nameOf(path),
    ...(oldPath !== undefined && { oldPath: nameOf(oldPath) }),
    operation: isDeleted ? 'delete' : oldPath !== undefined ? 'move' : before.kind === 'none' ? 'add' : 'modify',
    ...(hunks && hunkCounts(hunks, budget)),
    ...(removed !== undefined && { added: 0, removed }),
    ...(!isUndoable(file) && { undo: 'no' as const }),
    ...(isUnsaved?.(path) && { unsaved: 'yes' as const }),
  };
}
