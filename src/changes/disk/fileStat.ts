/** The stat of a file, a link or a folder itself. */
import type { Stats } from 'node:fs';

export interface FileStat {
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  /** Bytes. */
  readonly size: number;
  /** The permission bits alone. */
  readonly mode: number;
  /** ms since the epoch, with fractions. */
  readonly mtimeMs: number;
  /** The time at which content, permissions or name last changed: no program can set it. */
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly ino: number;
  readonly dev: number;
  /** The number of names of the file. */
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
}

/** True when two stats describe the same file without a change in between. */
export function isSameFile(one: FileStat, other: FileStat): boolean {
  return (
    one.kind === other.kind &&
    one.dev === other.dev &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.mode === other.mode &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs
  );
}

export function toStat(stats: Stats): FileStat {
  const { size, mtimeMs, ctimeMs, birthtimeMs, ino, dev, nlink, uid, gid } = stats;
  return { kind: kindOf(stats), size, mode: stats.mode & 0o7777, mtimeMs, ctimeMs, birthtimeMs, ino, dev, nlink, uid, gid };
}

export function kindOf(entry: { isFile(): boolean; isSymbolicLink(): boolean; isDirectory(): boolean }): FileStat['kind'] {
  return entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'other';
}
