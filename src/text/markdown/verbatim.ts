/** Which texts of tool calls are no markdown, but shown letter by letter, and how JSON among them is laid out. */

/** What such a tool gives is a program's output or a file: line ends and columns mean something there, asterisks do not. */
const VERBATIM_KINDS: ReadonlySet<string | undefined> = new Set(['execute', 'read', 'search']);

/** True when a tool's text is no Markdown. Whoever fences its output means Markdown; JSON is never Markdown. */
export function isVerbatim(toolKind: string | undefined, text: string): boolean {
  if (/^ {0,3}(?:```|~~~)/m.test(text)) {
    return false;
  }
  return VERBATIM_KINDS.has(toolKind) || /^\s*(?:\{[\s\S]*\}|\[[\s\S]*\])\s*$/.test(text);
}

/** UTF-16 units of JSON that is laid out. */
const MAX_JSON = 256 * 1024;

/** JSON that an agent sent on one line, laid out; undefined for all other text, and for what is laid out already. */
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
