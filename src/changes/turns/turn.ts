/** The facts that a recorder collects while a turn runs. */
import type { FileState } from '../../core/fileChanges/records';
import type { FileStat } from '../disk/diskFiles';
import type { Since, FilesSnapshot, Trouble } from './filesSnapshot';
import type { AgentReports } from './agentReports';
import type { OpenText, ShownFiles } from './shownFiles';
import type { TurnAuthors, UserFact } from './turnAuthors';

/** A file when a tool call or a write first named it. */
export interface Announced {
  /** ms since the epoch, not after `present` was read. */
  readonly at: number;
  /** The state at the beginning of the turn, as far as it was still certain. */
  readonly state: FileState;
  /** The state at the time of the announcement. */
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
  readonly snapshots: Promise<readonly FilesSnapshot[]>;
  /** True for a turn that an earlier window has begun. The files that were named there are in `announced` when `snapshots` resolves. */
  readonly isContinued: boolean;
  /** The time when the snapshots were complete, in ms since the epoch. */
  copiedAt?: number;
  /** Announced files by real path. */
  readonly announced: Map<string, Promise<Announced>>;
  readonly reports: AgentReports;
  /** Real paths, by the names that the agent used. */
  readonly named: Map<string, string>;
  readonly authors: TurnAuthors;
  /** The user's actions, for a later window. Empty unless the agent outlives the window. */
  readonly userFacts: UserFact[];
  readonly open: ReadonlyMap<string, OpenText>;
  /** The files of the open documents, compared with the disk. */
  readonly shown: ShownFiles;
  /** Documents with unsaved changes when the turn began. */
  readonly dirty: ReadonlySet<string>;
  readonly naming: Set<Promise<void>>;
  readonly troubles: Trouble[];
  readonly ended: (to: number) => void;
}

/** ms by which the clock may go back without being noticed. */
const CLOCK_STEP = 50;

/**
 * Returns the time when a turn began, as `now` reports it. After the clock was set back, a file that is written later looks older than the turn, so
 * the result is -Infinity from then on.
 */
export function momentOf(since: number, now: () => number): () => number {
  const [begin, monotonic] = [now(), performance.now()];
  let isSetBack = since > begin + CLOCK_STEP;
  return () => {
    isSetBack ||= now() < begin + (performance.now() - monotonic) - CLOCK_STEP;
    return isSetBack ? -Infinity : since;
  };
}
