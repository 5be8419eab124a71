/** What was found on disk beside what the agent has told of a turn. Pure. */
import type { FileRecord } from './records';
import { MOST_TURN_FILES } from './turnChanges';
import type { TurnChanges, TurnFile } from './turnFiles';

/** Both together: of a file that was found the disk says what became of it; the texts stay those that were told. Undefined when nothing comes new. */
export function withFound(told: TurnChanges | undefined, found: readonly FileRecord[]): TurnChanges | undefined {
  if (found.length === 0) {
    return undefined;
  }
  const files = new Map<string, TurnFile>((told?.files ?? []).map((file) => [file.path, file]));
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

function turnFileOf({ path, oldPath, before, after, added, removed }: FileRecord): TurnFile {
  const operation = oldPath !== undefined ? 'move' : before.kind === 'none' ? 'add' : after.kind === 'none' ? 'delete' : 'modify';
  return {
    path,
    operation,
    ...(oldPath !== undefined && { oldPath }),
    ...(added !== undefined && { added }),
    ...(removed !== undefined && { removed }),
  };
}
