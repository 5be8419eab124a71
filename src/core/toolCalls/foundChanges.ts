/** Combines the changes found on disk with those that the agent reported for a turn. Pure. */
import { withSubagents } from '../fileChanges/fileAuthors';
import type { FileRecord } from '../fileChanges/records';
import { MAX_TURN_FILES } from './turnChanges';
import type { TurnChanges, TurnFile } from '../fileChanges/turnFiles';

/** The changes found on disk. */
export interface FoundChanges {
  /** The changed files, by the agent's path where the agent named them, otherwise by the session's. */
  readonly files: readonly FileRecord[];
  /** Paths that the agent named of files that equal their state before the turn, or that are second names of one of `files`. */
  readonly unchanged: readonly string[];
}

/**
 * Merges both, each file once. The disk decides about the files that were checked, the agent's report about the others. Undefined when the disk adds
 * nothing. The list is empty when the disk refutes everything that was reported.
 */
export function withFound(reported: TurnChanges | undefined, { files: found, unchanged }: FoundChanges): TurnChanges | undefined {
  const isReported = new Set(reported?.files.map(({ path }) => path));
  const gone = unchanged.filter((path) => isReported.has(path));
  if (found.length === 0 && gone.length === 0) {
    return undefined;
  }
  const files = new Map<string, TurnFile>((reported?.files ?? []).map((file) => [file.path, file]));
  gone.forEach((path) => files.delete(path));
  for (const record of found) {
    const known = files.get(record.path);
    const moved = record.oldPath === undefined ? undefined : files.get(record.oldPath);
    files.set(record.path, { ...turnFileOf(record), ...(known?.hasText && { hasText: true as const }), ...withSubagents(known, moved) });
    if (record.oldPath !== undefined) {
      files.delete(record.oldPath);
    }
  }
  const all = [...files.values()];
  const more = all.length - MAX_TURN_FILES + (reported?.more ?? 0);
  return { files: all.slice(0, MAX_TURN_FILES), ...(more > 0 && { more }) };
}

function turnFileOf({ path, oldPath, before, after, binary, added, removed }: FileRecord): TurnFile {
  const operation = oldPath !== undefined ? 'move' : before.kind === 'none' ? 'add' : after.kind === 'none' ? 'delete' : 'modify';
  const isText = !binary && [before, after].every((state) => state.kind === 'none' || (state.kind === 'file' && state.kept));
  return {
    path,
    operation,
    ...(oldPath !== undefined && { oldPath }),
    ...(added !== undefined && { added }),
    ...(removed !== undefined && { removed }),
    ...(isText && { kept: true as const }),
    ...(before.kind === 'unknown' && { noBefore: true as const }),
  };
}
