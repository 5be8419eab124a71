/** Finds the changes that a turn made to the file of one of its tool calls. */
import type { TurnFile } from '../fileChanges/turnFiles';
import { type SessionState, type Slot, type ToolCallEntry, isAbsent } from '../model/state';
import { shortPath } from './titles';
import { pathOf } from './toolTitle';

/** Entries before and after the call that are searched for the end of its turn and for other calls. */
const MAX_SEARCHED = 100;

/** Returns the file as the ended turn lists it; undefined when another call of the turn may have changed it, too. */
export function fileInTurn({ entries, cwd }: Pick<SessionState, 'entries' | 'cwd'>, call: ToolCallEntry): TurnFile | undefined {
  const path = pathOf(call);
  const from = entries.indexOf(call.entryId);
  if (path === undefined || from < 0) {
    return undefined;
  }
  const changesIt = (slot: Slot): boolean => {
    const other = slot.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
    return other !== undefined && other.toolKind !== 'read' && other.toolKind !== 'search' && sameFile(pathOf(other), path, cwd);
  };
  for (let index = from - 1; index >= 0; index--) {
    const slot = entries.at(index)!;
    if (from - index > MAX_SEARCHED || changesIt(slot)) {
      return undefined;
    }
    if (slot.kind === 'turn') {
      break;
    }
  }
  for (let index = from + 1; index < entries.length && index - from <= MAX_SEARCHED; index++) {
    const slot = entries.at(index)!;
    if (changesIt(slot)) {
      return undefined;
    }
    if (slot.kind === 'turn') {
      return isAbsent(slot) ? undefined : slot.changes?.files.find((file) => sameFile(file.path, path, cwd));
    }
  }
  return undefined;
}

function sameFile(path: string | undefined, other: string, cwd: string): boolean {
  return path !== undefined && shortPath(path, cwd) === shortPath(other, cwd);
}
