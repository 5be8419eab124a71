/** Reads paths in a patch. Git quotes a path with unusual characters like a string of C, with UTF-8 bytes as octal numbers. Pure. */

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '"': '"', '\\': '\\' };

/** Returns a path that may be quoted. Text that is no correct quotation is the path itself. */
export function pathOf(raw: string): string {
  const quoted = readQuoted(raw);
  return quoted && quoted.rest.trim() === '' ? quoted.path : raw;
}

/** Returns the path at the beginning of `raw`, and the text after its quotation mark. */
function readQuoted(raw: string): { readonly path: string; readonly rest: string } | undefined {
  const quotation = raw.startsWith('"') ? /^"((?:[^"\\]|\\[^])*)"/.exec(raw) : undefined;
  if (!quotation) {
    return undefined;
  }
  let isCorrect = true;
  const path = quotation[1]!.replace(/(?:\\[0-3][0-7]{2})+|\\[^]/g, (escape) => {
    if (/^\\[0-7]/.test(escape) && escape.length >= 4) {
      return utf8(escape.split('\\').slice(1));
    }
    const character = ESCAPES[escape[1]!];
    isCorrect &&= character !== undefined;
    return character ?? escape;
  });
  return isCorrect ? { path, rest: raw.slice(quotation[0].length) } : undefined;
}

/** Decodes bytes of UTF-8, as octal numbers. Bytes in another encoding become one replacement character each. */
function utf8(octals: readonly string[]): string {
  const bytes = octals.map((octal) => Number.parseInt(octal, 8));
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return bytes.map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : '\ufffd')).join('');
  }
}

/**
 * Returns the two paths of a line `diff --git`, without its beginning. Undefined when it is not clear where the first one ends: paths with spaces
 * are not quoted.
 * @param known paths that the line may name
 */
export function headerPaths(names: string, known: readonly string[]): readonly [string, string] | undefined {
  const quoted = readQuoted(names);
  if (quoted) {
    return quoted.rest.startsWith(' ') ? [quoted.path, pathOf(quoted.rest.slice(1))] : undefined;
  }
  const quotation = names.indexOf(' "');
  if (quotation > 0) {
    return [names.slice(0, quotation), pathOf(names.slice(quotation + 1))];
  }
  // Both names are the same, unless other lines of the header name a move or a copy.
  const half = (names.length - 1) / 2;
  const [first, second] = [names.slice(0, half), names.slice(half + 1)];
  const isSame = first === second || (first.startsWith('a/') && second.startsWith('b/') && first.slice(2) === second.slice(2));
  if (names[half] === ' ' && isSame) {
    return [first, second];
  }
  const end = known.find((path) => names.endsWith(` ${path}`) && names.length > path.length + 1);
  if (end !== undefined) {
    return [names.slice(0, -end.length - 1), end];
  }
  const parts = names.split(' ');
  return parts.length === 2 ? [parts[0]!, parts[1]!] : undefined;
}
