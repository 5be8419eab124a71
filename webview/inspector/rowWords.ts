/** The words and signs of a row. */
import { hasDirection } from '../../src/core/inspector/filterRows';
import type { FrameRow } from '../../src/core/inspector/inspectorPage';
import { t } from '../base/l10n';

export function kindLabel({ kind, isSent }: FrameRow): string {
  switch (kind) {
    case 'request':
      return isSent ? t('Request to the agent') : t('Request from the agent');
    case 'notification':
      return isSent ? t('Notification to the agent') : t('Notification from the agent');
    case 'answer':
      return isSent ? t('Response to the agent') : t('Response from the agent');
    case 'error':
      return isSent ? t('Error to the agent') : t('Error from the agent');
    case 'stderr':
      return t('Output (stderr)');
    case 'noise':
      return t('Not a message');
    case 'skipped':
      return t('Message over the size limit');
    case 'note':
      return t('Note');
  }
}

export function arrowOf(row: FrameRow): string {
  return hasDirection(row) ? (row.isSent ? '→' : '←') : '';
}

/** The time of an answer, or the state of a request. */
export function statusOf(row: FrameRow, answer: FrameRow | undefined): string {
  if (row.kind === 'request') {
    return answer === undefined
      ? t('no response yet')
      : answer.kind === 'error'
        ? t('error, {ms} ms', { ms: answer.ms ?? 0 })
        : t('{ms} ms', { ms: answer.ms ?? 0 });
  }
  return row.ms === undefined ? '' : t('{ms} ms', { ms: row.ms });
}

export function timeOf(at: number): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

export function sizeOf(bytes: number): string {
  return bytes < 1000
    ? t('{count} B', { count: bytes })
    : bytes < 1_000_000
      ? t('{count} KB', { count: (bytes / 1000).toFixed(1) })
      : t('{count} MB', { count: (bytes / 1_000_000).toFixed(1) });
}
