/** The meaning of the meters of a quota. Apart from the schemas, which the page does not load. */
import type { Quota, QuotaMeter } from './quota';

/** The percentage from which a meter without a status is a warning. */
const WARNING = 90;

/** Returns the meter's level: `exceeded`, `warning` or `ok`. An unknown status makes no claim. */
export function meterLevel({ status, usedPercent = 0 }: Pick<QuotaMeter, 'status' | 'usedPercent'>): 'ok' | 'warning' | 'exceeded' {
  if (status === 'exceeded' || status === 'warning' || status === 'ok') {
    return status;
  }
  return usedPercent >= 100 ? 'exceeded' : usedPercent >= WARNING ? 'warning' : 'ok';
}

/** The pool that pays for usage beyond the plan, often until the end of the month. */
const EXTRA = 'extra_usage';

/**
 * Returns the latest time at which an exceeded meter resets, in ms since the epoch; undefined when none is exceeded or none names a time. Extra usage
 * counts only where it is the only limit, because the plan does not need it after its own reset.
 */
export function quotaReset(quota: Quota | undefined): number | undefined {
  const pools = quota?.pools ?? [];
  return latestReset(pools.filter(({ id }) => id !== EXTRA)) ?? latestReset(pools);
}

function latestReset(pools: Quota['pools']): number | undefined {
  const times = pools.flatMap(({ meters }) =>
    meters.flatMap((meter) => (meterLevel(meter) === 'exceeded' && meter.resetsAt !== undefined ? [meter.resetsAt] : [])),
  );
  return times.length > 0 ? Math.max(...times) : undefined;
}
