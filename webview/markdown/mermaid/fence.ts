import type { Tokens } from 'marked';

/** True for a finished code block that is a diagram. While it is still being written it is only text. */
export function isDiagram({ raw, lang, text }: Tokens.Code): boolean {
  if (!/^mermaid(?![\w-])/i.test(lang ?? '') || text.trim() === '') {
    return false;
  }
  const opening = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  const closing = /\n {0,3}(`{3,}|~{3,})[ \t]*\n*$/.exec(raw)?.[1];
  return opening !== undefined && closing?.startsWith(opening) === true;
}
