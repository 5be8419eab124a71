/** The time at which a limit resets, as an agent's error names it. */
import { isRecord } from '../json/fields';
import { instantOf } from '../json/instant';

const FIELDS =
  /^(?:quota|limit|rate[-_]?limit|ratelimit[-_]?\w{0,20}|x-ratelimit-\w{0,20})?[-_]?(?:resets?|retry)[-_]?(?:at|time|on|timestamp)$/i;
/** Levels of objects that are searched: `data.error.headers` is the deepest in use. */
const MAX_DEPTH = 3;

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
