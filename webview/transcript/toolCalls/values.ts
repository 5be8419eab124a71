/** What a tool was given and what it gave back, as a list of names and values. */

/** Names listed; a value of more is shown as JSON. */
const MAX_NAMES = 60;

/** UTF-16 units of JSON up to which an array or object stands on one line. */
const SHORT = 80;

export interface NamedValue {
  readonly name: string;
  /** word: one line as it is. text: of several lines, or long. json: arrays and objects that need more than a line. */
  readonly type: 'word' | 'text' | 'json';
  readonly text: string;
}

/** The names and values of an object; undefined for what is none, or has too many. */
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
