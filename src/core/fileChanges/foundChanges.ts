/** What was found on disk beside what the agent has told of a turn. Pure. */
import type { FileRecord } from './records';
import { MOST_TURN_FILES } from './turnChanges';
import type { TurnChanges, TurnFile } from './turnFiles';

/** What was found. */
export interface FoundChanges {
  /** By the paths that the agent named where it named them, else as the session names them. */
  readonly files: readonly FileRecord[];
  /** Paths that the agent named, of files that are as they were before the turn, or second names of one of `files`. */
  readonly unchanged: readonly string[];
}

/**
 * Both together, told once: of a file that was looked at the disk says what became of it, and of the others the agent alone. Undefined when nothing comes
 * new; without files when nothing is left of what was told.
 */
export function withFound(told: TurnChanges | undefined, { files: found, unchanged }: FoundChanges): TurnChanges | undefined {
  const isTold = new Set(told?.files.map(({ path }) => path));
  const gone = unchanged.filter((path) => isTold.has(path));
  if (found.length === 0 && gone.length === 0) {
    return undefined;
  }
  const files = new Map<string, TurnFile>((told?.files ?? []).map((file) => [file.path, file]));
  gone.forEach((path) => files.delete(path));
  for (const record of found) {
    const known = files.get(record.path);
    files.set(record.path, { ...turnFileOf(record), ...(known?.hasText && { hasText: true as const }) });
    if (record.oldPath !== undefined) {
      files.delete(record.oldPath);
    }
  }
  const all = [...files.values()];
  const more = all.length - MOST_TURN_FILES + (told?.more ?? 0);
  return { files: all.slice(0, MOST_TURN_FILES), ...(more > 0 && { more }) };
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
