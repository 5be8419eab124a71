/** Names with values, which version 2 writes as a list of `{name, value}`. */
import { isRecord } from '../json/fields';

/** Returns the values that are strings, by name. A later value of a name counts. */
export function textsIn(raw: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const pair of Array.isArray(raw) ? raw : []) {
    if (isRecord(pair) && typeof pair.name === 'string' && typeof pair.value === 'string') {
      Object.defineProperty(texts, pair.name, { value: pair.value, enumerable: true, configurable: true, writable: true });
    }
  }
  return texts;
}
