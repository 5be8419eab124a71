/**
 * Reads a JSON object's source text for two rare cases that `JSON.parse` does not cover. Ids beyond 2^53 must be echoed digit by digit. A message
 * whose middle was not read still has members at its two ends.
 */

/** Returns the members of the object at the start of `text`, as key and source text of the value. A value that is cut off maps to `undefined`. */
export function membersOf(text: string): Map<string, string | undefined> {
  const members = new Map<string, string | undefined>();
  let at = blank(text, 0);
  if (text[at] !== '{') {
    return members;
  }
  at = blank(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    if (keyEnd < 0) {
      break;
    }
    const key = unquote(text.slice(at, keyEnd));
    at = blank(text, keyEnd);
    if (text[at] !== ':') {
      break;
    }
    at = blank(text, at + 1);
    const end = valueEnd(text, at);
    members.set(key, end < 0 ? undefined : text.slice(at, end));
    if (end < 0) {
      break;
    }
    at = blank(text, end);
    if (text[at] !== ',') {
      break;
    }
    at = blank(text, at + 1);
  }
  return members;
}

/** `,"key":value` at the end of a text, where the value is neither an object nor an array. */
const LAST_MEMBER = /,\s*"([^"\\]*)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|null|true|false)\s*$/;

/**
 * Returns the last members of the object at the end of `text`, as far as they are plain values, as key and source text. `text` may begin anywhere in
 * the object.
 */
export function lastMembersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  const whole = text.trimEnd();
  let rest = whole.endsWith('}') ? whole.slice(0, -1) : '';
  for (let found = LAST_MEMBER.exec(rest); found; found = LAST_MEMBER.exec(rest)) {
    const [, key = '', value = ''] = found;
    if (!members.has(key)) {
      members.set(key, value);
    }
    rest = rest.slice(0, found.index);
  }
  return members;
}

/**
 * Returns a JSON-RPC id as text that can be written back unchanged: strings in `JSON.stringify`'s form, numbers as the sender wrote them. `undefined`
 * when `id` is not a string, number or null. `path` leads from `text`'s object to the id.
 */
export function idLiteral(id: unknown, text: string, path: readonly string[]): string | undefined {
  if (typeof id === 'string') {
    return JSON.stringify(id);
  }
  if (id === null) {
    return 'null';
  }
  if (typeof id !== 'number') {
    return undefined;
  }
  const usual = String(id);
  if (
    Number.isSafeInteger(id) &&
    text.startsWith(usual, USUAL_START.length) &&
    text.startsWith(USUAL_START) &&
    text[USUAL_START.length + usual.length] === ','
  ) {
    return usual;
  }
  let source: string | undefined = text;
  for (const key of path) {
    source = source === undefined ? undefined : membersOf(source).get(key);
  }
  return source ?? usual;
}

/** The start of the requests of nearly every agent. */
const USUAL_START = '{"jsonrpc":"2.0","id":';

/** Returns a key that is equal for different notations of one id. Numbers that lose digits are equal only when they are written alike. */
export function idKey(literal: string): string {
  const value = literal.startsWith('"') ? NaN : Number(literal);
  return literal !== 'null' && Number.isSafeInteger(value) ? String(value) : literal;
}

function blank(text: string, at: number): number {
  let next = at;
  while (next < text.length && text.charCodeAt(next) <= 32) {
    next++;
  }
  return next;
}

/** The index after the closing quote of the string that begins at `at`, or -1. */
function stringEnd(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end > 0) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') {
      slashes++;
    }
    if (slashes % 2 === 0) {
      return end + 1;
    }
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

const SCALAR_END = /[\s,}\]]/g;
const STRUCTURE = /["{}[\]]/g;

function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '"') {
    return stringEnd(text, at);
  }
  if (first !== '{' && first !== '[') {
    SCALAR_END.lastIndex = at;
    return SCALAR_END.exec(text)?.index ?? -1;
  }
  let depth = 0;
  let next = at;
  for (;;) {
    STRUCTURE.lastIndex = next;
    const found = STRUCTURE.exec(text);
    if (!found) {
      return -1;
    }
    if (found[0] === '"') {
      next = stringEnd(text, found.index);
      if (next < 0) {
        return -1;
      }
      continue;
    }
    depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    next = found.index + 1;
    if (depth === 0) {
      return next;
    }
  }
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}
