/** Warns when the earlier versions of files cannot be stored: changes of new turns then have nothing to go back to. */
import type { StoreTrouble } from '../../changes/store/objectStore';
import { isDiskFull } from '../../util/diskFull';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_REASON = 200;

/** Shows one warning for a session, however often storing fails. */
export class StoreWarning {
  private isShown = false;

  /** @param deleteCheckpoints frees space in the store */
  constructor(private readonly deleteCheckpoints: () => Promise<unknown>) {}

  async show({ kind, error }: StoreTrouble): Promise<void> {
    if (this.isShown) {
      return;
    }
    this.isShown = true;
    const reason =
      kind === 'full'
        ? t('the limit for a session is reached')
        : isDiskFull(error)
          ? t('the disk is full')
          : error instanceof Error
            ? visible(error.message, MAX_REASON)
            : t('the disk refused the write');
    const remove = t('Delete Checkpoints…');
    const message = t("Earlier versions of files can't be stored: {reason}. Changes of new turns can't be undone.", { reason });
    if ((await window.showWarningMessage(message, remove)) === remove) {
      await this.deleteCheckpoints();
      this.isShown = false;
    }
  }
}
