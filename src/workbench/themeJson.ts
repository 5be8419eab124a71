/** JSON as people write themes in it: with comments and with commas before a closing bracket. Throws a `SyntaxError` as `JSON.parse` does. Pure. */
export function parseLooseJson(text: string): unknown {
  // A string is taken whole, so that nothing in it is mistaken for a comment.
  const bare = text.replace(/^\uFEFF/, '').replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n\r]*|\/\*[^]*?\*\//g, (_match, string?: string) => string ?? ' ');
  return JSON.parse(bare.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_match, string?: string) => string ?? '')) as unknown;
}
