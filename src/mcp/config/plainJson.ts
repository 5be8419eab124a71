/** JSON with comments, read from a file that may be hostile: only own members count, and the depth and the number of values are limited. */
// The package's main file loads its parts in a way that no bundler follows, so this is another entry.
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';

/** A JSON value whose objects have no prototype. */
export type Plain = string | number | boolean | null | readonly Plain[] | PlainObject;
export interface PlainObject {
  readonly [name: string]: Plain;
}

/** UTF-16 units of a file. */
export const MAX_TEXT = 1_000_000;
const MAX_DEPTH = 20;
const MAX_VALUES = 20_000;

/** Parses a file. Throws an `Error` whose message is for the user. */
export function parsePlain(text: string): Plain {
  if (text.length > MAX_TEXT) {
    throw new Error(`more than ${MAX_TEXT} characters`);
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new Error(`${printParseErrorCode(first.error)} in line ${line}`);
  }
  return plainOf(value);
}

/**
 * Returns a copy of the value with own members only. A member `__proto__` sets the prototype of what the parser returns, so its content would be
 * read although no list of members shows it. Throws for a value that is too deep or too large.
 */
export function plainOf(value: unknown): Plain {
  let count = 0;
  const copy = (each: unknown, depth: number): Plain => {
    if (++count > MAX_VALUES || depth > MAX_DEPTH) {
      throw new Error(depth > MAX_DEPTH ? `more than ${MAX_DEPTH} levels` : `more than ${MAX_VALUES} values`);
    }
    if (Array.isArray(each)) {
      return each.map((item) => copy(item, depth + 1));
    }
    if (typeof each === 'object' && each !== null) {
      const result = Object.create(null) as Record<string, Plain>;
      for (const [name, item] of Object.entries(each)) {
        result[name] = copy(item, depth + 1);
      }
      return result;
    }
    return typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean' ? each : null;
  };
  return copy(value, 0);
}

export function isPlainObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON of a value with sorted members: the same for the same content. */
export function canonical(value: Plain): string {
  if (Array.isArray(value)) {
    return `[${(value as readonly Plain[]).map(canonical).join(',')}]`;
  }
  if (isPlainObject(value)) {
    const members = Object.keys(value).sort();
    return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name]!)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
