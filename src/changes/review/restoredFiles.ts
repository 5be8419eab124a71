/**
 * The review during a restore. Changes of the agent that the restore brings back wait for review again: the user had undone them, or a later turn that is
 * taken back had replaced them. Changes that the user had kept stay kept.
 */
import { type FileState, sameState } from '../../core/fileChanges/records';
import { hunksIn, type RecordedChanges, recordedChanges, type RestoredPoint, type TextOfState, wasUndone } from '../hunks/recordedChanges';
import type { Review, ReviewFile } from './review';

interface RestoredFile {
  /** Real. */
  readonly path: string;
  readonly now: FileState;
  readonly to: FileState;
}

export class RestoredFiles {
  /** The rows before the restore. */
  private readonly rows: ReadonlyMap<string, ReviewFile>;

  /** Must be created before the restore writes. */
  constructor(
    private readonly review: Review,
    private readonly point: RestoredPoint,
    files: readonly Pick<RestoredFile, 'path'>[],
  ) {
    this.rows = new Map(files.flatMap(({ path }) => (review.file(path) ? [[path, review.rowOf(path)!]] : [])));
  }

  /** Called for each file that the restore has written. */
  async restored(file: RestoredFile): Promise<void> {
    const { review } = this;
    const isBack = await review.restored(file.path, file.now, file.to, this.rows.get(file.path));
    const returned = isBack ? undefined : await this.returnedIn(file);
    if (returned) {
      review.bringBackChanges(file.path, file.to, returned);
    }
  }

  private async returnedIn({ path, now, to }: RestoredFile): Promise<RecordedChanges | undefined> {
    const row = this.rows.get(path);
    // The user has kept all changes of a file that is not in the review and was not undone.
    const isDecided = !row || this.isUndoOfRestore;
    if (isDecided && !wasUndone(this.point, path)) {
      return undefined;
    }
    const textOf: TextOfState = (file, state) => this.review.textOf(file, state);
    const recorded = await recordedChanges(this.point, path, textOf);
    const baseline = row?.before ?? now;
    if (!recorded?.hunks) {
      return recorded && sameState(recorded.after, to) && !sameState(baseline, to) ? recorded : undefined;
    }
    const { hunks } = recorded;
    const accepted = row?.hunks?.baseline ?? (await textOf(path, baseline));
    if (to.kind !== 'file' || accepted === undefined || hunks.text !== (await textOf(path, to))) {
      return undefined;
    }
    hunks.keep([...hunksIn(hunks, accepted)]);
    return hunks.hunks.length > 0 ? recorded : undefined;
  }

  /** The review remembers the changes that the reversal of a restore brings back, without those that were kept. */
  private get isUndoOfRestore(): boolean {
    return this.point.later[0]?.type === 'restore';
  }
}
