/** A failure as a notification. The words and buttons come with the first one: nothing of them is in what the first session loads. */
import type { Failure } from '../../core/model/failure';
import { commands } from './ids';
import { t } from './l10n';
import { window } from './window';

/** @param retry does again what failed, where that may help */
export async function showFailure(severity: 'error' | 'warning', failure: Failure, retry?: () => void): Promise<void> {
  const { notifyFailure } = await import('./failureNotification');
  const show = severity === 'error' ? window.showErrorMessage : window.showWarningMessage;
  await notifyFailure({ t, commands, show }, failure, retry);
}
