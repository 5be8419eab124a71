/** Background tasks in words. Pure. */
import { statusLabel } from './statusText';
import type { ShowValue } from './failures';
import type { TranslateVerbatim } from './translate';
import { stoppingLabel, turnEndReason } from './turnEnds';

/** Returns the status of a task, see `BackgroundItem.status`. */
export function taskStatusLabel(status: string, t: TranslateVerbatim, show: ShowValue): string {
  switch (status) {
    case 'running':
      return statusLabel('in_progress', t, show);
    case 'paused':
      return t('Suspended');
    case 'stopped':
      return turnEndReason('cancelled', t, show);
    case 'stopping':
      return stoppingLabel(t);
    default:
      return statusLabel(status, t, show);
  }
}

/** Returns the heading of the list. @param running the number of tasks that have not ended */
export function tasksText(running: number, t: TranslateVerbatim): string {
  return running === 0
    ? t('Background tasks ended')
    : running === 1
      ? t('1 task in the background')
      : t('{count} tasks in the background', { count: running });
}
