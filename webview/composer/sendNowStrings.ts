/** Labels for the ways to send a message at once: into the running turn or instead of it. */
import type { SendNow } from '../../src/core/queue/rules';
import { t } from '../base/l10n';

export function sendNowLabel(way: SendNow): string {
  return way === 'steer' ? t('Send Now: Steer') : t('Send Now: Interrupt');
}

export function sendNowHint(way: SendNow): string {
  return way === 'steer' ? t('Goes into the running turn') : t('Stops the turn and what runs in it, then sends');
}
