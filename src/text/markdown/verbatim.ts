/** Decides which texts of tool calls are shown verbatim instead of as markdown, and formats JSON among them. */

/** The kinds of tools that return a program's output or a file: line ends and columns matter there, asterisks have no meaning. */
const VERBATIM_KINDS: ReadonlySet<string | undefined> = new Set(['execute', 'read', 'search']);

/** True when a tool's text is not Markdown. Text with a fence is Markdown; JSON never is. */
export function isVerbatim(toolKind: string | undefined, text: string): boolean {
  if (/^ {0,3}(?:```|~~~)/m.test(text)) {
    return false;
  }
  return VERBATIM_KINDS.has(toolKind) || /^\s*(?:\{[\s\S]*\}|\[[\s\S]*\])\s*$/.test(text);
}

/** The most UTF-16 units of JSON that is formatted. */
const MAX_JSON = 256 * 1024;

/** Formats JSON that an agent sent on one line; undefined for all other text, and for JSON that is formatted already. */
export function laidOut(text: string): string | undefined {
  const bare = text.trim();
  if (bare.length > MAX_JSON || bare.includes('\n') || !/^(?:\{.*\}|\[.*\])$/.test(bare)) {
    return undefined;
  }
  try {
    return JSON.stringify(JSON.parse(bare), null, 2);
  } catch {
    return undefined;
  }
}
