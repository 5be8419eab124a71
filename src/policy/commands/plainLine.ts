/** The syntax tree of a line that is one command of plain words, built without the grammar. Most lines of agents are such commands. */
import type { SyntaxNode } from './syntaxNode';

/** A program, and words without any character that means something to a shell. Only an option may have a `=`. */
const PLAIN = /^[A-Za-z./_][\w./-]*(?: +(?:-[\w./:@%+,=-]*|[\w./:@%+,][\w./:@%+,-]*))*$/;

/** Words that begin other syntax, or that the grammar reads as more than a command. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'if then elif else fi for in while until do done case esac select function time coproc repeat foreach end always nocorrect ' +
    'declare typeset export readonly local unset unsetenv let'
  ).split(' '),
);

/** Returns undefined for a line that needs the grammar. */
export function plainTree(line: string): SyntaxNode | undefined {
  if (!PLAIN.test(line)) {
    return undefined;
  }
  const words: SyntaxNode[] = [];
  for (let at = 0; at < line.length; ) {
    const blank = line.indexOf(' ', at);
    const end = blank < 0 ? line.length : blank;
    if (end > at) {
      const text = line.slice(at, end);
      if (KEYWORDS.has(text)) {
        return undefined;
      }
      words.push(node('word', text, at, []));
    }
    at = end + 1;
  }
  const [program, ...rest] = words;
  if (!program) {
    return undefined;
  }
  return node('program', line, 0, [node('command', line, 0, [node('command_name', program.text, 0, [program]), ...rest])]);
}

function node(type: string, text: string, startIndex: number, children: readonly SyntaxNode[]): SyntaxNode {
  return { type, text, startIndex, endIndex: startIndex + text.length, isMissing: false, isNamed: true, children };
}
