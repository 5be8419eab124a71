/** What one JSON value has that another has not, as words: golden texts show what is special and leave out what is known already. */

type Json = Readonly<Record<string, unknown>>;

/** For an object of members. */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * One word per difference, `path=JSON`, e.g. `offers.load=true`; `path=absent` for what only the other has. From `base` and the words, the value can be
 * told: nothing is lost. Undefined where words could not say it, because the members stand in another order or a name has signs of a path.
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
  // Lists of one length differ item by item; of two lengths, nobody could tell which item is which.
  if (Array.isArray(item) && Array.isArray(known) && item.length === known.length) {
    const inner = item.map((one, index) => nested(one, known[index], `${at}.${index}`));
    return inner.every((words) => words !== undefined) ? inner.flat() : undefined;
  }
  return isRecord(item) && isRecord(known) ? differences(item, known, `${at}.`) : [`${at}=${JSON.stringify(item)}`];
}
