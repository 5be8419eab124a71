/** The globals that Mermaid expects, for a worker without a window. Must be imported before Mermaid. */
import { DomDocument, DomElement } from './dom';
import { DomNode } from './node';
import { Declarations, parseRules, styleProxy } from './style';

export const sheet = new DomDocument();

class StyleRule {
  readonly declarations = new Declarations();
  readonly style = styleProxy(this.declarations);

  constructor(
    private readonly selector = 'none',
    body = '',
  ) {
    this.declarations.cssText = body;
  }

  get cssText(): string {
    return `${this.selector} { ${this.declarations.cssText} }`;
  }
}

class StyleSheet {
  cssRules: StyleRule[] = [];

  insertRule(text: string, index = 0): number {
    // Only the first rule is inserted, even if the text has more.
    const [rule] = parseRules(text);
    this.cssRules.splice(index, 0, new StyleRule(rule?.selector, rule?.body));
    return index;
  }
  replaceSync(text: string): void {
    this.cssRules = parseRules(text).map(({ selector, body }) => new StyleRule(selector, body));
  }
}

/** An image that is never loaded but has its size. */
class Picture {
  readonly naturalWidth = 64;
  readonly naturalHeight = 64;
  readonly width = 64;
  readonly height = 64;
  src = '';
  decode(): Promise<void> {
    return Promise.resolve();
  }
}

const around: Readonly<Record<string, unknown>> = {
  window: globalThis,
  document: sheet,
  Node: DomNode,
  Element: DomElement,
  HTMLElement: DomElement,
  SVGElement: DomElement,
  SVGGraphicsElement: DomElement,
  CSSStyleSheet: StyleSheet,
  Image: Picture,
  CSS: {
    escape: (text: string) => text.replace(/[^\w-]|^(?=\d)/g, (character) => `\\${(character || '3').codePointAt(0)!.toString(16)} `),
    supports: () => false,
  },
  getComputedStyle: (element: DomElement) => ({
    fontSize: '16px',
    getPropertyValue: (name: string) => (name === 'font-size' ? '16px' : element.declarations.get(name)),
  }),
  // A worker draws no frames, so it need not wait for one.
  requestAnimationFrame: (callback: (time: number) => void) => setTimeout(callback, 0),
  cancelAnimationFrame: (timer: number) => clearTimeout(timer),
  // Ignored: Mermaid would search the page for diagrams when it has loaded.
  addEventListener: () => {},
  innerWidth: 780,
  innerHeight: 600,
  scrollX: 0,
  scrollY: 0,
  devicePixelRatio: 1,
  screen: { availWidth: 780, availHeight: 600, width: 780, height: 600 },
};

for (const [name, value] of Object.entries(around)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
sheet.defaultView = globalThis;
