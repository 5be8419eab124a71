/** Shows a failure as a notification. Its texts and buttons are loaded with the first failure, and are not part of the first session's load. */
import type { Failure } from '../../core/model/failure';
import { commands } from '../../application/shared/ids';
import { t } from './l10n';
import { window } from './window';

/** @param retry repeats the failed action, if that may help */
export async function showFailure(severity: 'error' | 'warning', failure: Failure, retry?: () => void): Promise<void> {
  const { notifyFailure } = await import('./failureNotification');
  const show = severity === 'error' ? window.showErrorMessage : window.showWarningMessage;
  await notifyFailure({ t, commands, show }, failure, retry);
}

/** Shows the failure of an action that may have succeeded. */
export function warnOf(failure: Failure | undefined): void {
  if (failure) {
    void showFailure('warning', failure);
  }
}
