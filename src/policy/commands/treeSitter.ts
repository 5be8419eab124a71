/** The parsers of bash and PowerShell, from WebAssembly files. Loaded with the first command that a rule may decide. */
import { createRequire } from 'node:module';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import type { Parser, Tree, TreeCursor } from '@vscode/tree-sitter-wasm';
import type { SyntaxNode, SyntaxParser } from './syntaxNode';

/** ms after which a line is given up. */
const TIME_LIMIT_MS = 1000;

/** The start of the runtime. A second start would take the memory of the parsers that exist away from them, which then misread lines. */
let started: Promise<void> | undefined;

/**
 * Loads the parser of a grammar. Rejects when a file is missing or broken.
 * @param fileOf returns the absolute path of a file of the package `@vscode/tree-sitter-wasm` by its name
 */
export async function loadParser(grammar: 'bash' | 'powershell', fileOf: (name: string) => string): Promise<SyntaxParser> {
  // The runtime cannot be a part of a bundle: it looks for `require` and for its own file.
  const runtime = fileOf('tree-sitter.js');
  const treeSitter = createRequire(runtime)(runtime) as typeof TreeSitter;
  await (started ??= treeSitter.Parser.init({ locateFile: (name: string) => fileOf(name) }));
  const language = await treeSitter.Language.load(fileOf(`tree-sitter-${grammar}.wasm`));
  const parser = new treeSitter.Parser();
  parser.setLanguage(language);
  const kinds = new Map<number, Kind>();
  return { parse: (text) => parsed(parser, text, kinds) };
}

/** The type of a node by its number. */
interface Kind {
  readonly type: string;
  readonly isNamed: boolean;
}

function parsed(parser: Parser, text: string, kinds: Map<number, Kind>): SyntaxNode | null {
  const end = performance.now() + TIME_LIMIT_MS;
  const tree: Tree | null = parser.parse(text, null, { progressCallback: () => performance.now() > end });
  if (!tree) {
    parser.reset();
    return null;
  }
  const cursor = tree.walk();
  try {
    return nodeAt(cursor, text, kinds);
  } finally {
    cursor.delete();
    tree.delete();
  }
}

/** Copies the tree. Each property of an object of tree-sitter is a call into WebAssembly. */
function nodeAt(cursor: TreeCursor, line: string, kinds: Map<number, Kind>): SyntaxNode {
  const children: SyntaxNode[] = [];
  const { nodeTypeId, startIndex, endIndex } = cursor;
  let kind = kinds.get(nodeTypeId);
  if (!kind) {
    kind = { type: cursor.nodeType, isNamed: cursor.nodeIsNamed };
    kinds.set(nodeTypeId, kind);
  }
  const { type, isNamed } = kind;
  // A missing node has no text.
  const isMissing = startIndex === endIndex && cursor.nodeIsMissing;
  if (cursor.gotoFirstChild()) {
    do {
      children.push(nodeAt(cursor, line, kinds));
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return {
    type,
    startIndex,
    endIndex,
    isMissing,
    isNamed,
    children,
    get text() {
      return line.slice(startIndex, endIndex);
    },
  };
}
