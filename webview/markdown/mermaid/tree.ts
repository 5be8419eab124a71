/** The interfaces of a drawing's tree for the functions that read it. `dom.ts` and `node.ts` have the classes. */
import type { Declarations } from './style';

export interface TreeDocument {
  readonly documentElement: TreeElement;
  /** The element whose markup was read last. */
  finished: TreeElement | undefined;
  /** Counts a new node. @throws TooLarge when there are too many */
  count(): void;
  createElementNS(space: string, name: string): TreeElement;
  createTextNode(text: string): TreeNode;
}

export interface TreeNode {
  readonly ownerDocument: TreeDocument;
  readonly nodeType: number;
  parentNode: TreeElement | null;
  get textContent(): string;
  cloneNode(deep?: boolean): TreeNode;
  remove(): void;
}

export interface TreeElement extends TreeNode {
  readonly namespaceURI: string;
  readonly localName: string;
  readonly id: string;
  readonly className: string;
  /** All attributes except `style`. */
  readonly attributeMap: ReadonlyMap<string, string>;
  /** The declarations of its `style` attribute. */
  readonly declarations: Declarations;
  readonly childNodes: readonly TreeNode[];
  readonly children: readonly TreeElement[];
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: unknown): void;
  hasAttribute(name: string): boolean;
  contains(other: TreeNode | null): boolean;
  descendants(): TreeNode[];
  appendChild<T extends TreeNode>(child: T): T;
  removeChild<T extends TreeNode>(child: T): T;
  closest(selector: string): TreeElement | null;
}

/** px */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function isElement(node: TreeNode): node is TreeElement {
  return node.nodeType === 1;
}
