/** The texts of a file in the running turn, for display alone. The record at the end of the turn knows more, and decides what can be undone. */
import type { FileState } from '../../core/fileChanges/records';
import { isBelow } from '../disk/git';
import type { TextStep } from '../hunks/replayTurn';
import type { Turn } from './turn';

export interface RunningTexts {
  readonly turnId: string;
  /** True when the session has named the file in the turn. */
  readonly isNamed: boolean;
  /** The texts of the file's document, oldest first. The first one is that of the open document before its first change. */
  readonly steps: readonly TextStep[];
  /** Returns the state before the turn, as far as it is known by now. */
  before(): Promise<FileState | undefined>;
}

/** Returns undefined when no document has reported the file, or there were too many reports. */
export function runningTexts(turn: Turn, path: string): RunningTexts | undefined {
  const steps = turn.authors.edits.textsOf(path);
  return steps && { turnId: turn.turnId, isNamed: turn.announced.has(path), steps, before: () => stateBefore(turn, path) };
}

async function stateBefore({ announced, snapshots }: Turn, path: string): Promise<FileState | undefined> {
  const named = (await announced.get(path))?.state;
  if (named && named.kind !== 'unknown') {
    return named;
  }
  const [snapshot] = (await snapshots).filter(({ root }) => isBelow(path, root)).sort((one, other) => other.root.length - one.root.length);
  const [earlier] = (await snapshot?.before([path])) ?? [];
  return earlier?.state;
}
