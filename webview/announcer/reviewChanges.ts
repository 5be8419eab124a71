/** Announcements about the agent's changes that wait for review, and about those that the user has undone or applied again. */
import type { ReportedFile } from '../../src/core/fileChanges/changeReport';
import { isBusy } from '../../src/core/model/select';
import type { SessionState } from '../../src/core/model/state';
import { reportedFileText, reportText } from '../../src/text/messages/attachments';
import { t } from '../base/l10n';

/** The most files that are named one by one. */
const MAX_NAMED = 3;

type Reviewed = Pick<SessionState, 'pendingChanges' | 'changeReport'>;

export class ReviewChanges {
  /** The changes that were announced, or that the user has seen as history. */
  private known: Reviewed = { pendingChanges: undefined, changeReport: undefined };
  /** True while the agent works, and until the changes of that work are announced. */
  private hasWorked = false;

  /** Marks the changes of this state as known. */
  skip({ pendingChanges, changeReport }: SessionState): void {
    this.known = { pendingChanges, changeReport };
    this.hasWorked = false;
  }

  /** @returns the announcements; none while the agent works, because it may change more files */
  hear(state: SessionState): string[] {
    if (isBusy(state)) {
      this.hasWorked = true;
      return [];
    }
    const { known, hasWorked } = this;
    this.skip(state);
    return [...undone(known, state), ...waiting(known, state, hasWorked)];
  }
}

/** The number of files to review, after the agent has worked or when there are more of them. A smaller number is the user's own doing. */
function waiting(known: Reviewed, { pendingChanges }: Reviewed, hasWorked: boolean): string[] {
  const before = countOf(known);
  const count = countOf({ pendingChanges });
  if (pendingChanges === known.pendingChanges || count === 0 || (count <= before && !hasWorked)) {
    return [];
  }
  return [count === 1 ? t('1 file changed') : t('{count} files changed', { count })];
}

/**
 * The files whose changes the user has undone or applied again. An edit is not announced, because each key makes one. VS Code announces a restored
 * checkpoint by a notification.
 */
function undone(known: Reviewed, { changeReport = [] }: Reviewed): string[] {
  if (changeReport === known.changeReport) {
    return [];
  }
  const key = ({ path, undone = 0, applied = 0, whole }: ReportedFile): string => [undone, applied, whole, path].join(' ');
  const heard = new Set(known.changeReport?.map(key));
  const news = changeReport.filter((file) => (file.undone || file.applied || file.whole === 'undone') && !heard.has(key(file)));
  return news.length > MAX_NAMED ? [reportText(news, t)] : news.map((file) => reportedFileText(file, t));
}

function countOf({ pendingChanges }: Pick<Reviewed, 'pendingChanges'>): number {
  return pendingChanges ? pendingChanges.files.length + (pendingChanges.more ?? 0) : 0;
}
