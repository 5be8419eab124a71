/** Moments as people speak of them. Pure. */

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
 * "5 minutes ago", in this language, `narrow`: "5m ago", `amount`: "5m". Both times in ms since the epoch; what is still to come, by a clock that is
 * ahead, counts as now.
 */
export function relativeTime(then: number, now: number, language: string, style: 'long' | 'narrow' | 'amount' = 'long'): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: style === 'amount' ? 'narrow' : style });
  let value = Math.max(0, (now - then) / 1000);
  for (const [unit, size] of STEPS) {
    // Rounded before the step is chosen: nobody says "60 minutes ago".
    if (Math.round(value) < size) {
      const count = Math.round(value);
      return style === 'amount' && count > 0 ? amount(count, unit, language) : words.format(-count, unit);
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

/** An agent's date (ISO 8601) in ms since the epoch; undefined when it is none. */
export function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
