/** Finds the subagents that changed the files which wait for review. */
import type { PendingChanges } from '../fileChanges/pendingChanges';
import type { TurnFile, WrittenFile } from '../fileChanges/turnFiles';
import { isAbsent, type SessionState } from '../model/state';

/** Entries that are searched for the turns that changed the files. */
const MAX_SEARCHED = 5000;

/**
 * Adds to each file the subagents of the newest turn that changed it. A turn without them adds none, because the agent itself made the newest change.
 */
export function withFileSubagents(changes: PendingChanges | undefined, state: SessionState): PendingChanges | undefined {
  if (!changes || !state.subagents) {
    return changes;
  }
  const found = new Map<string, readonly string[]>();
  const left = new Set(changes.files.map(({ path }) => path));
  const take = (files: readonly (TurnFile | WrittenFile)[]): void => {
    for (const { path, subagents } of files) {
      if (left.delete(path) && subagents) {
        found.set(path, subagents);
      }
    }
  };
  const { entries, turn } = state;
  take(turn?.written ?? []);
  for (let index = entries.length - 1; index >= 0 && left.size > 0 && entries.length - index <= MAX_SEARCHED; index--) {
    const slot = entries.headAt(index)!.kind === 'turn' ? entries.at(index)! : undefined;
    if (slot?.kind === 'turn' && !isAbsent(slot)) {
      take(slot.changes?.files ?? slot.written ?? []);
    }
  }
  return found.size === 0
    ? changes
    : {
        ...changes,
        files: changes.files.map((file) => (found.has(file.path) ? { ...file, subagents: [...found.get(file.path)!] } : file)),
      };
}
