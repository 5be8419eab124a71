/**
 * Determines the author of a change when several sessions of the window work in one folder, or the user restores files of one while another works.
 */
import type { FileState } from '../../core/fileChanges/records';
import { isBelow } from '../disk/git';

interface RunningTurn {
  readonly sessionKey: string;
  readonly roots: readonly string[];
  readonly from: number;
  to: number;
}

/** A file that the user's restore or undo has written. */
export interface RestoredFile {
  readonly at: number;
  readonly state: FileState;
}

/** The most files whose touches are remembered, touches of one file, and turns. */
const MAX_FILES = 10_000;
const MAX_TOUCHES = 200;
const MAX_TURNS = 200;

/** One instance for the window. */
export class Attribution {
  /** Times in ms since the epoch, by file and session. The file touched last comes last. */
  private readonly touches = new Map<string, Map<string, number[]>>();
  private readonly restores = new Map<string, readonly RestoredFile[]>();
  private turns: RunningTurn[] = [];

  /** Called when a tool call or a write of this session named the file. */
  touched(sessionKey: string, file: string, at: number): void {
    const sessions = this.touches.get(file) ?? new Map<string, number[]>();
    const times = sessions.get(sessionKey) ?? [];
    sessions.set(sessionKey, [...times.slice(1 - MAX_TOUCHES), at]);
    keepNewest(this.touches, file, sessions);
  }

  /** Called when the user's restore or undo, in any session, has written the file. */
  restored(file: string, restored: RestoredFile): void {
    keepNewest(this.restores, file, [...(this.restores.get(file) ?? []).slice(1 - MAX_TOUCHES), restored]);
  }

  /** Returns the last restore of a file in this time, in ms since the epoch. */
  restoredIn(file: string, from: number, to: number): RestoredFile | undefined {
    return this.restores.get(file)?.findLast(({ at }) => at >= from && at <= to);
  }

  /** Returns a function that ends the turn. */
  turnStarted(sessionKey: string, roots: readonly string[], from: number): (to: number) => void {
    const turn: RunningTurn = { sessionKey, roots, from, to: Infinity };
    this.turns = [...this.turns.slice(1 - MAX_TURNS), turn];
    return (to) => (turn.to = to);
  }

  /**
   * Returns `own` when no other session can have made the change, and `other` when only another session named the file. Returns `shared` when either
   * may have made it.
   * @param from the time of the turn, in ms since the epoch
   */
  of(sessionKey: string, file: string, from: number, to: number): 'own' | 'other' | 'shared' {
    const touched = this.namedBy(file, from, to);
    if (touched.includes(sessionKey)) {
      return touched.length > 1 ? 'shared' : 'own';
    }
    if (touched.length > 0) {
      return 'other';
    }
    return this.hasOthers(sessionKey, file, from, to) ? 'shared' : 'own';
  }

  /** The other sessions that named the file in this time. */
  othersOn(sessionKey: string, file: string, from: number, to: number): readonly string[] {
    return this.namedBy(file, from, to).filter((key) => key !== sessionKey);
  }

  private namedBy(file: string, from: number, to: number): readonly string[] {
    return [...(this.touches.get(file) ?? [])].flatMap(([key, times]) => (times.some((at) => at >= from && at <= to) ? [key] : []));
  }

  /** True when another session's turn ran in the file's folder at this time. */
  hasOthers(sessionKey: string, file: string, from: number, to: number): boolean {
    return this.turns.some(
      (turn) =>
        turn.sessionKey !== sessionKey &&
        turn.from <= to &&
        turn.to >= from &&
        turn.roots.some((root) => file === root || isBelow(file, root)),
    );
  }
}

function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_FILES) {
    map.delete(map.keys().next().value!);
  }
}
