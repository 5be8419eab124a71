/** Summarizes a session's pending review, with the lines of deleted files, which are read once. */
import type { PendingChanges } from '../../core/fileChanges/pendingChanges';
import type { FileState } from '../../core/fileChanges/records';
import type { Disposable } from '../../core/platform/disposable';
import { linesOf } from '../hunks/hunkCounts';
import { pendingSummary } from './pendingSummary';
import type { Review } from './review';
import type { ReviewFile } from './reviewFile';

/** The most bytes of a deleted file whose lines are counted. */
const MAX_BYTES = 1024 * 1024;

export interface PendingSourceDependencies {
  readonly review: Pick<Review, 'files' | 'onDidChange'>;
  /** Returns the session's name of a file. */
  nameOf(path: string): string;
  /** Returns the text of a stored state; undefined where it has none. */
  textOf(path: string, state: FileState): Promise<string | undefined>;
  /** True for a file with unsaved changes in an editor. Call {@link PendingSource.refresh} when that changes. */
  isUnsaved?(path: string): boolean;
}

export class PendingSource {
  /** Line counts by the hash of a text. Undefined while it is being read, or when it is not text. */
  private readonly lines = new Map<string, number | undefined>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly deps: PendingSourceDependencies) {}

  /** Returns undefined when nothing waits for review. */
  summary(): PendingChanges | undefined {
    const { review, nameOf, isUnsaved } = this.deps;
    return pendingSummary(review.files, { nameOf, deletedLines: (file) => this.deletedLines(file), ...(isUnsaved && { isUnsaved }) });
  }

  /** Notifies the listeners that the summary may be another one. */
  refresh(): void {
    this.listeners.forEach((listener) => listener());
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    const subscription = this.deps.review.onDidChange(listener);
    return {
      dispose: () => {
        this.listeners.delete(listener);
        subscription.dispose();
      },
    };
  }

  private deletedLines({ path, before }: ReviewFile): number | undefined {
    if (before.kind !== 'file' || before.size > MAX_BYTES) {
      return undefined;
    }
    if (!this.lines.has(before.hash)) {
      this.lines.set(before.hash, undefined);
      void this.count(path, before).catch(() => undefined);
    }
    return this.lines.get(before.hash);
  }

  private async count(path: string, before: FileState & { readonly kind: 'file' }): Promise<void> {
    const text = await this.deps.textOf(path, before);
    if (text !== undefined) {
      this.lines.set(before.hash, linesOf(text));
      this.refresh();
    }
  }
}
