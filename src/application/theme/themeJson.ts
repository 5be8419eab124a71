// The package's main file loads its parts in a way that no bundler follows, so this is another entry.
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';

/** Parses the JSON of themes, which may contain comments and trailing commas. Throws a `SyntaxError` like `JSON.parse`. Pure. */
export function parseLooseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true }) as unknown;
  const [first] = errors;
  if (first) {
    throw new SyntaxError(`${printParseErrorCode(first.error)} at character ${first.offset}`);
  }
  return value;
}
