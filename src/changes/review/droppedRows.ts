/** The rows that restores and undos have dropped from a review or changed. The reversal brings them back: other files may hold the only copy. */
import { type FileState, sameState } from '../../core/fileChanges/records';
import type { ReviewFile } from './reviewFile';

export interface DroppedRow {
  readonly file: ReviewFile;
  /** The state that the restore or undo has replaced. Only an action that writes it again brings the row back. */
  readonly from: FileState;
}

export class DroppedRows {
  private readonly byPath = new Map<string, DroppedRow>();

  get rows(): readonly DroppedRow[] {
    return [...this.byPath.values()];
  }

  /** True when {@link take} returns a row. */
  fits(path: string, to: FileState): boolean {
    const row = this.byPath.get(path);
    return row !== undefined && sameState(row.from, to);
  }

  add(row: DroppedRow): void {
    this.byPath.set(row.file.path, row);
  }

  /** @param oldPath the path that a file was moved from */
  forget(path: string, oldPath = path): void {
    this.byPath.delete(path);
    this.byPath.delete(oldPath);
  }

  clear(): void {
    this.byPath.clear();
  }

  /** Removes the row of a file and returns it when the file has the state `to` from before the restore or undo again. */
  take(path: string, to: FileState): ReviewFile | undefined {
    const row = this.byPath.get(path);
    this.byPath.delete(path);
    return row && sameState(row.from, to) ? row.file : undefined;
  }
}
