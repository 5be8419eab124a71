/**
 * Creates the elements of a typeset formula. Only elements that KaTeX needs are created, styles are set through the CSSOM, and text is escaped as
 * elsewhere, because a formula can write every character by its code point.
 */
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import type { MathElement, MathNode } from './messages';

const NAMESPACES = {
  html: 'http://www.w3.org/1999/xhtml',
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
} as const;

const TAGS: Readonly<Record<MathElement['space'], ReadonlySet<string>>> = {
  html: new Set(['span']),
  svg: new Set(['svg', 'path', 'line']),
  math: new Set(
    'math semantics annotation mrow mi mo mn ms mtext mspace mover munder munderover msup msub msubsup mfrac mroot msqrt mtable mtr mlabeledtr mtd menclose mstyle mpadded mphantom merror'.split(
      ' ',
    ),
  ),
};

const ATTRIBUTES = new Set(
  (
    'width height viewBox preserveAspectRatio d x1 y1 x2 y2 stroke-width aria-hidden encoding display accent accentunder stretchy fence separator lspace rspace linebreak minsize maxsize symmetric ' +
    'movablelimits mathvariant mathcolor mathbackground mathsize scriptlevel displaystyle columnalign columnspacing columnlines rowspacing rowlines rowalign frame framespacing notation linethickness ' +
    'voffset side depth'
  ).split(' '),
);

const STYLES = new Set(
  (
    'height width min-width max-width vertical-align top bottom left right margin-right margin-left margin-top margin-bottom padding-left padding-right padding-top padding-bottom color background-color ' +
    'font-size border border-color border-style border-width border-top-width border-right-width border-bottom-width border-left-width border-right-style text-shadow display'
  ).split(' '),
);

/** Creates the element for `root`. */
export function elementOf(root: MathElement): HTMLElement {
  return made(root) as HTMLElement;
}

function made(node: MathNode): Node {
  if (typeof node === 'string') {
    return document.createTextNode(escapeMisleading(node));
  }
  const { tag, space, classes, style, attributes, children } = node;
  const element = document.createElementNS(
    NAMESPACES[space],
    TAGS[space].has(tag) ? tag : space === 'html' ? 'span' : space === 'svg' ? 'g' : 'mrow',
  ) as HTMLElement | SVGElement | MathMLElement;
  if (/^[\w -]+$/.test(classes)) {
    element.setAttribute('class', classes);
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'style') {
      setStyles(
        element.style,
        value.split(';').map((part) => part.split(/:(.*)/s) as [string, string?]),
      );
    } else if (ATTRIBUTES.has(name)) {
      element.setAttribute(name, value);
    }
  }
  setStyles(element.style, Object.entries(style));
  element.append(...children.map(made));
  return element;
}

/** Sets styles whose names are in either form: `border-color`, `borderColor`. The browser rejects an invalid value. */
function setStyles(style: CSSStyleDeclaration, entries: Iterable<readonly [string, string?]>): void {
  for (const [name, value] of entries) {
    const property = name.trim().replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!STYLES.has(property) || value === undefined) {
      continue;
    }
    // Invisible content must stay invisible in a theme or system that replaces colours: otherwise `\phantom{-}x` would read `-x`.
    if (property === 'color' && value.trim() === 'transparent') {
      style.setProperty('visibility', 'hidden');
    } else {
      style.setProperty(property, value.trim());
    }
  }
}
