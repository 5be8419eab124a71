/** How much earlier versions take, deleting them, and the limit over all sessions. Loaded with the first changes. */
import { keptChanges, type StoredChanges, removeKept, sessionsOverLimit } from '../../../changes/store/changeStorage';
import type { Log } from '../../../core/platform/log';
import { t } from '../../shared/l10n';
import { window } from '../../shared/window';
import { readChangeSettings } from '../../settings/changeSettings';
import type { SessionChanges } from '../session/sessionChanges';

export interface CheckpointStorageDependencies {
  /** See `SessionStorage`. */
  readonly folders: string;
  readonly log: Log;
  /** The sessions of this window. */
  open(): readonly SessionChanges[];
  /** Another window has the session. */
  isLiveElsewhere(sessionKey: string): Promise<boolean>;
}

const MEGABYTE = 1024 * 1024;

export class CheckpointStorage {
  constructor(private readonly deps: CheckpointStorageDependencies) {}

  /** Says how much there is, and deletes it when the user wants that. Changes that wait for review can still be undone in this window. */
  async deleteAll(): Promise<void> {
    const kept = await keptChanges(this.deps.folders);
    const bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
    if (bytes === 0) {
      void window.showInformationMessage(t('There are no checkpoints.'));
      return;
    }
    const confirm = t('Delete All Checkpoints');
    const message = t('Are you sure you want to delete all checkpoints?');
    const size = Math.max(0.1, Math.round((bytes / MEGABYTE) * 10) / 10);
    const detail = t(
      "They take {size} MB. Files can no longer be restored to how they were before earlier messages, and changes in sessions that aren't open can no longer be reviewed. Your files don't change.",
      { size },
    );
    if ((await window.showWarningMessage(message, { modal: true, detail }, confirm)) !== confirm) {
      return;
    }
    const left = await this.remove(kept);
    void (left > 0
      ? window.showWarningMessage(
          t(
            'Some checkpoints were not deleted, because an agent is working, changes are being undone, files are being restored, or another window has the session open.',
          ),
        )
      : window.showInformationMessage(t('Deleted all checkpoints.')));
  }

  /** Deletes the oldest checkpoints where all together take too much space. Those of a session that a window has opened meanwhile stay. */
  async enforceLimit(): Promise<void> {
    const { deps } = this;
    const isInUse = (key: string): Promise<boolean> => this.isInUse(key);
    const going = await sessionsOverLimit(await keptChanges(deps.folders), readChangeSettings().totalBytes, isInUse);
    for (const each of going) {
      if (await removeKept(each, isInUse)) {
        deps.log.info(`Checkpoints of session ${each.sessionKey} were deleted: all together took too much.`);
      }
    }
  }

  /** Returns how many sessions keep their checkpoints. */
  private async remove(kept: readonly StoredChanges[]): Promise<number> {
    let left = 0;
    for (const each of kept) {
      left += (await this.removeOne(each)) ? 0 : 1;
    }
    return left;
  }

  /** Deletes the checkpoints of one session; false when they stay, because an agent works, a restore or an undo runs, or another window has the session. */
  private async removeOne(kept: StoredChanges): Promise<boolean> {
    const open = this.deps.open().find(({ key }) => key === kept.sessionKey);
    if (!open) {
      return removeKept(kept, (key) => this.isInUse(key));
    }
    // This window may show a session that another one has.
    if (open.turnId !== undefined || open.isWriting || (await this.deps.isLiveElsewhere(kept.sessionKey))) {
      return false;
    }
    await open.deleteCheckpoints();
    return true;
  }

  private async isInUse(sessionKey: string): Promise<boolean> {
    return this.deps.open().some(({ key }) => key === sessionKey) || this.deps.isLiveElsewhere(sessionKey);
  }
}
