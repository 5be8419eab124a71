/** The limits of the account as texts. Loaded after the first paint. */
import { meterLevel } from '../../src/core/account/meters';
import type { Quota, QuotaMeter } from '../../src/core/account/quota';
import { oneLine } from '../../src/text/characters/textSafety';
import { t } from '../base/l10n';

const LEVELS = ['ok', 'warning', 'exceeded'] as const;

/** The meter that is nearest to its limit. */
function worstMeter(quota: Quota): QuotaMeter | undefined {
  const rank = (meter: QuotaMeter): number => LEVELS.indexOf(meterLevel(meter)) * 1000 + (meter.usedPercent ?? 0);
  return quota.pools.flatMap(({ meters }) => meters).sort((a, b) => rank(b) - rank(a))[0];
}

/** Returns the nearest limit in one line, and whether it is a warning; undefined when the agent has reported none. */
export function nearestLimit(quota: Quota): { readonly text: string; readonly isWarning: boolean } | undefined {
  const meter = worstMeter(quota);
  if (!meter) {
    return undefined;
  }
  const name = meterName(meter);
  const level = meterLevel(meter);
  const text =
    level === 'exceeded'
      ? t('{name}: limit reached', { name })
      : meter.usedPercent === undefined
        ? name
        : t('{name}: {percent}% used', { name, percent: Math.round(meter.usedPercent) });
  return { text, isWarning: level !== 'ok' };
}

/** The agent's own label, or the known windows in words. Another id is shown as it is. */
export function meterName({ id, label }: Pick<QuotaMeter, 'id' | 'label'>): string {
  switch (label ?? id) {
    case 'five_hour':
      return t('5-hour limit');
    case 'seven_day':
      return t('Weekly limit');
    case 'plan':
      return t('Plan');
    case 'overage':
    case 'extra_usage':
      return t('Extra usage');
    default:
      return oneLine(label ?? id, 60);
  }
}
