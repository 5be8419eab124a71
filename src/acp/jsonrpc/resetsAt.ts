/** The time at which a limit resets, as an agent's error names it. */
import { isRecord } from '../json/fields';

const FIELDS =
  /^(?:quota|limit|rate[-_]?limit|ratelimit[-_]?\w{0,20}|x-ratelimit-\w{0,20})?[-_]?(?:resets?|retry)[-_]?(?:at|time|on|timestamp)$/i;
/** Levels of objects that are searched: `data.error.headers` is the deepest in use. */
const MAX_DEPTH = 3;

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
    const ms = number <= MAX_SECONDS ? number * 1000 : number;
    return ms >= MIN_SECONDS * 1000 && ms <= MAX_SECONDS * 1000 ? Math.round(ms) : undefined;
  }
  const ms = typeof value === 'string' && DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns ms since the epoch; undefined when the error names no time. @param data the JSON-RPC error's data, of any shape */
export function resetsAtIn(data: unknown, depth = 0): number | undefined {
  if (!isRecord(data) || depth >= MAX_DEPTH) {
    return undefined;
  }
  for (const [name, value] of Object.entries(data)) {
    const at = FIELDS.test(name) || /^retry-after$/i.test(name) ? instantOf(value) : undefined;
    if (at !== undefined) {
      return at;
    }
  }
  for (const name of ['error', 'headers', 'data', 'details']) {
    const inner = Object.hasOwn(data, name) ? data[name] : undefined;
    for (const each of Array.isArray(inner) ? inner.slice(0, 8) : [inner]) {
      const at = resetsAtIn(each, depth + 1);
      if (at !== undefined) {
        return at;
      }
    }
  }
  return undefined;
}
