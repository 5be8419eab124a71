/** The facts that a recorder gathers while a turn runs. */
import type { FileState } from '../../core/fileChanges/records';
import type { FileStat } from '../disk/diskFiles';
import type { Since, Snapshot, Trouble } from './snapshot';
import type { ReportedChange } from './textBefore';
import type { TurnAuthors } from './turnAuthors';

export interface OpenText {
  /** Real. */
  readonly path: string;
  /** Unsaved changes: the text is not on the disk. */
  readonly isDirty: boolean;
  /** The bytes that a save would write. */
  bytes(): Promise<Uint8Array>;
}

/** A file when a tool call or a write first named it. */
export interface Announced {
  /** ms since the epoch, not after `present` was read. */
  readonly at: number;
  /** The state when the turn began, as far as it was still certain. */
  readonly state: FileState;
  /** The state at the moment of the announcement. */
  readonly present: FileState;
  readonly stat: FileStat | undefined;
}

export interface Turn {
  readonly turnId: string;
  /** ms since the epoch. */
  readonly since: number;
  /** -Infinity when the clock was set back since the turn began. */
  readonly moment: Since;
  readonly roots: readonly string[];
  readonly snapshots: Promise<readonly Snapshot[]>;
  /** By real path. */
  readonly announced: Map<string, Promise<Announced>>;
  /** The changes that the agent reported, by real path, in order. */
  readonly told: Map<string, readonly ReportedChange[]>;
  /** Real paths, by the names that the agent used. */
  readonly named: Map<string, string>;
  readonly authors: TurnAuthors;
  readonly open: ReadonlyMap<string, OpenText>;
  /** Documents with unsaved changes when the turn began. */
  readonly dirty: ReadonlySet<string>;
  readonly naming: Set<Promise<void>>;
  readonly troubles: Trouble[];
  readonly ended: (to: number) => void;
}

/** ms that the clock may go back without notice. */
const CLOCK_STEP = 50;

/**
 * Returns the moment when a turn began, as `now` reports it. Once the clock was set back, a file that is written afterwards looks older than the turn:
 * from then on the moment is -Infinity.
 */
export function momentOf(since: number, now: () => number): () => number {
  const [begin, monotonic] = [now(), performance.now()];
  let isSetBack = since > begin + CLOCK_STEP;
  return () => {
    isSetBack ||= now() < begin + (performance.now() - monotonic) - CLOCK_STEP;
    return isSetBack ? -Infinity : since;
  };
}
