/** Parses the markup that Mermaid writes into its own drawings: icons, and texts with entities. */
import type { TreeElement } from './tree';

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  equals: '=',
  colon: ':',
  semi: ';',
  num: '#',
  hearts: '♥',
};
const EMPTY = new Set(['br', 'img', 'hr', 'input', 'path', 'circle', 'rect', 'line', 'ellipse', 'polygon', 'polyline', 'use', 'stop']);

/** Adds the parsed `markup` to `parent` as far as it is well-formed, and the rest of it as text. */
export function readMarkup(parent: TreeElement, markup: string): void {
  let open = parent;
  for (const [whole, close, name, attributes, text] of String(markup).matchAll(
    /<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>|(<|[^<]+)/g,
  )) {
    if (text !== undefined) {
      open.appendChild(open.ownerDocument.createTextNode(decode(text)));
    } else if (close) {
      for (let node: TreeElement | null = open; node && node !== parent; node = node.parentNode) {
        if (node.localName !== name) {
          continue;
        }
        open = node.parentNode!;
        break;
      }
    } else {
      const element = open.ownerDocument.createElementNS(name === 'svg' ? 'http://www.w3.org/2000/svg' : open.namespaceURI, name!);
      for (const [, key, double, single, bare] of attributes!.matchAll(/([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
        element.setAttribute(key!, decode(double ?? single ?? bare ?? ''));
      }
      open.appendChild(element);
      if (!whole.endsWith('/>') && !EMPTY.has(name!)) {
        open = element;
      }
    }
  }
}

/** Decodes entities, including the form in which Mermaid hides them from its own parsers. Labels contain both. */
export function decodeLabel(text: string): string {
  return decode(text.replaceAll('ﬂ°°', '&#').replaceAll('ﬂ°', '&').replaceAll('¶ß', ';'));
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) {
      return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : whole;
    }
    const code = decimal !== undefined ? Number(decimal) : parseInt(hex!, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
