/**
 * The review during a restore. Changes of the agent that the restore brings back wait for review again: the user had undone them, or a later turn that is
 * taken back had replaced them. Changes that the user had kept stay kept.
 */
import { type FileState, sameState } from '../../core/fileChanges/records';
import { type RecordedChanges, recordedChanges, type RestoredPoint, type TextOfState, wasUndone } from '../hunks/recordedChanges';
import type { Review } from './review';

interface RestoredFile {
  /** Real. */
  readonly path: string;
  readonly now: FileState;
  readonly to: FileState;
}

/** A reviewed file without its pending changes, before the restore. */
interface Baseline {
  readonly state: FileState;
  /** Absent for a file that is reviewed as a whole. */
  readonly text?: string;
}

export class RestoredFiles {
  private readonly baselines: ReadonlyMap<string, Baseline>;

  /** Must be created before the restore writes. */
  constructor(
    private readonly review: Review,
    private readonly point: RestoredPoint,
  ) {
    this.baselines = new Map(
      review.files.map(({ path, before, hunks }) => [path, { state: before, ...(hunks && { text: hunks.baseline }) }]),
    );
  }

  /** Called for each file that the restore has written. */
  async restored(file: RestoredFile): Promise<void> {
    const { review } = this;
    await review.restored(file.path, file.now, file.to);
    const returned = await this.returnedIn(file);
    if (returned) {
      review.bringBackChanges(file.path, file.to, returned);
    }
  }

  private async returnedIn({ path, now, to }: RestoredFile): Promise<RecordedChanges | undefined> {
    const baseline = this.baselines.get(path);
    // The user has kept all changes of a file that is not in the review and was not undone.
    const isDecided = !baseline || this.isUndoOfRestore;
    if (isDecided && !wasUndone(this.point, path)) {
      return undefined;
    }
    const textOf: TextOfState = (file, state) => this.review.textOf(file, state);
    const recorded = await recordedChanges(this.point, path, textOf);
    if (!recorded?.hunks) {
      return recorded && !sameState(baseline?.state ?? now, to) ? recorded : undefined;
    }
    const { hunks } = recorded;
    const accepted = baseline?.text ?? (await textOf(path, baseline?.state ?? now));
    if (to.kind !== 'file' || accepted === undefined || hunks.text !== (await textOf(path, to))) {
      return undefined;
    }
    hunks.keepCommitted(accepted);
    return hunks.hunks.length > 0 ? recorded : undefined;
  }

  /** The review remembers the changes that the reversal of a restore brings back, without those that were kept. */
  private get isUndoOfRestore(): boolean {
    return this.point.later[0]?.type === 'restore';
  }
}
