/** The differences between two JSON values, as words: golden texts show the special values and leave out the known ones. */

type Json = Readonly<Record<string, unknown>>;

/** True for an object with members. */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * One word per difference: `path=JSON`, e.g. `offers.load=true`, or `path=absent` for a member that only `base` has. The value can be
 * restored from `base` and the words. Returns undefined when words cannot express the difference: the members have another order, or a name
 * contains path characters.
 */
export function differences(value: Json, base: Json, path = ''): string[] | undefined {
  const common = Object.keys(value).filter((key) => key in base);
  const ordered = Object.keys(base).filter((key) => key in value);
  if (common.join('\n') !== ordered.join('\n') || [value, base].some((of) => Object.keys(of).some((key) => /[.=\s]/.test(key)))) {
    return undefined;
  }
  const words: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    const at = `${path}${key}`;
    const inner = key in base ? nested(item, base[key], at) : [`${at}=${JSON.stringify(item)}`];
    if (!inner) {
      return undefined;
    }
    words.push(...inner);
  }
  const gone = Object.keys(base).filter((key) => !(key in value));
  return [...words, ...gone.map((key) => `${path}${key}=absent`)];
}

function nested(item: unknown, known: unknown, at: string): string[] | undefined {
  if (JSON.stringify(item) === JSON.stringify(known)) {
    return [];
  }
  // Lists of the same length differ item by item. In lists of different lengths, the items cannot be matched.
  if (Array.isArray(item) && Array.isArray(known) && item.length === known.length) {
    const inner = item.map((one, index) => nested(one, known[index], `${at}.${index}`));
    return inner.every((words) => words !== undefined) ? inner.flat() : undefined;
  }
  return isRecord(item) && isRecord(known) ? differences(item, known, `${at}.`) : [`${at}=${JSON.stringify(item)}`];
}
