/** The writes of undos: each is compared with the disk before and after. */
import { type FileRecord, type FileState, sameState } from '../../core/fileChanges/records';
import type { Review } from '../review/review';
import type { ObjectStore } from '../store/objectStore';
import type { FileStates } from '../turns/fileStates';
import type { UndoFactReader } from './undoFacts';
import type { LeftReason } from './undoPlan';
import type { FileWriter, UndoEditor } from './undoPorts';

export interface UndoWriteDependencies {
  readonly review: Review;
  readonly states: FileStates;
  readonly store: ObjectStore;
  readonly writer: FileWriter;
  readonly editor: UndoEditor;
  /** Files that an undo wrote: for other sessions these are the user's changes. */
  onWritten(paths: readonly string[]): void;
}

export interface UndoOptions {
  readonly signal?: AbortSignal;
  /** Called with each file that is done. */
  onFile?(path: string): void;
}

export class UndoWrites {
  constructor(
    private readonly deps: UndoWriteDependencies,
    private readonly facts: UndoFactReader,
  ) {}

  /** Writes these files. Nothing is written for an empty list. */
  run(
    files: readonly FileRecord[],
    { signal, onFile }: UndoOptions,
  ): Promise<{ readonly written: readonly string[]; readonly left: readonly { readonly path: string; readonly reason: string }[] }> {
    return files.length === 0
      ? Promise.resolve({ written: [], left: [] })
      : this.deps.writer.run('undo', files, { ...(signal && { signal }), ...(onFile && { onFile }) });
  }

  /** Writes one file as a whole, where it is in the state `from`. */
  async replace(real: string, from: FileState, to: FileState): Promise<LeftReason | undefined> {
    const { deps } = this;
    if (!(await this.facts.isInPlace(real))) {
      return 'elsewhere';
    }
    const { state: before } = await deps.states.of(real, true);
    if (!sameState(before, from)) {
      return 'changed_since';
    }
    if (to.kind === 'unknown' || (to.kind === 'file' && !(await deps.store.has(to.hash)))) {
      return 'not_stored';
    }
    if (['unsaved', 'unsavedOther'].includes((await deps.editor.look(real)).state)) {
      return 'unsaved';
    }
    const end = deps.editor.writing([real]);
    try {
      const record = { path: real, before, after: to };
      const { written, left } = await this.run([record], {});
      await deps.editor.reloaded(written);
      if (written.length === 0 || !(await this.areOnDisk([record]))) {
        return leftReasonOf(left[0]?.reason);
      }
      deps.onWritten([real]);
      await deps.review.fileChanged(real);
      return undefined;
    } finally {
      end();
    }
  }

  /** Reads the files again: a report of an undo that did not happen would mislead the agent. */
  async areOnDisk(records: readonly FileRecord[]): Promise<boolean> {
    for (const { path: file, after } of records) {
      if (!sameState((await this.deps.states.of(file, true)).state, after)) {
        return false;
      }
    }
    return true;
  }
}

/** The reason of a write that was not made, by the writer's code. */
export function leftReasonOf(reason: string | undefined): LeftReason {
  switch (reason) {
    case 'changed':
      return 'changed_since';
    case 'outside':
      return 'elsewhere';
    case 'not_kept':
      return 'not_stored';
    case 'cancelled':
      return 'cancelled';
    default:
      return 'failed';
  }
}
