/**
 * The files of a continued turn that had changed before this window recorded it. The user may have written them meanwhile, and nothing has noticed it.
 * Such a file is the agent's alone only where the agent's own accounts lead exactly from the state before the turn to the present one.
 */
import { type FileState, sameState } from '../../core/fileChanges/records';
import { isBelow } from '../disk/git';
import { type AgentReports, textKey } from './agentReports';
import { textBefore, textsBefore } from './textBefore';

interface ChangedTexts {
  readonly path: string;
  /** The state before the turn. */
  readonly before: FileState;
  readonly after: FileState;
  /** Reads the texts before and after the turn. */
  texts(): Promise<{ readonly before: string | undefined; readonly after: string | undefined }>;
  /** Returns the state of another file before the turn. */
  stateBefore(path: string): FileState | undefined;
  /** Returns the state of another file after the turn. */
  stateAfter(path: string): FileState | undefined;
}

export class UnwatchedFiles {
  /** @param paths real; undefined where they could not be found out @param reports of the turn, which grow with it */
  constructor(
    private readonly paths: Promise<ReadonlySet<string> | undefined>,
    private readonly reports: AgentReports,
  ) {}

  /** True for a file that changed before this window recorded the turn, and where that is not known. */
  async has(file: string): Promise<boolean> {
    return (await this.paths)?.has(file) ?? true;
  }

  /** True for a file that another author may have written before this window recorded the turn. */
  async isUnclear(change: ChangedTexts): Promise<boolean> {
    if (!(await this.has(change.path))) {
      return false;
    }
    if (change.after.kind === 'none') {
      return !this.isDeleted(change) && !this.isMovedAway(change);
    }
    return !this.isMovedHere(change) && !(await this.isWritten(change));
  }

  private isDeleted({ path: file }: ChangedTexts): boolean {
    return this.reports.deleted.has(file) || [...this.reports.deleted].some((folder) => isBelow(file, folder));
  }

  /** True when the agent reported the move of the file, and its content is at the new path. */
  private isMovedAway({ path: file, before, stateAfter }: ChangedTexts): boolean {
    return [...this.reports.movedFrom].some(([to, from]) => {
      const moved = file === from || isBelow(file, from) ? stateAfter(to + file.slice(from.length)) : undefined;
      return moved !== undefined && sameState(before, moved);
    });
  }

  private isMovedHere({ path: file, before, after, stateBefore, stateAfter }: ChangedTexts): boolean {
    return [...this.reports.movedFrom].some(([to, from]) => {
      const old = file === to || isBelow(file, to) ? from + file.slice(to.length) : undefined;
      const earlier = old === undefined ? undefined : stateBefore(old);
      return before.kind === 'none' && earlier !== undefined && sameState(earlier, after) && stateAfter(old!)?.kind === 'none';
    });
  }

  /** True when the reported changes, the host's writes, or reported changes after the host's writes lead to the present text. */
  private async isWritten({ path: file, before, texts }: ChangedTexts): Promise<boolean> {
    const reported = this.reports.changes.get(file) ?? [];
    const writes = this.reports.writes.get(file) ?? [];
    if (reported.length === 0 && writes.length === 0) {
      return false;
    }
    const { before: earlier, after } = await texts();
    if (after === undefined || (before.kind !== 'none' && earlier === undefined)) {
      return false;
    }
    const start = reported.length > 0 ? textBefore(after, reported) : undefined;
    if (start !== undefined && (before.kind === 'none' ? !start : start === earlier)) {
      return true;
    }
    // The texts that the host has written since, one from the other.
    const begin = textKey(before.kind === 'none' ? null : earlier!);
    const reached = new Set([begin]);
    for (const { from, to } of writes) {
      void (reached.has(from) && reached.add(to));
    }
    reached.delete(begin);
    let isReached = reached.has(textKey(after));
    for (const text of reached.size > 0 && !isReached ? textsBefore(after, reported) : []) {
      isReached ||= reached.has(textKey(text));
    }
    return isReached;
  }
}
