/** The part of tree-sitter that the readers use. Its objects satisfy these types. */

export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly isMissing: boolean;
  readonly isNamed: boolean;
  readonly children: readonly (SyntaxNode | null)[];
}

export interface SyntaxTree {
  readonly rootNode: SyntaxNode;
  delete(): void;
}

/** A parser with its grammar. Returns null when it gave up. */
export interface SyntaxParser {
  parse(text: string): SyntaxTree | null;
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.filter((child) => child !== null);
}

export function namedChildrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return childrenOf(node).filter(({ isNamed }) => isNamed);
}
