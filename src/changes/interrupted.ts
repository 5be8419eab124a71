/** Finds the restores and undos that a crash interrupted, and recognizes files that it left half-written. */
import type { ChangeRecord, FileRecord } from '../core/fileChanges/records';
import { isTorn } from './disk/inPlace';
import type { PresentFile } from './presentFile';
import type { ObjectStore } from './store/objectStore';

export interface Interrupted {
  readonly type: 'restore' | 'undo';
  readonly id: string;
  /** The files of the intent that have no end. */
  readonly files: readonly FileRecord[];
  /** Paths that must not be written: later records have touched them. */
  readonly closed: ReadonlySet<string>;
  /** True when the session continued after it, so that nothing of it is repeated. */
  readonly isSuperseded: boolean;
}

/** Returns the interrupted runs, oldest first. */
export function interrupted(records: readonly ChangeRecord[]): readonly Interrupted[] {
  return records.flatMap((record, index): readonly Interrupted[] => {
    if ((record.type !== 'restore' && record.type !== 'undo') || !record.ends) {
      return [];
    }
    const id = record.type === 'restore' ? record.restoreId : record.undoId;
    const later = records.slice(index + 1);
    const ended = new Set(later.flatMap((each) => (each.type === 'done' && each.id === id ? [...each.written, ...each.left] : [])));
    const files = record.files.filter((file) => !ended.has(file.path));
    if (files.length === 0) {
      return [];
    }
    const isSuperseded = later.some(({ type }) => type === 'checkpoint' || type === 'turn');
    const touched = later.flatMap((each) => ('files' in each ? each.files.flatMap(({ path, oldPath }) => [path, oldPath ?? path]) : []));
    const closed = new Set(isSuperseded ? files.map(({ path }) => path) : touched);
    return [{ type: record.type, id, files, closed, isSuperseded }];
  });
}

/**
 * True when the file may be the result of an interrupted write, and nothing else is lost when it is written again.
 * @param wasInPlace true when there is a trace of a write into the file itself
 */
export async function isHalfWritten(
  { before, after }: FileRecord,
  { state, stat, bytes }: PresentFile,
  store: ObjectStore,
  wasInPlace: () => Promise<boolean>,
): Promise<boolean> {
  if (state.kind !== 'file' || before.kind !== 'file' || after.kind !== 'file' || !bytes) {
    return false;
  }
  // The content was written, but not the permissions.
  if (state.hash === after.hash) {
    return true;
  }
  const [old, wanted] = [await store.get(before.hash), await store.get(after.hash)];
  return old !== undefined && wanted !== undefined && isTorn(bytes, old, wanted, stat!.nlink > 1 && (await wasInPlace()));
}
