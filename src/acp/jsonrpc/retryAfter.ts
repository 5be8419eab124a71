/** The delay that an agent's error requests before the request is sent again. */
import { isRecord } from '../json/fields';

/** Seconds; limits reset within weeks. */
const MAX_SECONDS = 31 * 24 * 60 * 60;
/** Levels of objects that are searched: `data.error.headers` is the deepest in use. */
const MAX_DEPTH = 3;
/** UTF-16 units of a message that are searched. */
const MAX_MESSAGE = 4096;

/** Fields of HTTP's `Retry-After`, and of Google's `RetryInfo`; a plain number is in seconds unless the name says ms. */
const FIELDS = /^(?:retry[-_]?(?:after|delay|in)(?:[-_]?(?:s|sec|secs|seconds?|ms|millis|milliseconds))?)$/i;
const IN_MS = /(?:ms|millis|milliseconds)$/i;
const AMOUNT = /^(\d{1,9}(?:\.\d{1,9})?) ?(ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)?$/i;
/** An ISO 8601 duration, such as `PT5H`. */
const ISO = /^P(?!$)(?:(\d{1,4})D)?(?:T(?!$)(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,9})?)S)?)?$/;
const SENTENCE =
  /\b(?:retry|try again|available again)(?: again)?,? (?:in|after) (\d{1,9}(?:\.\d{1,9})? ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?))\b/i;

/** Returns whole seconds from now, at least 1; undefined when the error has no delay. @param data the JSON-RPC error's data, of any shape */
export function retryAfterIn(data: unknown, message: string): number | undefined {
  const ms = inFields(data, 0) ?? inWords(message);
  const seconds = ms === undefined ? 0 : Math.ceil(ms / 1000);
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds : undefined;
}

function inFields(value: unknown, depth: number): number | undefined {
  if (!isRecord(value) || depth >= MAX_DEPTH) {
    return undefined;
  }
  for (const [name, each] of Object.entries(value)) {
    const ms = FIELDS.test(name) ? amount(each, IN_MS.test(name) ? 1 : 1000) : undefined;
    if (ms !== undefined) {
      return ms;
    }
  }
  for (const name of ['error', 'headers', 'data', 'details']) {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined;
    const ms = (Array.isArray(inner) ? inner.slice(0, 8) : [inner])
      .map((each) => inFields(each, depth + 1))
      .find((each) => each !== undefined);
    if (ms !== undefined) {
      return ms;
    }
  }
  return undefined;
}

function inWords(message: string): number | undefined {
  const found = SENTENCE.exec(message.slice(0, MAX_MESSAGE))?.[1];
  return found === undefined ? undefined : amount(found, 1000);
}

/** ms. @param unit ms of a number without a unit */
function amount(value: unknown, unit: number): number | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value * unit : undefined;
  }
  const iso = typeof value === 'string' ? ISO.exec(value.trim()) : null;
  if (iso) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = iso.slice(1).map((part) => Number(part ?? 0));
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  }
  const match = typeof value === 'string' ? AMOUNT.exec(value.trim()) : null;
  return match ? Number(match[1]) * unitOf(match[2], unit) : undefined;
}

function unitOf(name: string | undefined, otherwise: number): number {
  switch (name?.toLowerCase().replace(/^(ms|s|m|h).*$/, '$1')) {
    case 'ms':
      return 1;
    case 's':
      return 1000;
    case 'm':
      return 60_000;
    case 'h':
      return 3_600_000;
    default:
      return otherwise;
  }
}
