/** The report to the agent about a file whose changes were undone as a whole. */
import type { FileState } from '../../core/fileChanges/records';
import { unifiedDiff } from '../../text/diff/unified';
import type { FileNote } from '../review/changeReport';

/** A file before and after its undo: as known to the agent, and its actual state. */
export interface UndoneFile {
  /** Real. */
  readonly path: string;
  /** The restored path of a moved file, as the session names it. */
  readonly movedTo?: string;
  readonly believed: FileState;
  readonly actual: FileState;
  /** Texts, where they are known. */
  readonly believedText: string | undefined;
  readonly actualText: string | undefined;
}

/** Returns the note of an undone file for the next prompt. */
export function undoNote({ path, movedTo, believed, actual, believedText, actualText }: UndoneFile): FileNote {
  const isRecreated = believed.kind === 'none';
  const words =
    movedTo !== undefined
      ? `The user undid all your changes to this file and moved it back to ${movedTo}.`
      : isRecreated
        ? 'The user undid the deletion of this file: it is there again.'
        : actual.kind === 'none'
          ? 'The user undid the creation of this file: it was deleted.'
          : 'The user put this file back to what it was before your changes.';
  const diff = believedText === undefined || actualText === undefined || isRecreated ? '' : unifiedDiff(believedText, actualText);
  return { path, whole: 'undone', words, believed, actual, diff, ...(movedTo !== undefined && { moved: true as const }) };
}
