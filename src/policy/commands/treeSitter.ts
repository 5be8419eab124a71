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
  await (started ??= start(treeSitter, fileOf));
  const language = await treeSitter.Language.load(fileOf(`tree-sitter-${grammar}.wasm`));
  const parser = new treeSitter.Parser();
  parser.setLanguage(language);
  const kinds = new Map<number, Kind>();
  return { parse: (text) => parsed(parser, text, kinds) };
}

/** The parts of Emscripten's runtime that {@link start} replaces. They are public there, and the runtime adds them to its options. */
interface Runtime {
  locateFile(name: string): string;
  /** The memory. The runtime replaces it when it grows. */
  HEAP32?: Int32Array;
  getValue?(address: number, type: string): number;
  setValue?(address: number, value: number, type: string): void;
}

/**
 * Starts the runtime. Each step of a cursor reads and writes eight numbers, and the runtime looks at the name of their type each time. Copying the
 * tree takes half as long without that.
 */
async function start(treeSitter: typeof TreeSitter, fileOf: (name: string) => string): Promise<void> {
  const runtime: Runtime = { locateFile: (name) => fileOf(name) };
  await treeSitter.Parser.init(runtime);
  const { HEAP32, getValue, setValue } = runtime;
  if (HEAP32 && getValue && setValue && IS_LITTLE_ENDIAN) {
    runtime.getValue = (address, type) => (type === 'i32' ? runtime.HEAP32![address >> 2]! : getValue(address, type));
    runtime.setValue = (address, value, type) => {
      if (type === 'i32') {
        runtime.HEAP32![address >> 2] = value;
      } else {
        setValue(address, value, type);
      }
    };
  }
}

/** WebAssembly stores numbers in this order on every machine. */
const IS_LITTLE_ENDIAN = new Uint8Array(new Int32Array([1]).buffer)[0] === 1;

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

/** A class, because an object literal with a getter takes several times as long. */
class CopiedNode implements SyntaxNode {
  constructor(
    readonly type: string,
    readonly isNamed: boolean,
    readonly isMissing: boolean,
    readonly startIndex: number,
    readonly endIndex: number,
    readonly children: readonly SyntaxNode[],
    private readonly line: string,
  ) {}

  get text(): string {
    return this.line.slice(this.startIndex, this.endIndex);
  }
}

const NO_CHILDREN: readonly SyntaxNode[] = [];

/** Copies the tree. Each property and each step of a cursor is a call into WebAssembly. */
function nodeAt(cursor: TreeCursor, line: string, kinds: Map<number, Kind>): SyntaxNode {
  const { nodeTypeId, startIndex, endIndex } = cursor;
  let kind = kinds.get(nodeTypeId);
  if (!kind) {
    kind = { type: cursor.nodeType, isNamed: cursor.nodeIsNamed };
    kinds.set(nodeTypeId, kind);
  }
  const { type, isNamed } = kind;
  // A missing node has no text.
  const isMissing = startIndex === endIndex && cursor.nodeIsMissing;
  let children = NO_CHILDREN;
  if (cursor.gotoFirstChild()) {
    const found: SyntaxNode[] = [];
    do {
      found.push(nodeAt(cursor, line, kinds));
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
    children = found;
  }
  return new CopiedNode(type, isNamed, isMissing, startIndex, endIndex, children, line);
}
