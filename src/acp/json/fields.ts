/** Small readers for values that an agent sent: nothing here trusts, throws or drops. */

export type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Neither omitted nor null: v1 agents write both for the same thing. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text that can be seen, so that it can name something. */
export function labelOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** `extra` with one more field; makes the object when it is the first. `__proto__` stays an ordinary field. */
export function keep(extra: Record<string, unknown> | undefined, key: string, value: unknown): Record<string, unknown> {
  const target = extra ?? {};
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    target[key] = value;
  }
  return target;
}

/** The fields of `raw` that are not in `known`, or undefined when there are none. */
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
 * `target` with the fields of `raw` that are not in `known`: what we do not know stays on the object it came with, so that the journal has it.
 * `known` must hold every name that `target`'s type gives a meaning to.
 */
export function withRest<T extends object>(target: T, raw: Fields, known: ReadonlySet<string>): T {
  for (const key in raw) {
    if (!known.has(key)) {
      keep(target as Record<string, unknown>, key, raw[key]);
    }
  }
  return target;
}

/** Fields of `raw` that should be texts and are something else, null aside, as a part of the object made of it: their value is of no use, but kept. */
export function misfits(raw: Fields, texts: readonly string[]): { malformed?: Record<string, unknown> } {
  let malformed: Record<string, unknown> | undefined;
  for (const key of texts) {
    if (isPresent(raw[key]) && typeof raw[key] !== 'string') {
      malformed = keep(malformed, key, raw[key]);
    }
  }
  return malformed ? { malformed } : {};
}
