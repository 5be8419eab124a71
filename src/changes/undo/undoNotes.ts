/** The notes for the agent about files whose changes were undone as a whole. */
import type { FileState } from '../../core/fileChanges/records';
import { unifiedDiff } from '../../text/diff/unified';
import type { ChangeReport, FileNote } from '../review/changeReport';
import type { FileStates } from '../turns/fileStates';
import type { PlannedUndo } from './plannedUndo';
import type { UndoFactReader } from './undoFacts';

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

export interface UndoNoteDependencies {
  readonly report: Pick<ChangeReport, 'believed'>;
  readonly states: FileStates;
  /** Returns the session's name of a file. */
  nameOf(path: string): string;
}

/** Makes the note of an undo. `states` are known states on disk, by path. */
export type PendingNote = (states?: ReadonlyMap<string, FileState>) => Promise<FileNote>;

export class UndoNotes {
  constructor(
    private readonly deps: UndoNoteDependencies,
    private readonly facts: Pick<UndoFactReader, 'textOf'>,
  ) {}

  /** Captures the state that the agent believes before the undo. The returned function makes the note once the files are written. */
  async of({
    target: { file, hunkIds },
    facts,
    force,
  }: Pick<PlannedUndo, 'target' | 'force'> & Partial<PlannedUndo>): Promise<PendingNote | undefined> {
    if (hunkIds) {
      return undefined;
    }
    const { report, states, nameOf } = this.deps;
    const { path: real, oldPath } = file;
    // The agent does not know a version newer than its own.
    const believed = (force && facts?.after) || (facts?.now ?? (await states.of(real, true)).state);
    const text = report.believed(real) ?? (await this.textOf(real, believed));
    return async (known) => {
      const stateOf = async (path: string): Promise<FileState> => known?.get(path) ?? (await states.of(path, true)).state;
      const actual = await stateOf(real);
      const moved = oldPath === undefined ? undefined : await stateOf(oldPath);
      const actualText = moved ? await this.textOf(oldPath!, moved) : await this.textOf(real, actual);
      const movedTo = oldPath === undefined ? {} : { movedTo: nameOf(oldPath) };
      return undoNote({ path: real, ...movedTo, believed, actual, believedText: text, actualText });
    };
  }

  private textOf(real: string, state: FileState): Promise<string | undefined> {
    return state.kind === 'none' ? Promise.resolve('') : this.facts.textOf(real, state);
  }
}
