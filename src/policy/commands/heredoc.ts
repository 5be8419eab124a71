/** The end of a here-document, checked without the grammar. */
import { childrenOf, type SyntaxNode } from './syntaxNode';

/** True for a plain delimiter that ends the body where the shell does. */
export function isPlainHeredoc(node: SyntaxNode): boolean {
  const parts = childrenOf(node);
  const start = parts.find(({ type }) => type === 'heredoc_start');
  const body = parts.find(({ type }) => type === 'heredoc_body');
  const end = parts.find(({ type }) => type === 'heredoc_end');
  const [, quote = '', name = ''] = /^(?:(['"])(\w+)\1|\\?\w+)$/.exec(start?.text ?? '') ?? [];
  const delimiter = name === '' ? (/^\\?(\w+)$/.exec(start?.text ?? '')?.[1] ?? '') : name;
  if (delimiter === '' || !end || end.text.trim() !== delimiter) {
    return false;
  }
  const text = body?.text ?? '';
  const areTabs = parts.some(({ type }) => type === '<<-');
  const lines = text.split('\n').map((line) => (areTabs ? line.replace(/^\t+/, '') : line));
  const isQuoted = quote !== '' || start!.text.startsWith('\\');
  return (isQuoted || !text.includes('\\\n')) && !lines.includes(delimiter);
}
