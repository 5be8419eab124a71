/** A tool's input or output as a list of names and values. */

/** The most names in a list; a value with more is shown as JSON. */
const MAX_NAMES = 60;

/** The most UTF-16 units of JSON for an array or object on one line. */
const SHORT = 80;

export interface NamedValue {
  readonly name: string;
  /** word: one short line. text: several lines, or a long one. json: arrays and objects that need several lines. */
  readonly type: 'word' | 'text' | 'json';
  readonly text: string;
}

/** Returns the names and values of an object; undefined for other values, and for too many names. */
export function namedValues(value: unknown): readonly NamedValue[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return undefined;
  }
  const entries = Object.entries(value);
  return entries.length === 0 || entries.length > MAX_NAMES ? undefined : entries.map(([name, each]) => ({ name, ...shown(each) }));
}

function shown(value: unknown): Pick<NamedValue, 'type' | 'text'> {
  if (typeof value === 'string') {
    return { type: /[\n\r]/.test(value) || value.length > 300 ? 'text' : 'word', text: value };
  }
  const line = JSON.stringify(value) ?? '';
  if (typeof value !== 'object' || value === null) {
    return { type: 'word', text: line };
  }
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'string' && each !== '' && !/[\n\r,]/.test(each)) &&
    line.length <= SHORT
  ) {
    return { type: 'word', text: value.join(', ') };
  }
  return line.length <= SHORT ? { type: 'word', text: line } : { type: 'json', text: JSON.stringify(value, null, 2) };
}
