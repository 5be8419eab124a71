/** Performs the writes of undos. Each is compared with the disk before and after. */
import { applyEdit, type TextEdit } from '../../core/fileChanges/hunks';
import { type FileRecord, type FileState, sameState } from '../../core/fileChanges/records';
import type { Review } from '../review/review';
import type { ObjectStore } from '../store/objectStore';
import type { FileStates } from '../turns/fileStates';
import { editDocument } from './documentEdits';
import type { UndoFactReader } from './undoFacts';
import type { LeftReason } from './undoPlan';
import type { FileWriter, UndoEditor } from './undoDependencies';

export interface UndoWriteDependencies {
  readonly review: Review;
  readonly states: FileStates;
  readonly store: ObjectStore;
  readonly writer: FileWriter;
  readonly editor: UndoEditor;
  /**
   * Called with the files that an undo wrote on disk: for every running turn these are the user's changes. Edits of documents are reported by their
   * events.
   */
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

  /** Writes these files. Nothing is written for an empty list, or where the intent cannot be recorded. */
  async run(files: readonly FileRecord[], { signal, onFile }: UndoOptions): Promise<Omit<Awaited<ReturnType<FileWriter['run']>>, 'id'>> {
    if (files.length === 0) {
      return { written: [], left: [] };
    }
    try {
      return await this.deps.writer.run('undo', files, { ...(signal && { signal }), ...(onFile && { onFile }) });
    } catch {
      return { written: [], left: files.map((file) => ({ path: file.path, reason: 'failed' })) };
    }
  }

  /**
   * Applies edits to a document like {@link editDocument}. A saved edit is recorded where the disk had `text` before and has the edited text
   * afterwards, so that a restore knows the file. A formatter that runs at the save, or another program, leaves no record.
   */
  async edit(file: string, text: string, edits: readonly TextEdit[], save: boolean): Promise<LeftReason | undefined> {
    const before = save ? await this.stateWith(file, text) : undefined;
    const reason = await editDocument(this.deps.editor, file, text, edits, save);
    const after = before && !reason ? await this.stateWith(file, edits.reduce(applyEdit, text)) : undefined;
    if (before && after && !sameState(before, after)) {
      // Without the record a restore asks about the file.
      await this.deps.writer.record([{ path: file, before, after }]).catch(() => undefined);
    }
    return reason;
  }

  /** Returns the state on disk if it has this text, as the editor reads it. */
  private async stateWith(file: string, text: string): Promise<FileState | undefined> {
    if (!(await this.facts.isInPlace(file))) {
      return undefined;
    }
    const { state } = await this.deps.states.of(file, true);
    return (await this.facts.textOf(file, state)) === text ? state : undefined;
  }

  /** Writes one file as a whole, if it has the state `from`. */
  async replace(real: string, from: FileState, to: FileState): Promise<LeftReason | undefined> {
    const { deps } = this;
    if (!(await this.facts.isInPlace(real))) {
      return 'elsewhere';
    }
    const { state: before, stat } = await deps.states.of(real, true);
    if (!sameState(before, from)) {
      return 'changed_since';
    }
    if (await this.facts.isOther(real, stat)) {
      return 'replaced';
    }
    if (to.kind === 'unknown' || (to.kind === 'file' && !(await deps.store.has(to.hash)))) {
      return 'not_stored';
    }
    if (['unsaved', 'unsavedOther'].includes((await deps.editor.look(real)).state)) {
      return 'unsaved';
    }
    const end = deps.editor.writing([real]);
    try {
      const record = { path: real, before, after: to, ...(stat && { inode: stat.ino }) };
      const { written, left } = await this.run([record], {});
      await deps.editor.reloaded(written);
      if (written.length === 0 || !(await this.statesOnDisk([record]))) {
        return leftReasonOf(left[0]?.reason);
      }
      deps.onWritten([real]);
      await deps.review.restored(real, before, to);
      return undefined;
    } finally {
      end();
    }
  }

  /** Reads files after they were written. Undefined when one of them does not have the expected state. */
  async statesOnDisk(records: readonly FileRecord[]): Promise<ReadonlyMap<string, FileState> | undefined> {
    const states = new Map<string, FileState>();
    for (const { path: file, after } of records) {
      const { state } = await this.deps.states.of(file, true);
      if (!sameState(state, after)) {
        return undefined;
      }
      states.set(file, state);
    }
    return states;
  }
}

/** Returns the reason of a failed write, by the writer's code. */
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
    case 'moved':
      return 'moved';
    default:
      return 'failed';
  }
}
