/** The value of a word of bash after the removal of quotes, where it is certain. */
import { childrenOf, namedChildrenOf, type SyntaxNode } from './syntaxNode';

/** Nodes whose text only the shell knows. */
const EXPANSIONS: ReadonlySet<string> = new Set([
  'simple_expansion',
  'expansion',
  'command_substitution',
  'process_substitution',
  'arithmetic_expansion',
  'brace_expression',
  'extglob_pattern',
  'subscript',
  'array',
  'translated_string',
]);

/** A number that only the shell knows. No pattern has it. */
const NUMBER = '\ue000';

/** True for an expansion that gives a number: the exit code, and an arithmetic expression of numbers. */
function isNumber({ type, text }: SyntaxNode): boolean {
  return (type === 'simple_expansion' && text === '$?') || (type === 'arithmetic_expansion' && /^\$\(\([\d\s+*/%()-]+\)\)$/.test(text));
}

/** A word without any character that means something to a shell. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** Returns undefined for a word whose value is not certain. */
export function bashWord(node: SyntaxNode): string | undefined {
  if (node.type === 'word' && node.children.length === 0 && PLAIN.test(node.text)) {
    return node.text;
  }
  const value = valueOf(node);
  if (value === undefined || /^(?:\{\w+\}|[{}])$/.test(node.text)) {
    // A name in braces takes a file descriptor, and zsh ends a group at a brace.
    return undefined;
  }
  // A pattern in an option may become another option.
  const isOpen = /^-[^=]*[*?[]/.test(value) && /[*?[]/.test(unquotedText(node).split('=')[0]!);
  return isOpen ? undefined : value;
}

/** The text of a word without its quoted parts. */
function unquotedText(node: SyntaxNode): string {
  switch (node.type) {
    case 'raw_string':
    case 'string':
      return '';
    case 'concatenation':
    case 'command_name':
      return childrenOf(node).map(unquotedText).join('');
    default:
      return node.text;
  }
}

function valueOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'command_name': {
      const [only, ...more] = namedChildrenOf(node);
      return only && more.length === 0 ? bashWord(only) : undefined;
    }
    case 'word':
    case 'number':
    case 'variable_name':
    case 'special_variable_name':
    case 'test_operator':
    case 'regex':
      return isLiteral(node) ? unquoted(node.text) : undefined;
    case 'raw_string':
      return /^'[^']*'$/.test(node.text) ? node.text.slice(1, -1) : undefined;
    case 'string':
      return doubleQuoted(node);
    case 'concatenation':
      return concatenated(node);
    case 'simple_expansion':
    case 'arithmetic_expansion':
      return isNumber(node) ? NUMBER : undefined;
    default:
      return undefined;
  }
}

function isLiteral(node: SyntaxNode): boolean {
  return childrenOf(node).every(({ type }) => !EXPANSIONS.has(type)) && namedChildrenOf(node).length === 0;
}

/** A word that starts with a pattern may become an option, and a list in braces becomes several words. */
function unquoted(text: string): string | undefined {
  const isUncertain =
    /^(?:[*?[=]|!.)/.test(text) || /\{[^}]*(?:,|\.\.)/.test(text) || /[$`]/.test(text.replaceAll(/\\[\s\S]/g, '')) || /[()]/.test(text);
  return isUncertain ? undefined : text.replaceAll('\\\n', '').replaceAll(/\\([\s\S])/g, '$1');
}

function doubleQuoted(node: SyntaxNode): string | undefined {
  const text = node.text;
  const named = namedChildrenOf(node);
  const isPlain = named.every((child) => child.type === 'string_content' || isNumber(child)) && /^"[\s\S]*"$/.test(text) && text.length > 1;
  let inside = text.slice(1, -1);
  for (const child of named.filter(isNumber)) {
    inside = inside.replace(child.text, () => NUMBER);
  }
  // `!` in double quotes is expanded by an interactive shell only. A `$` that begins no expansion stays as it is.
  return isPlain && !/(?:^|[^\\])(?:\\\\)*[`]/.test(inside) && !/(?:^|[^\\])(?:\\\\)*\$[\w({@*#?$!\\-]/.test(inside)
    ? inside.replaceAll('\\\n', '').replaceAll(/\\([$`"\\])/g, '$1')
    : undefined;
}

function concatenated(node: SyntaxNode): string | undefined {
  const parts = childrenOf(node);
  // `{a,b}` is several nodes.
  if (/[{][^}]*(?:,|\.\.)/.test(node.text) || parts.some(({ isNamed }) => !isNamed)) {
    return undefined;
  }
  let value = '';
  for (const part of parts) {
    const each = bashWord(part);
    if (each === undefined) {
      return undefined;
    }
    value += each;
  }
  return value;
}
