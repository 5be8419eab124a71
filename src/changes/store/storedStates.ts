/**
 * Checks file states and records that are read from the disk. A damaged or manipulated store must not lead to a wrong write. Entries are built again
 * from the known properties. A state that is not valid becomes unknown, so that nothing is written for it.
 */
import path from 'node:path';
import type { ChangeRecord, FileRecord, FileState, UnknownReason } from '../../core/fileChanges/records';

/** An object with any properties. */
export type Fields = { readonly [Name in string]?: unknown };

const REASONS: readonly unknown[] = ['late', 'too_large', 'limit', 'unreadable', 'filtered', 'unproven'] satisfies readonly UnknownReason[];
const UNKNOWN: FileState = { kind: 'unknown', reason: 'unreadable' };
const SEPARATORS = path.sep === '/' ? '/' : /[\\/]/;
const MODE_BITS = 0o7777;
type Flag = { [Name in keyof FileRecord]-?: NonNullable<FileRecord[Name]> extends boolean ? Name : never }[keyof FileRecord];
/** Lists all of them, which the compiler checks: a property that is missing here is lost with a reload. */
const FLAGS = Object.keys({ binary: true, shared: true, userEdits: true, relinked: true } satisfies Record<Flag, true>) as readonly Flag[];

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** True for an inode. Those of Windows can be larger than the safe integers. */
function isInode(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** True for a path in the form that the product writes: absolute, without `..` or a NUL. Git reports paths with slashes on Windows, too. */
export function isStoredPath(value: unknown): value is string {
  return typeof value === 'string' && path.isAbsolute(value) && !value.includes('\0') && !value.split(SEPARATORS).includes('..');
}

/** Returns the strings of an array; empty when it is not an array of strings. */
export function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : [];
}

/** Returns the stored state; `unknown` when it is not valid. */
export function storedState(value: unknown): FileState {
  if (!isObject(value)) {
    return UNKNOWN;
  }
  const { kind, hash, size, mode, kept, target, reason } = value;
  switch (kind) {
    case 'none':
      return { kind };
    case 'file':
      return typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && isCount(size) && isCount(mode)
        ? { kind, hash, size, mode: mode & MODE_BITS, kept: kept === true }
        : UNKNOWN;
    case 'link':
      return typeof target === 'string' && target !== '' && !target.includes('\0') ? { kind, target } : UNKNOWN;
    default:
      return kind === 'unknown' && REASONS.includes(reason)
        ? { kind, reason: reason as UnknownReason, ...(isCount(size) && { size }) }
        : UNKNOWN;
  }
}

/** Returns the stored record; undefined when it is not valid. Files without a valid path are left out. */
export function storedRecord(value: unknown): ChangeRecord | undefined {
  if (!isObject(value) || typeof value['at'] !== 'number') {
    return undefined;
  }
  const { type, at, turnId, restoreId, undoId, id, written, left, inodes } = value;
  const { during } = value;
  const more = { ...(value['ends'] === true && { ends: true as const }), ...(typeof during === 'string' && { during }) };
  const files = filesIn(value['files']);
  switch (type) {
    case 'checkpoint':
      return typeof turnId === 'string' ? { type, turnId, at } : undefined;
    case 'turn':
      return typeof turnId === 'string' && files ? { type, turnId, at, files } : undefined;
    case 'restore':
      return typeof restoreId === 'string' && files ? { type, restoreId, at, files, ...more } : undefined;
    case 'undo':
      return typeof undoId === 'string' && files ? { type, undoId, at, files, ...more } : undefined;
    case 'done':
      return typeof id === 'string'
        ? {
            type,
            id,
            at,
            written: stringsIn(written),
            ...(Array.isArray(inodes) && inodes.every(isInode) && { inodes }),
            left: stringsIn(left),
          }
        : undefined;
    default:
      return undefined;
  }
}

function filesIn(value: unknown): readonly FileRecord[] | undefined {
  return Array.isArray(value) ? value.flatMap((each) => fileIn(each) ?? []) : undefined;
}

function fileIn(value: unknown): FileRecord | undefined {
  if (!isObject(value) || !isStoredPath(value['path'])) {
    return undefined;
  }
  const { path: name, oldPath, before, after, added, removed, sharedWith, inode } = value;
  const isMoved = isStoredPath(oldPath);
  return {
    path: name as string,
    ...(isMoved && { oldPath }),
    // Without the path that it was moved from, the earlier state belongs to no file.
    before: oldPath === undefined || isMoved ? storedState(before) : UNKNOWN,
    after: storedState(after),
    ...Object.fromEntries(FLAGS.flatMap((flag) => (typeof value[flag] === 'boolean' ? [[flag, value[flag]]] : []))),
    ...(sharedWith !== undefined && { sharedWith: stringsIn(sharedWith) }),
    ...(isInode(inode) && { inode }),
    ...(isCount(added) && { added }),
    ...(isCount(removed) && { removed }),
  };
}
