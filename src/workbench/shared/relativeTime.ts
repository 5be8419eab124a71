/** Relative times for people. Pure. */

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.345],
  ['month', 12],
  ['year', Infinity],
] as const;

/**
 * Returns "5 minutes ago" in this language, or "5m ago" for `narrow`. Both times are in ms since the epoch. A time in the future, from a clock
 * that is ahead, counts as now.
 */
export function relativeTime(then: number, now: number, language: string, style: 'long' | 'narrow' = 'long'): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style });
  let value = Math.max(0, (now - then) / 1000);
  for (const [unit, size] of STEPS) {
    // Rounded before the unit is chosen, to avoid "60 minutes ago".
    if (Math.round(value) < size) {
      return words.format(-Math.round(value), unit);
    }
    value /= size;
  }
  return '';
}

/** Returns an agent's date (ISO 8601) in ms since the epoch, or undefined when it is invalid. */
export function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
