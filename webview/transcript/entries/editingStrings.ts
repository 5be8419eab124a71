/** The description of what sending an edited earlier message does. */
import { t } from '../../base/l10n';

/** @param busy a turn runs */
export function editingText(busy: boolean): string {
  const text = t('Editing an earlier message. Sending starts a new session with the conversation up to there. Files stay as they are.');
  return busy ? `${text} ${t('The running turn is stopped.')}` : text;
}
