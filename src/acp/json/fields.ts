/** Small readers for values that an agent sent. They trust, throw and drop nothing. */

export type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when the value is neither omitted nor null: v1 agents write both for the same thing. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text with visible characters, so that it can name something. */
export function labelOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Adds one more field to `extra`, and creates the object for the first one. `__proto__` stays an ordinary field. */
export function keep(extra: Record<string, unknown> | undefined, key: string, value: unknown): Record<string, unknown> {
  const target = extra ?? {};
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    target[key] = value;
  }
  return target;
}

/** Returns the fields of `raw` that are not in `known`; undefined when there are none. */
export function restOf(raw: Fields, known: ReadonlySet<string>): Record<string, unknown> | undefined {
  let extra: Record<string, unknown> | undefined;
  for (const key in raw) {
    if (!known.has(key)) {
      extra = keep(extra, key, raw[key]);
    }
  }
  return extra;
}

/**
 * Adds the fields of `raw` that are not in `known` to `target`, so that the journal stores unknown fields with their object. `known` must contain
 * every name that has a meaning in `target`'s type.
 */
export function withRest<T extends object>(target: T, raw: Fields, known: ReadonlySet<string>): T {
  for (const key in raw) {
    if (!known.has(key)) {
      keep(target as Record<string, unknown>, key, raw[key]);
    }
  }
  return target;
}

/** Returns the fields of `raw` that should be strings but are not, except null. They have no use but are stored as a part of the resulting object. */
export function misfits(raw: Fields, texts: readonly string[]): { malformed?: Record<string, unknown> } {
  let malformed: Record<string, unknown> | undefined;
  for (const key of texts) {
    if (isPresent(raw[key]) && typeof raw[key] !== 'string') {
      malformed = keep(malformed, key, raw[key]);
    }
  }
  return malformed ? { malformed } : {};
}
