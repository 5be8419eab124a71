// Not the package's main file: it loads its parts in a way that no bundler follows.
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';

/** JSON as people write themes in it: with comments and with commas before a closing bracket. Throws a `SyntaxError` as `JSON.parse` does. Pure. */
export function parseLooseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true }) as unknown;
  const [first] = errors;
  if (first) {
    throw new SyntaxError(`${printParseErrorCode(first.error)} at character ${first.offset}`);
  }
  return value;
}
