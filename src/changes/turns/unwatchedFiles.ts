/**
 * The files of a continued turn that had changed before this window recorded it. The user may have written them meanwhile, and nothing has noticed it.
 * Such a file is the agent's alone only where the changes that the agent reports lead from the text before the turn to the present one.
 */
import type { ChangedByTurn } from './turnAuthors';
import type { Baseline } from './storedBaseline';
import { type FileStates, isSameStat } from './fileStates';
import { type ReportedChange, textBefore } from './textBefore';

export class UnwatchedFiles {
  /** @param paths real; undefined where they could not be found out @param reported the agent's changes by real path, which grow with the turn */
  constructor(
    private readonly paths: Promise<ReadonlySet<string> | undefined>,
    private readonly reported: ReadonlyMap<string, readonly ReportedChange[]>,
  ) {}

  /** True for a file that another author may have written before this window recorded the turn. */
  async isUnclear({ path, before, texts }: Pick<ChangedByTurn, 'path' | 'before' | 'texts'>): Promise<boolean> {
    const paths = await this.paths;
    if (paths && !paths.has(path)) {
      return false;
    }
    const reported = this.reported.get(path);
    const { before: earlier, after } = await texts();
    const start = reported?.length && after !== undefined ? textBefore(after, reported) : undefined;
    return start === undefined || (before.kind === 'none' ? start !== null && start !== '' : start !== earlier);
  }
}

/** Returns the files that differ now from a baseline; undefined where that cannot be found out. */
export async function changedSince({ snapshots, announced }: Baseline, states: FileStates): Promise<ReadonlySet<string> | undefined> {
  try {
    const found = new Set<string>();
    for (const snapshot of snapshots) {
      for (const { path, oldPath } of await snapshot.changed()) {
        found.add(path).add(oldPath ?? path);
      }
    }
    for (const [path, { stat }] of announced) {
      const now = await states.files.stat(path);
      if (stat && now ? !isSameStat(stat, now) : stat !== now) {
        found.add(path);
      }
    }
    return found;
  } catch {
    return undefined;
  }
}
