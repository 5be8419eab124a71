/**
 * Run-time schemas for values from outside, from which the types are inferred. `validate` checks the named fields at every depth and accepts others, so
 * that fields of a newer version pass. `parse` returns a value with the named fields alone.
 */
export interface Schema<T> {
  /** True when `value` fits. Never throws. */
  validate(value: unknown): boolean;
  /** Returns a copy with the named fields alone. The value must fit. */
  parse(value: unknown): T;
}

/** A field that may be left out. */
export interface OptionalSchema<T> extends Schema<T | undefined> {
  readonly optional: true;
}

export type Infer<S> = S extends OptionalSchema<infer T> ? T : S extends Schema<infer T> ? T : never;

/** The schemas of an object's fields, by name. */
export type Fields = Readonly<Record<string, Schema<unknown>>>;
export type Flat<T> = { [K in keyof T]: T[K] };
/** The object that fits the schemas of its fields. */
export type Shape<F extends Fields> = Flat<
  { readonly [K in keyof F as F[K] extends OptionalSchema<unknown> ? never : K]: Infer<F[K]> } & {
    readonly [K in keyof F as F[K] extends OptionalSchema<unknown> ? K : never]?: Infer<F[K]>;
  }
>;
type Variants<Key extends string, Cases extends Readonly<Record<string, Schema<object>>>> = {
  [Word in keyof Cases]: Flat<{ readonly [K in Key]: Word } & Infer<Cases[Word]>>;
}[keyof Cases];

/** The value of a field that a copy leaves out. */
const LEFT_OUT = undefined;

/** A schema for the values that `validate` accepts. Copies are the value itself. @param validate must not throw */
export function custom<T>(validate: (value: unknown) => boolean): Schema<T> {
  return { validate, parse: (value) => value as T };
}

export function unknown(): Schema<unknown> {
  return custom(() => true);
}

/** A string. Both limits count UTF-16 units. */
export function string({ min = 0, max = Infinity }: { readonly min?: number; readonly max?: number } = {}): Schema<string> {
  return custom((value) => typeof value === 'string' && value.length >= min && value.length <= max);
}

/** A finite number. */
export function number(): Schema<number> {
  return custom((value) => typeof value === 'number' && Number.isFinite(value));
}

/** A safe integer from `min` to `max`. */
export function integer({ min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {}): Schema<number> {
  return custom((value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max);
}

export function boolean(): Schema<boolean> {
  return custom((value) => typeof value === 'boolean');
}

export function literal<const T extends string>(...words: readonly T[]): Schema<T> {
  return custom((value) => words.includes(value as T));
}

/** A field that may be left out. */
export function optional<T>(schema: Schema<T>): OptionalSchema<T> {
  return {
    optional: true,
    validate: (value) => value === undefined || schema.validate(value),
    parse: (value) => (value === undefined ? LEFT_OUT : schema.parse(value)),
  };
}

/** A field that may be left out. A copy omits it when its value does not fit. */
export function fallback<T>(schema: Schema<T>): OptionalSchema<T> {
  return { optional: true, validate: () => true, parse: (value) => (schema.validate(value) ? schema.parse(value) : LEFT_OUT) };
}

/** A value that may be null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return { validate: (value) => value === null || schema.validate(value), parse: (value) => (value === null ? null : schema.parse(value)) };
}

export function array<T>(
  item: Schema<T>,
  { min = 0, max = Infinity }: { readonly min?: number; readonly max?: number } = {},
): Schema<readonly T[]> {
  return {
    validate: (value) => {
      if (!Array.isArray(value) || value.length < min || value.length > max) {
        return false;
      }
      // A loop, because `every` skips holes.
      for (let index = 0; index < value.length; index++) {
        if (!item.validate(value[index])) {
          return false;
        }
      }
      return true;
    },
    parse: (value) => (value as readonly unknown[]).map((each) => item.parse(each)),
  };
}

export function object<const F extends Fields>(fields: F): Schema<Shape<F>> {
  const names = Object.keys(fields);
  const schemas = Object.values(fields);
  return {
    validate: (value) => {
      if (!isFields(value)) {
        return false;
      }
      for (let index = 0; index < names.length; index++) {
        if (!schemas[index]!.validate(value[names[index]!])) {
          return false;
        }
      }
      return true;
    },
    parse: (value) => {
      const copy: Record<string, unknown> = {};
      names.forEach((name, index) => {
        const field = schemas[index]!.parse((value as Readonly<Record<string, unknown>>)[name]);
        if (field !== LEFT_OUT) {
          copy[name] = field;
        }
      });
      return copy as Shape<F>;
    },
  };
}

/** An object with values under any name. */
export function record<T>(item: Schema<T>, { max = Infinity }: { readonly max?: number } = {}): Schema<Readonly<Record<string, T>>> {
  return {
    validate: (value) => {
      if (!isFields(value)) {
        return false;
      }
      const items = Object.values(value);
      return items.length <= max && items.every((each) => item.validate(each));
    },
    // Assignment would not work for the name `__proto__`.
    parse: (value) => Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, item.parse(each)])),
  };
}

/** A value that fits one of several schemas. The first that fits counts. */
export function union<const S extends readonly Schema<unknown>[]>(...schemas: S): Schema<Infer<S[number]>> {
  return {
    validate: (value) => schemas.some((schema) => schema.validate(value)),
    parse: (value) => schemas.find((schema) => schema.validate(value))!.parse(value) as Infer<S[number]>,
  };
}

/** An object of one of several kinds, selected by the word under `key`. Unknown words do not fit. */
export function variant<const Key extends string, const Cases extends Readonly<Record<string, Schema<object>>>>(
  key: Key,
  cases: Cases,
): Schema<Variants<Key, Cases>> {
  const caseOf = (value: unknown): Schema<object> | undefined => {
    const word = isFields(value) ? value[key] : undefined;
    return typeof word === 'string' && Object.hasOwn(cases, word) ? cases[word] : undefined;
  };
  return {
    validate: (value) => caseOf(value)?.validate(value) ?? false,
    parse: (value) =>
      ({ [key]: (value as Readonly<Record<string, unknown>>)[key], ...caseOf(value)!.parse(value) }) as unknown as Variants<Key, Cases>,
  };
}

/** A value that fits `schema` and for whose copy `fits` returns true. */
export function refine<T>(schema: Schema<T>, fits: (value: T) => boolean): Schema<T> {
  return { validate: (value) => schema.validate(value) && fits(schema.parse(value)), parse: (value) => schema.parse(value) };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
