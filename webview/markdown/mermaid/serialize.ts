/**
 * Writes a drawing as an SVG file from a list of allowed elements and attributes: nothing that runs, loads, links or contains HTML. A picture in an
 * `img` could do none of this either; this is the first of two barriers.
 */
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { MAX_PICTURE, MAX_WORDS, TooLarge } from './messages';
import { parseDeclarations, parseRules } from './style';
import { isElement, type TreeElement } from './tree';

const ELEMENTS = new Set(
  (
    'svg g defs marker path rect circle ellipse line polyline polygon text tspan title desc style clipPath mask pattern linearGradient radialGradient stop switch ' +
    'filter feDropShadow feGaussianBlur feOffset feFlood feComposite feMerge feMergeNode'
  ).split(' '),
);

const ATTRIBUTES = new Set(
  (
    'class x y x1 y1 x2 y2 cx cy r rx ry dx dy d fx fy width height points transform viewBox preserveAspectRatio offset orient refX refY markerWidth markerHeight markerUnits ' +
    'patternUnits patternTransform patternContentUnits gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits pathLength textLength lengthAdjust rotate ' +
    'in in2 result stdDeviation flood-color flood-opacity operator filterUnits xml:space'
  ).split(' '),
);

/** Allowed as attributes and as properties in styles. */
const PROPERTIES = new Set(
  (
    'fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit opacity color display visibility overflow ' +
    'font font-family font-size font-weight font-style font-variant letter-spacing word-spacing text-anchor text-decoration text-transform dominant-baseline alignment-baseline baseline-shift ' +
    'writing-mode white-space marker marker-start marker-mid marker-end clip-path clip-rule mask filter stop-color stop-opacity flood-color flood-opacity paint-order shape-rendering ' +
    'text-rendering vector-effect mix-blend-mode rx ry r transform transform-origin transform-box'
  ).split(' '),
);

/** Elements that others refer to by id. */
const REFERRED = new Set(['marker', 'clipPath', 'mask', 'pattern', 'linearGradient', 'radialGradient', 'filter']);
/**
 * Elements that may refer to another part of the picture. `use` is excluded: a few of them, each using the one before twice, expand to a million
 * elements.
 */
const REFERRING = new Set(['linearGradient', 'radialGradient', 'pattern']);

export interface Written {
  readonly svg: string;
  /** px; the picture's own width. */
  readonly width: number;
  readonly height: number;
}

/** px; for a picture without a size. */
const FALLBACK = 400;
/** px of the longest side; a larger picture is scaled down. */
const MAX_SIDE = 16_000;
/** Deeper than any real drawing; each level is a recursive call. */
const MAX_DEPTH = 200;

export function writePicture(svg: TreeElement): Written {
  const [left = 0, top = 0, wide = FALLBACK, high = FALLBACK] = (svg.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number)
    .filter(Number.isFinite);
  const clamp = (size: number) => Math.min(Math.max(1, size), 1e6);
  const [boxWidth, boxHeight] = [clamp(wide), clamp(high)];
  const scale = Math.min(1, MAX_SIDE / Math.max(boxWidth, boxHeight));
  const width = Math.max(1, Math.round(boxWidth * scale));
  const height = Math.max(1, Math.round(boxHeight * scale));
  const names = `id="${escape(svg.id)}" class="${escape(svg.className)}"`;
  const inside = new Writer().inside(svg, 1);
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" ${names} viewBox="${left} ${top} ${boxWidth} ${boxHeight}" width="${width}" height="${height}"${styleOf(svg)}>${inside}</svg>`,
    width,
    height,
  };
}

class Writer {
  private size = 0;
  private words = 0;
  /** The style sheets so far. Ids that they name are kept. */
  private sheets = '';

  inside(element: TreeElement, depth: number): string {
    return element.childNodes.map((child) => (isElement(child) ? this.write(child, depth) : this.text(child.textContent))).join('');
  }

  private text(text: string): string {
    if (text.trim() !== '' && ++this.words > MAX_WORDS) {
      throw new TooLarge();
    }
    return this.counted(escape(escapeMisleading(text)));
  }

  private write(element: TreeElement, depth: number): string {
    const name = element.localName;
    if (depth > MAX_DEPTH) {
      return '';
    }
    // A link's content stays, at its position.
    if (name === 'a') {
      return `<g${attributesOf(element)}${styleOf(element)}>${this.inside(element, depth + 1)}</g>`;
    }
    if (!ELEMENTS.has(name)) {
      return '';
    }
    if (name === 'style') {
      const sheet = writeSheet(element.textContent);
      this.sheets += sheet;
      return this.counted(`<style>${escape(sheet)}</style>`);
    }
    const { id } = element;
    const idText = id && (REFERRED.has(name) || this.sheets.includes(`#${id}`)) ? ` id="${escape(id)}"` : '';
    return this.counted(`<${name}${idText}${attributesOf(element)}${styleOf(element)}>`) + this.inside(element, depth + 1) + `</${name}>`;
  }

  private counted(text: string): string {
    this.size += text.length;
    if (this.size > MAX_PICTURE) {
      throw new TooLarge();
    }
    return text;
  }
}

function attributesOf(element: TreeElement): string {
  let written = '';
  for (const [name, value] of element.attributeMap) {
    if (name === 'href' || name === 'xlink:href') {
      if (REFERRING.has(element.localName) && /^#[\w.:-]+$/.test(value)) {
        written += ` href="${escape(value)}"`;
      }
    } else if ((ATTRIBUTES.has(name) || PROPERTIES.has(name)) && isInnocent(value)) {
      // Coordinates are cut to two decimals, because smaller differences are invisible.
      written += ` ${name}="${escape(value.replace(/(\.\d\d)\d+(?=[^\d]|$)/g, '$1'))}"`;
    }
  }
  return written;
}

function styleOf(element: TreeElement): string {
  const text = innocentDeclarations(element.declarations.cssText);
  return text ? ` style="${escape(text)}"` : '';
}

function writeSheet(sheet: string): string {
  return parseRules(sheet)
    .filter(({ selector }) => !/[@<\\{}]/.test(selector))
    .map(({ selector, body }) => `${selector}{${innocentDeclarations(body)}}`)
    .join('\n');
}

function innocentDeclarations(text: string): string {
  return parseDeclarations(text)
    .flatMap(([name, value, important]) =>
      PROPERTIES.has(name) && isInnocent(value) ? [`${name}:${value}${important ? '!important' : ''}`] : [],
    )
    .join(';');
}

/** True for a value that refers to nothing outside the picture. */
function isInnocent(value: string): boolean {
  if (value.length > 20_000 || /[\\@<{}]|\/\*|expression|javascript:/i.test(value)) {
    return false;
  }
  return !/(?:url|image|image-set|src|element|attr|env|var|paint|cross-fade)\s*\(/i.test(
    value.replace(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi, ''),
  );
}

/** Escapes a value or text. Removes characters that XML does not allow: one of them would break the whole picture. */
function escape(text: string): string {
  return text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
