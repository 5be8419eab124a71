/**
 * A document that only records its elements, so that a formula can be sent to another thread and checked before it becomes elements. Throws when the
 * formula grows too large or too deep.
 */
import type { MathElement, MathNode } from './messages';

/** The most nodes of a formula. The longest usual ones have some thousand. */
const MAX_NODES = 20_000;
/** Limited because the browser's layout is recursive. */
const MAX_DEPTH = 400;

const SPACES: Readonly<Record<string, MathElement['space']>> = {
  'http://www.w3.org/2000/svg': 'svg',
  'http://www.w3.org/1998/Math/MathML': 'math',
};

/** Thrown when a formula is larger than the page allows. */
export class TooLarge extends Error {}

/** The DOM methods that a typesetter calls. */
export class RecordingDocument {
  private nodes = 0;

  createElement(tag: string): NotedElement {
    return this.noted(new NotedElement(tag, 'html'));
  }

  createElementNS(space: string, tag: string): NotedElement {
    return this.noted(new NotedElement(tag, SPACES[space] ?? 'html'));
  }

  createTextNode(text: string): NotedText {
    return this.noted(new NotedText(String(text)));
  }

  createDocumentFragment(): NotedElement {
    return new NotedElement('', 'html');
  }

  private noted<T>(node: T): T {
    if (++this.nodes > MAX_NODES) {
      throw new TooLarge();
    }
    return node;
  }
}

class NotedText {
  constructor(readonly text: string) {}
}

/** An element, or a fragment, which has no tag. */
class NotedElement {
  className = '';
  readonly style: Record<string, string> = {};
  private readonly attributes: Record<string, string> = {};
  private children: (NotedElement | NotedText)[] = [];

  constructor(
    readonly tag: string,
    readonly space: MathElement['space'],
  ) {}

  /** KaTeX only sets this to empty the element. */
  set textContent(text: string) {
    this.children = text === '' ? [] : [new NotedText(text)];
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes[name] = String(value);
  }

  appendChild(child: NotedElement | NotedText): void {
    if (child instanceof NotedElement && child.tag === '') {
      this.children.push(...child.children);
    } else {
      this.children.push(child);
    }
  }

  /** Returns the recorded tree as plain objects. */
  plain(depth = 0): MathElement {
    if (depth > MAX_DEPTH) {
      throw new TooLarge();
    }
    const { tag, space, className, style, attributes } = this;
    const children: MathNode[] = this.children.map((child) => (child instanceof NotedText ? child.text : child.plain(depth + 1)));
    return { tag, space, classes: className, style: { ...style }, attributes: { ...attributes }, children };
  }
}
