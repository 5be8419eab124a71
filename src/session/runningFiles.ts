/** Publishes the files that a running turn has changed so far to the session's views. They come from the agent's reports, for display alone. */
import { isDeepStrictEqual } from 'node:util';
import { MAX_PENDING_FILES, type RunningChanges } from '../core/fileChanges/pendingChanges';
import type { FileChange } from '../core/model/content';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import type { SessionStore } from './state/store';

/** ms between two events. */
const SHOW_MS = 100;
/** ms in which the review shows a turn that was recorded. Until then its files stay, so that they do not disappear for a moment. */
const REVIEW_MS = 200;

const NOTHING: RunningChanges = { files: [] };

export class RunningFiles implements Disposable {
  private turnId: string | undefined;
  /** The operations by the agent's names of the files, in the order in which the files were first changed. */
  private readonly files = new Map<string, string>();
  private shown = NOTHING;
  private timer: Disposable | undefined;
  private ending: Disposable | undefined;

  /** @param isAccepted true for a file whose change the user has reviewed before it was written: it does not wait after the turn */
  constructor(
    private readonly store: Pick<SessionStore, 'append'>,
    private readonly clock: Clock,
    private readonly isAccepted: (path: string) => boolean = () => false,
  ) {}

  turnStarted(turnId: string): void {
    this.turnId = turnId;
    this.clear();
  }

  /** Called when a change was made, perhaps several times. */
  changed({ path, oldPath, operation, oldText, newText }: FileChange): void {
    if ((oldText !== undefined && oldText === newText) || this.isAccepted(path)) {
      return;
    }
    const known = this.files.get(path);
    const moved = oldPath === undefined ? undefined : this.files.get(oldPath);
    void (oldPath !== undefined && this.files.delete(oldPath));
    if (operation === 'delete' && known === 'add') {
      this.files.delete(path);
    } else {
      this.files.set(path, known === 'add' || moved === 'add' ? 'add' : operation);
    }
    this.showLater();
  }

  /** The review has the changes of a turn that has ended. */
  recorded(turnId: string): void {
    if (turnId === this.turnId) {
      this.turnId = undefined;
      this.ending = this.clock.after(REVIEW_MS, () => this.clear());
    }
  }

  dispose(): void {
    this.timer?.dispose();
    this.ending?.dispose();
    this.files.clear();
    this.show();
  }

  private clear(): void {
    this.ending?.dispose();
    this.ending = undefined;
    if (this.files.size > 0) {
      this.files.clear();
      this.showLater();
    }
  }

  private showLater(): void {
    this.timer ??= this.clock.after(SHOW_MS, () => {
      this.timer = undefined;
      this.show();
    });
  }

  private show(): void {
    const all = [...this.files].map(([path, operation]) => ({ path, operation }));
    const more = all.length - MAX_PENDING_FILES;
    const next: RunningChanges = { files: all.slice(0, MAX_PENDING_FILES), ...(more > 0 && { more }) };
    if (!isDeepStrictEqual(next, this.shown)) {
      this.shown = next;
      this.store.append({ type: 'running_changes', ...next });
    }
  }
}
