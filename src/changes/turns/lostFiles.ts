/** Protects files that may hold the content of a file without a copy, because the turn may have edited such a file and renamed it. */
import type { FileRecord } from '../../core/fileChanges/records';
import { Pace } from '../disk/pace';
import type { ChangedState } from './creations';
import { INODE_BITS, isStored } from './creations';
import type { GoneFile } from './filesSnapshot';

/** The factor, and the bytes, by which edits may have changed the size of a content. */
const FACTOR = 2;
const BYTES = 512;

/** A file whose content is no longer at its path, and in no copy. */
interface LostFile {
  readonly path: string;
  readonly size: number;
}

/**
 * @param gone missing ignored files. A program can make those of ignored folders again, and they change too often to be compared
 * @param unrestorable paths that have a copy of this turn alone, which an undo of all turns does not use
 */
export function lostFiles(
  changed: readonly ChangedState[],
  gone: readonly GoneFile[],
  unrestorable: ReadonlySet<string> = new Set(),
): readonly LostFile[] {
  const lost = changed.flatMap(({ path, earlier, after, stat }): LostFile[] => {
    const { size = 0, ino, state } = earlier;
    const isSame = stat?.kind === 'file' && ino !== undefined && ino % INODE_BITS === stat.ino % INODE_BITS && stat.size * FACTOR >= size;
    return state.kind === 'none' || (isStored(state) && !unrestorable.has(path)) || size === 0 || (after.kind !== 'none' && isSame)
      ? []
      : [{ path, size }];
  });
  const single = gone.filter(({ isInFolder, size }) => !isInFolder && size > 0);
  return [...lost, ...single.map(({ path, size }) => ({ path, size }))];
}

/**
 * Marks records as shared whose file got about as much new content as a lost file had. Its content cannot be compared, so an undo of such a record
 * might take the only copy.
 * @param newBytes reads the bytes of a record's file that its earlier version does not have; undefined where they are not known
 */
export async function withLostContents(
  records: readonly FileRecord[],
  lost: readonly LostFile[],
  newBytes: (record: FileRecord) => Promise<number | undefined>,
): Promise<readonly FileRecord[]> {
  if (lost.length === 0) {
    return records;
  }
  const least = Math.min(...lost.map(({ size }) => Math.min(size / FACTOR, Math.max(1, size - BYTES))));
  const pace = new Pace();
  const found: FileRecord[] = [];
  for (const record of records) {
    const { path, before, after, shared } = record;
    const isCandidate = !shared && before.kind !== 'unknown' && after.kind === 'file' && after.size >= least;
    const size = isCandidate ? await newBytes(record) : undefined;
    const holds = size !== undefined && lost.some((file) => file.path !== path && isNear(size, file.size));
    found.push(holds ? { ...record, shared: true } : record);
    await pace.heavyStep();
  }
  return found;
}

function isNear(size: number, lost: number): boolean {
  return size > 0 && ((size * FACTOR >= lost && size <= FACTOR * lost) || Math.abs(size - lost) <= BYTES);
}

/** Returns the bytes of the lines that are only in `after`. */
export function newLineBytes(before: Uint8Array | undefined, after: Uint8Array): number {
  if (before === undefined || before.length === 0) {
    return after.length;
  }
  const known = new Set(linesOf(before));
  return linesOf(after).reduce((sum, line) => (known.has(line) ? sum : sum + line.length + 1), 0);
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return Buffer.from(bytes).toString('latin1').split('\n');
}
