/** A failure as a notification. The words come with the first one: nothing of them is in what the first session loads. */
import type { Failure } from '../../core/model/failure';
import { t } from './l10n';
import { window } from './window';

export async function showFailure(severity: 'error' | 'warning', failure: Failure): Promise<void> {
  const { failureText } = await import('./failureText');
  const text = failureText(failure, t);
  await (severity === 'error' ? window.showErrorMessage(text) : window.showWarningMessage(text));
}
