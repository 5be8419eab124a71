/**
 * The parts of the DOM that Mermaid needs to lay out and draw in a worker. It runs no script, loads nothing and renders nothing. `serialize.ts`
 * writes the result from a list of allowed elements.
 */
import { boxIn, boxOf } from './boxes';
import { decodeLabel, readMarkup } from './markup';
import { TooLarge } from './messages';
import { DomParent, DomText } from './node';
import { pathLength, pathPointAt } from './paths';
import { find, matches } from './selector';
import { Declarations, styleProxy } from './style';
import { textLength } from './text';
import { type Box, isElement, type TreeDocument, type TreeElement } from './tree';

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

/** Nodes in one drawing; far more than a readable picture has. */
const MAX_NODES = 60_000;

export class DomElement extends DomParent implements TreeElement {
  readonly attributeMap = new Map<string, string>();
  readonly declarations = new Declarations();
  readonly style: Record<string, unknown> = styleProxy(this.declarations);

  constructor(
    ownerDocument: TreeDocument,
    readonly namespaceURI: string,
    readonly localName: string,
  ) {
    super(ownerDocument, 1);
  }

  get tagName(): string {
    return this.namespaceURI === HTML ? this.localName.toUpperCase() : this.localName;
  }
  get nodeName(): string {
    return this.tagName;
  }
  get id(): string {
    return this.getAttribute('id') ?? '';
  }
  set id(value: string) {
    this.setAttribute('id', value);
  }
  get className(): string {
    return this.getAttribute('class') ?? '';
  }
  set className(value: string) {
    this.setAttribute('class', value);
  }
  get attributes(): { name: string; value: string }[] {
    return [...this.attributeMap].map(([name, value]) => ({ name, value }));
  }

  get classList() {
    const change = (edit: (names: Set<string>) => void) => {
      const names = new Set(this.className.split(/\s+/).filter(Boolean));
      edit(names);
      this.className = [...names].join(' ');
    };
    return {
      add: (...added: string[]) => change((names) => added.forEach((name) => names.add(name))),
      remove: (...removed: string[]) => change((names) => removed.forEach((name) => names.delete(name))),
      contains: (name: string) => this.className.split(/\s+/).includes(name),
    };
  }

  getAttribute(name: string): string | null {
    if (name === 'style') {
      return this.declarations.cssText || null;
    }
    return this.attributeMap.get(name) ?? null;
  }
  setAttribute(name: string, value: unknown): void {
    if (name === 'style') {
      this.declarations.cssText = String(value);
    } else {
      this.attributeMap.set(String(name), String(value));
    }
  }
  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }
  removeAttribute(name: string): void {
    if (name === 'style') {
      this.declarations.cssText = '';
    } else {
      this.attributeMap.delete(name);
    }
  }
  getAttributeNS(_space: string | null, name: string): string | null {
    return this.getAttribute(name);
  }
  setAttributeNS(_space: string | null, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }
  removeAttributeNS(_space: string | null, name: string): void {
    this.removeAttribute(name);
  }

  override cloneNode(deep = false): TreeElement {
    const copy = this.ownerDocument.createElementNS(this.namespaceURI, this.localName);
    for (const [name, value] of this.attributeMap) {
      copy.setAttribute(name, value);
    }
    copy.declarations.cssText = this.declarations.cssText;
    if (deep) {
      for (const child of this.childNodes) {
        copy.appendChild(child.cloneNode(true));
      }
    }
    return copy;
  }

  /** Mermaid reads `innerHTML` of the finished diagram, so the getter records which element that is. The returned text is not used. */
  get innerHTML(): string {
    this.ownerDocument.finished = this;
    return this.textContent;
  }
  set innerHTML(markup: string) {
    this.replaceChildren();
    if (this.localName === 'style') {
      this.textContent = markup;
    } else {
      readMarkup(this, markup);
    }
  }

  querySelector(selector: string): TreeElement | null {
    return find(this, selector, true)[0] ?? null;
  }
  querySelectorAll(selector: string): TreeElement[] {
    return find(this, selector, false);
  }
  matches(selector: string): boolean {
    return matches(this, selector);
  }
  closest(selector: string): TreeElement | null {
    if (this.matches(selector)) {
      return this;
    }
    return this.parentNode?.closest(selector) ?? null;
  }

  getBBox(): Box {
    return boxOf(this);
  }
  getBoundingClientRect() {
    const { x, y, width, height } = boxIn(this, undefined);
    return { x, y, width, height, left: x, top: y, right: x + width, bottom: y + height };
  }
  getComputedTextLength(): number {
    return textLength(this);
  }
  getTotalLength(): number {
    return pathLength(this.getAttribute('d') ?? '');
  }
  getPointAtLength(length: number): { x: number; y: number } {
    return pathPointAt(this.getAttribute('d') ?? '', length);
  }
  /** The width of the column that a drawing may fill. */
  get offsetWidth(): number {
    return 780;
  }
  get clientWidth(): number {
    return 780;
  }
  get clientHeight(): number {
    return 600;
  }
  addEventListener(): void {}
  removeEventListener(): void {}
}

export class DomDocument implements TreeDocument {
  readonly nodeType = 9;
  readonly documentElement: DomElement;
  readonly head: DomElement;
  readonly body: DomElement;
  defaultView: unknown;
  /** The element whose markup was read last. */
  finished: TreeElement | undefined;
  private nodes = 0;

  constructor() {
    this.documentElement = this.createElement('html');
    this.head = this.documentElement.appendChild(this.createElement('head'));
    this.body = this.documentElement.appendChild(this.createElement('body'));
  }

  /** Removes the previous drawing. */
  clear(): void {
    this.head.replaceChildren();
    this.body.replaceChildren();
    this.finished = undefined;
    this.nodes = 0;
  }
  count(): void {
    if (++this.nodes > MAX_NODES) {
      throw new TooLarge();
    }
  }
  createElement(name: string): DomElement {
    return new DomElement(this, HTML, String(name).toLowerCase());
  }
  createElementNS(space: string, name: string): DomElement {
    return new DomElement(this, space || SVG, String(name));
  }
  createTextNode(text: string): DomText {
    return new DomText(this, decodeLabel(String(text)));
  }
  getElementById(id: string): TreeElement | null | undefined {
    // Cytoscape draws into this element. Without it, Cytoscape only computes the layout, which is all that is needed.
    if (id === 'cy') {
      return undefined;
    }
    return (
      this.documentElement
        .descendants()
        .filter(isElement)
        .find((node) => node.id === id) ?? null
    );
  }
  querySelector(selector: string): TreeElement | null {
    return find(this.documentElement, selector, true)[0] ?? (matches(this.documentElement, selector) ? this.documentElement : null);
  }
  querySelectorAll(selector: string): TreeElement[] {
    return find(this.documentElement, selector, false);
  }
  addEventListener(): void {}
  removeEventListener(): void {}
}
