/** A document of elements and texts only, in which components can be rendered on plain Node.js: no layout, events or scripts. */

class PlainNode {
  parentNode: PlainElement | null = null;
  get nextSibling(): PlainNode | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  get previousSibling(): PlainNode | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) - 1] ?? null;
  }
  get parentElement(): PlainElement | null {
    return this.parentNode;
  }
  get isConnected(): boolean {
    return true;
  }
  get textContent(): string {
    return '';
  }
  remove(): void {
    this.parentNode?.removeChild(this);
  }
}

class PlainText extends PlainNode {
  readonly nodeType = 3;
  readonly localName = undefined;
  constructor(public data: string) {
    super();
  }
  get length(): number {
    return this.data.length;
  }
  override get textContent(): string {
    return this.data;
  }
}

class PlainElement extends PlainNode {
  readonly nodeType = 1;
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml';
  readonly ownerDocument = plainDocument;
  readonly childNodes: PlainNode[] = [];
  readonly style = { setProperty: () => {} };
  private readonly names = new Map<string, string>();

  constructor(readonly localName: string) {
    super();
  }
  get tagName(): string {
    return this.localName.toUpperCase();
  }
  get firstChild(): PlainNode | null {
    return this.childNodes[0] ?? null;
  }
  get attributes(): { name: string; value: string }[] {
    return [...this.names].map(([name, value]) => ({ name, value }));
  }
  override get textContent(): string {
    return this.childNodes.map((child) => child.textContent).join('');
  }
  setAttribute(name: string, value: unknown): void {
    this.names.set(name, String(value));
  }
  removeAttribute(name: string): void {
    this.names.delete(name);
  }
  addEventListener(): void {}
  removeEventListener(): void {}
  insertBefore(child: PlainNode, before: PlainNode | null): PlainNode {
    child.remove();
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, child);
    child.parentNode = this;
    return child;
  }
  appendChild(child: PlainNode): PlainNode {
    return this.insertBefore(child, null);
  }
  removeChild(child: PlainNode): void {
    this.childNodes.splice(this.childNodes.indexOf(child), 1);
    child.parentNode = null;
  }
  contains(node: PlainNode): boolean {
    return node === this || (node.parentNode !== null && this.contains(node.parentNode));
  }
  /** Supports lists of names, classes, attributes and `:not()` of one of them, with descendants. */
  matches(selectors: string): boolean {
    return selectors.split(',').some((selector) => this.matchesOne(selector.trim().split(/\s+/)));
  }
  closest(selectors: string): PlainElement | null {
    return this.matches(selectors) ? this : (this.parentElement?.closest(selectors) ?? null);
  }
  querySelectorAll(selectors: string): PlainElement[] {
    return this.childNodes
      .filter((child) => child instanceof PlainElement)
      .flatMap((child) => [...(child.matches(selectors) ? [child] : []), ...child.querySelectorAll(selectors)]);
  }
  querySelector(selectors: string): PlainElement | null {
    return this.querySelectorAll(selectors)[0] ?? null;
  }
  private matchesOne(parts: readonly string[]): boolean {
    const last = parts.at(-1)!;
    const [, not] = /^:not\((.*)\)$/.exec(last) ?? [];
    const isIt =
      not === undefined
        ? (last.match(/\.[\w-]+|\[[^\]]+\]|^[\w-]+/g) ?? []).every((simple) => this.isSimply(simple))
        : !this.matchesOne([not]);
    return isIt && (parts.length === 1 || (this.parentElement?.closest(parts.slice(0, -1).join(' ')) ?? null) !== null);
  }
  private isSimply(simple: string): boolean {
    const [, name, value] = /^\[([\w-]+)(?:="(.*)")?\]$/.exec(simple) ?? [];
    return name !== undefined
      ? this.names.has(name) && (value === undefined || this.names.get(name) === value)
      : simple.startsWith('.')
        ? (this.names.get('class') ?? '').split(/\s+/).includes(simple.slice(1))
        : this.localName === simple;
  }
}

const plainDocument = {
  createElementNS: (_: string, name: string) => new PlainElement(name),
  createElement: (name: string) => new PlainElement(name),
  createTextNode: (data: string) => new PlainText(data),
};

const GLOBALS = {
  document: { ...plainDocument, createTreeWalker: () => ({ nextNode: () => false }) },
  Text: PlainText,
  Element: PlainElement,
  HTMLElement: PlainElement,
  NodeFilter: { SHOW_TEXT: 4 },
  IntersectionObserver: class {
    observe(): void {}
    unobserve(): void {}
  },
  StaticRange: class {
    constructor(init: object) {
      Object.assign(this, init);
    }
  },
};

/** Defines the document's names as globals. Returns a function that restores them, and an element to render into. */
export function plainDocumentAtHand(): { root: Element; leave: () => void } {
  const before = Object.entries(GLOBALS).map(([name]) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  Object.assign(globalThis, GLOBALS);
  return {
    root: new PlainElement('div') as unknown as Element,
    leave: () => {
      for (const [name, descriptor] of before) {
        if (descriptor) {
          Object.defineProperty(globalThis, name, descriptor);
        } else {
          Reflect.deleteProperty(globalThis, name);
        }
      }
    },
  };
}
