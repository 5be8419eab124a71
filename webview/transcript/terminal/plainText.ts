/** Which texts of tool calls are to be shown letter by letter, and how much of them at first. */

/** What such a tool gives is a program's output or a file: line ends and columns mean something there, asterisks do not. */
const VERBATIM_KINDS: ReadonlySet<string | undefined> = new Set(['execute', 'read', 'search']);

/** True when a tool's text is no Markdown. Whoever fences its output means Markdown; JSON is never Markdown. */
export function isVerbatim(toolKind: string | undefined, text: string): boolean {
  if (/^ {0,3}(?:```|~~~)/m.test(text)) {
    return false;
  }
  return VERBATIM_KINDS.has(toolKind) || /^\s*(?:\{[\s\S]*\}|\[[\s\S]*\])\s*$/.test(text);
}

/** The first `count` lines of `text`; lines after them are never looked at. */
export function firstLines(text: string, count: number): { text: string; cut: boolean } {
  let at = -1;
  for (let seen = 0; seen < count; seen++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0 || at === text.length - 1) {
      return { text, cut: false };
    }
  }
  return { text: text.slice(0, at), cut: true };
}
