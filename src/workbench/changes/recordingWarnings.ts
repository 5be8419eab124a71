/** Warns when changes cannot be recorded: the earlier versions of files cannot be stored, or Git or the files cannot be read. */
import type { StoreTrouble } from '../../changes/store/objectStore';
import type { Trouble } from '../../changes/turns/filesSnapshot';
import { isDiskFull } from '../../util/diskFull';
import { type InertText, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_REASON = 200;

/** Shows one warning of each kind for a session, however often it happens. */
export class RecordingWarnings {
  private readonly shown = new Set<'store' | 'record'>();

  /** @param deleteCheckpoints frees space in the store */
  constructor(private readonly deleteCheckpoints: () => Promise<unknown>) {}

  async show(trouble: StoreTrouble | Trouble): Promise<void> {
    const kind = trouble.kind === 'git' || trouble.kind === 'files' ? 'record' : 'store';
    if (this.shown.has(kind)) {
      return;
    }
    this.shown.add(kind);
    if (kind === 'record') {
      const reason = 'detail' in trouble && trouble.detail !== undefined ? inertLine(trouble.detail, MAX_REASON) : undefined;
      void window.showWarningMessage(
        reason
          ? t("Some changes of this session couldn't be recorded: {reason}. They can't be undone.", { reason })
          : t("Some changes of this session couldn't be recorded. They can't be undone."),
      );
      return;
    }
    const remove = t('Delete Checkpoints…');
    const reason = storeReason(trouble);
    const message = t("Earlier versions of files can't be stored: {reason}. New changes by agents can't be undone.", { reason });
    if ((await window.showWarningMessage(message, remove)) === remove) {
      await this.deleteCheckpoints();
      this.shown.delete(kind);
    }
  }
}

function storeReason(trouble: StoreTrouble | Trouble): InertText {
  if (trouble.kind === 'full') {
    return t('the limit for a session is reached');
  }
  const error = 'error' in trouble ? trouble.error : undefined;
  if (isDiskFull(error)) {
    return t('the disk is full');
  }
  const detail = error instanceof Error ? error.message : 'detail' in trouble ? trouble.detail : undefined;
  return detail === undefined ? t('the disk refused the write') : inertLine(detail, MAX_REASON);
}
