/** A syntax tree as plain objects. */

export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly isMissing: boolean;
  readonly isNamed: boolean;
  readonly children: readonly SyntaxNode[];
}

/** A parser with its grammar. Returns null when it gave up. */
export interface SyntaxParser {
  parse(text: string): SyntaxNode | null;
}

export function childrenOf({ children }: SyntaxNode): readonly SyntaxNode[] {
  return children;
}

export function namedChildrenOf({ children }: SyntaxNode): readonly SyntaxNode[] {
  return children.filter(({ isNamed }) => isNamed);
}
