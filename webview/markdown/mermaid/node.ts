/** The nodes of a drawing's tree and their parents and children. */
import { isElement, type TreeDocument, type TreeElement, type TreeNode } from './tree';

export abstract class DomNode implements TreeNode {
  parentNode: TreeElement | null = null;
  abstract textContent: string;

  constructor(
    readonly ownerDocument: TreeDocument,
    readonly nodeType: number,
  ) {
    ownerDocument.count();
  }

  abstract cloneNode(deep?: boolean): TreeNode;

  get parentElement(): TreeElement | null {
    return this.parentNode;
  }
  get nextSibling(): TreeNode | null {
    const siblings = this.parentNode?.childNodes;
    return siblings?.[siblings.indexOf(this) + 1] ?? null;
  }
  get previousSibling(): TreeNode | null {
    const siblings = this.parentNode?.childNodes;
    return siblings?.[siblings.indexOf(this) - 1] ?? null;
  }
  get isConnected(): boolean {
    return this.ownerDocument.documentElement.contains(this);
  }

  /** Mermaid serializes its own objects as JSON with the elements in them. */
  toJSON(): string {
    return '';
  }
  remove(): void {
    this.parentNode?.removeChild(this);
  }
  /** Only reports which of two nodes comes first. */
  compareDocumentPosition(other: TreeNode): number {
    const all = this.ownerDocument.documentElement.descendants();
    return all.indexOf(this) < all.indexOf(other) ? 4 : 2;
  }
}

export class DomText extends DomNode {
  constructor(
    ownerDocument: TreeDocument,
    public textContent: string,
  ) {
    super(ownerDocument, 3);
  }

  cloneNode(): DomText {
    return new DomText(this.ownerDocument, this.textContent);
  }
}

/** A node with children. */
export abstract class DomParent extends DomNode {
  readonly childNodes: TreeNode[] = [];

  get children(): TreeElement[] {
    return this.childNodes.filter(isElement);
  }
  get firstChild(): TreeNode | null {
    return this.childNodes[0] ?? null;
  }
  get lastChild(): TreeNode | null {
    return this.childNodes.at(-1) ?? null;
  }
  get firstElementChild(): TreeElement | null {
    return this.children[0] ?? null;
  }
  get lastElementChild(): TreeElement | null {
    return this.children.at(-1) ?? null;
  }
  get childElementCount(): number {
    return this.children.length;
  }
  get textContent(): string {
    return this.childNodes.map((child) => child.textContent).join('');
  }
  set textContent(text: unknown) {
    this.replaceChildren(...(text === null || text === undefined || text === '' ? [] : [this.ownerDocument.createTextNode(String(text))]));
  }
  /** All descendants, in document order. */
  descendants(): TreeNode[] {
    return this.childNodes.flatMap((child) => (isElement(child) ? [child, ...child.descendants()] : [child]));
  }

  appendChild<T extends TreeNode>(child: T): T {
    return this.insertBefore(child, null);
  }
  append(...added: (TreeNode | string)[]): void {
    for (const each of added) {
      this.appendChild(typeof each === 'string' ? this.ownerDocument.createTextNode(each) : each);
    }
  }
  insertBefore<T extends TreeNode>(child: T, before: TreeNode | null | undefined): T {
    // A node inside itself would make every traversal of the tree endless.
    if (isElement(child) && child.contains(this)) {
      throw new Error('HierarchyRequestError');
    }
    child.remove();
    const at = before ? this.childNodes.indexOf(before) : -1;
    if (at < 0) {
      this.childNodes.push(child);
    } else {
      this.childNodes.splice(at, 0, child);
    }
    child.parentNode = this as unknown as TreeElement;
    return child;
  }
  insertAdjacentElement(_where: string, child: TreeElement): TreeElement {
    return this.appendChild(child);
  }
  removeChild<T extends TreeNode>(child: T): T {
    const at = this.childNodes.indexOf(child);
    if (at >= 0) {
      this.childNodes.splice(at, 1);
    }
    child.parentNode = null;
    return child;
  }
  replaceChildren(...children: TreeNode[]): void {
    for (const child of [...this.childNodes]) {
      this.removeChild(child);
    }
    this.append(...children);
  }
  contains(other: TreeNode | null): boolean {
    for (let node = other; node; node = node.parentNode) {
      if ((node as TreeNode) === this) {
        return true;
      }
    }
    return false;
  }
}
