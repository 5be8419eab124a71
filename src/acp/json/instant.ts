/** Instants in foreign JSON. */

/** RFC 3339, or the date of an HTTP header. */
const DATE =
  /^(?:\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:[Zz]|[+-]\d\d:?\d\d)|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;
/** Seconds since the epoch between 2001 and 2100. Larger numbers are ms. */
const MIN_SECONDS = 1e9;
const MAX_SECONDS = 4.1e9;

/** Returns ms since the epoch of a date, or of a number of seconds or ms; undefined for another value. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{10,13}$/.test(value))) {
    const number = Number(value);
    return plausible(number <= MAX_SECONDS ? number * 1000 : number);
  }
  return typeof value === 'string' && DATE.test(value) ? plausible(Date.parse(value)) : undefined;
}

/** Undefined for an instant that no limit has, such as a placeholder in the year 1 or 9999. */
function plausible(ms: number): number | undefined {
  return ms >= MIN_SECONDS * 1000 && ms <= MAX_SECONDS * 1000 ? Math.round(ms) : undefined;
}
