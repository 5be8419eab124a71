/** Finds the files whose content is on the disk only under another name, and the order in which a run moves it back. Pure. */
import path from 'node:path';
import type { ChangeRecord, FileRecord, FileState } from '../core/fileChanges/records';

/** For each path, groups of paths that get content back that is now at this path. One path of each group must be written before this path. */
export type Origins = ReadonlyMap<string, readonly (readonly string[])[]>;

/** True when each content at the path has been restored to its place. @param isWritten true for a path that has it */
export function hasOrigins(origins: Origins, file: string, isWritten: (origin: string) => boolean): boolean {
  return origins.get(file)?.every((group) => group.some(isWritten)) ?? true;
}

export function mergedOrigins(one: Origins, other: Origins): Origins {
  return new Map([...one, ...[...other].map(([file, groups]) => [file, [...(one.get(file) ?? []), ...groups]] as const)]);
}

/** Identifies a content that can be lost; undefined for an empty file, for a folder, and where nothing exists. */
export function contentKey(state: FileState): string | undefined {
  return state.kind === 'link' ? `link ${state.target}` : state.kind === 'file' && state.size > 0 ? state.hash : undefined;
}

/**
 * True when a content of `size` bytes can hold the earlier version of another file, which has no copy and is known by its size alone.
 * @param isAway nothing, or a link, is at the path of the other file. A moved file may have been edited since, so a version that was too large to copy
 * may then be in any content of half its size
 */
export function canHold(size: number, earlier: FileState, isAway: boolean): boolean {
  if (earlier.kind !== 'unknown' || !earlier.size) {
    return false;
  }
  const isLarge = earlier.reason === 'too_large' || earlier.reason === 'limit';
  return isAway && isLarge ? size >= earlier.size / 2 : size === earlier.size;
}

/** True for a file with less than half of the bytes that the wanted version had, so that these can be in another file. */
function isCut({ before, after }: FileRecord): boolean {
  return before.kind === 'file' && after.kind === 'unknown' && after.size !== undefined && before.size < after.size / 2;
}

/**
 * @param files each with the present state as `before`, and the wanted one as `after`
 * @param records of the session, which name the moves
 */
export function originsOf(files: readonly FileRecord[], records: readonly ChangeRecord[]): Origins {
  const byContent = new Map<string, FileRecord[]>();
  for (const file of files) {
    const key = contentKey(file.after);
    void (key !== undefined && byContent.set(key, [...(byContent.get(key) ?? []), file]));
  }
  // A content without a copy that is not at its path can only be at the path that it was moved to.
  const lost = files.filter(({ before, after }) => after.kind === 'unknown' && !(before.kind === 'file' && before.size === after.size));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const [back, forth] = movesOf(records);
  const origins = new Map<string, readonly (readonly string[])[]>();
  for (const { path: file, before, after } of files) {
    const key = contentKey(before);
    if (before.kind === 'none' || before.kind === 'unknown' || isSameContent(before, after)) {
      continue;
    }
    const held =
      before.kind === 'file' ? lost.filter((other) => canHold(before.size, other.after, isNoFile(other.before) || isCut(other))) : [];
    const same = [...(byContent.get(key ?? '') ?? []), ...held].filter((other) => other.path !== file);
    const moved = follow(back, file, byPath) ?? follow(forth, file, byPath);
    const found = same.length > 0 ? same : after.kind === 'none' && moved ? [moved] : [];
    // When one of them has the content already, nothing depends on this path.
    if (found.length > 0 && !found.some((other) => isSameContent(other.before, other.after))) {
      origins.set(file, [found.map((other) => other.path)]);
    }
  }
  return origins;
}

/**
 * Returns the files of a run that can be written next. Files come after their origins, and a file or folder after those still in its place. When they
 * wait for each other, all are returned.
 */
export function nextWave(open: readonly FileRecord[], origins: Origins): readonly FileRecord[] {
  const paths = new Set(open.map((file) => file.path));
  const waiting = new Set(open.filter((file) => origins.get(file.path)?.some((group) => group.some((origin) => paths.has(origin)))));
  if (waiting.size === 0) {
    return open;
  }
  const deleted = new Set([...waiting].filter(({ after }) => after.kind === 'none').map((file) => file.path));
  const above = new Set([...deleted].flatMap(foldersOf));
  const isBlocked = ({ path: file, after }: FileRecord): boolean =>
    after.kind !== 'none' && (above.has(file) || foldersOf(file).some((folder) => deleted.has(folder)));
  const wave = open.filter((file) => !waiting.has(file) && !isBlocked(file));
  return wave.length > 0 ? wave : open;
}

/** Returns the moves of turns, from the new path to the old one and the other way. */
function movesOf(records: readonly ChangeRecord[]): readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>] {
  const [back, forth] = [new Map<string, string>(), new Map<string, string>()];
  for (const record of records) {
    for (const { path: file, oldPath } of record.type === 'turn' ? record.files : []) {
      if (oldPath !== undefined) {
        back.set(file, oldPath);
        forth.set(oldPath, file);
      }
    }
  }
  return [back, forth];
}

/** Returns the first file along the moves that the run restores. */
function follow(moves: ReadonlyMap<string, string>, from: string, files: ReadonlyMap<string, FileRecord>): FileRecord | undefined {
  const seen = new Set([from]);
  for (let at = moves.get(from); at !== undefined && !seen.has(at); at = moves.get(at)) {
    seen.add(at);
    const file = files.get(at);
    if (file && file.after.kind !== 'none') {
      return file;
    }
  }
  return undefined;
}

/** True for a path at which nothing is, or a link. */
export function isNoFile({ kind }: FileState): boolean {
  return kind === 'none' || kind === 'link';
}

function isSameContent(one: FileState, other: FileState): boolean {
  return one.kind === other.kind && (one.kind === 'file' ? one.hash === (other as typeof one).hash : contentKey(one) === contentKey(other));
}

/** Returns the folders above a path. */
function foldersOf(file: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at)) {
    folders.push(at);
  }
  return folders;
}
