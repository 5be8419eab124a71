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
 * Returns "5 minutes ago" in this language, "5m ago" for `narrow`, or "5m" for `amount`. Both times are in ms since the epoch. A time in the future,
 * from a clock that is ahead, counts as now.
 */
export function relativeTime(then: number, now: number, language: string, style: 'long' | 'narrow' | 'amount' = 'long'): string {
  const text = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: style === 'amount' ? 'narrow' : style });
  let value = Math.max(0, (now - then) / 1000);
  for (const [unit, size] of STEPS) {
    // Rounded before the unit is chosen, to avoid "60 minutes ago".
    if (Math.round(value) < size) {
      const count = Math.round(value);
      return style === 'amount' && count > 0 ? amount(count, unit, language) : text.format(-count, unit);
    }
    value /= size;
  }
  return '';
}

function amount(count: number, unit: (typeof STEPS)[number][0], language: string): string {
  // The narrow form of a month is that of a minute.
  const unitDisplay = unit === 'month' || unit === 'year' ? 'short' : 'narrow';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count);
}

/** Returns an agent's date (ISO 8601) in ms since the epoch, or undefined when it is invalid. */
export function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
