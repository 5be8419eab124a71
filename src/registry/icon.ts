/**
 * Icons of registries, rebuilt from the shapes that an icon needs. A page shows the result inline, so nothing of the original markup passes: no script,
 * no style, no link, no event handler and no color but that of the text. Pure.
 */

/** UTF-16 units of an icon. The largest one of the public registry has 12,000. */
export const MAX_ICON = 64 * 1024;

const SHAPES: Readonly<Record<string, readonly string[]>> = {
  svg: ['viewBox'],
  g: [],
  path: ['d'],
  circle: ['cx', 'cy', 'r'],
  ellipse: ['cx', 'cy', 'rx', 'ry'],
  rect: ['x', 'y', 'width', 'height', 'rx', 'ry'],
  line: ['x1', 'y1', 'x2', 'y2'],
  polyline: ['points'],
  polygon: ['points'],
};
const COMMON = [
  ...['transform', 'opacity', 'fill-rule', 'clip-rule', 'fill-opacity'],
  ...['stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit', 'stroke-opacity'],
];
/** Elements whose content is no shape. */
const WITHOUT_CONTENT = new Set([
  'script',
  'style',
  'foreignobject',
  'defs',
  'title',
  'desc',
  'metadata',
  'text',
  'mask',
  'clippath',
  'symbol',
]);
/** Numbers, path commands, and words such as `evenodd` and `rotate(45)`. */
const VALUE = /^[\w\s.,+\-()%]*$/;
/** XML allows no `<` in a tag. Without that limit, and those of the names, hostile markup would take the time of its square. */
const TAG =
  /<(?:!--[\s\S]*?(?:-->|$)|!\[CDATA\[[\s\S]*?(?:\]\]>|$)|[!?][^>]*>?|(\/?)([A-Za-z][\w:-]*)(?![\w:-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>)/g;
const ATTRIBUTE = /(?<![\w:.-])([A-Za-z_:][\w:.-]*)(?![\w:.-])\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const MAX_SHAPES = 500;

/** Returns a monochrome SVG that takes the color of the text; undefined when the markup has no shape that can be shown. */
export function rebuildIcon(markup: string): string | undefined {
  if (markup.length > MAX_ICON) {
    return undefined;
  }
  const parts: string[] = [];
  const open: string[] = [];
  let shapes = 0;
  let skipped: { readonly name: string; depth: number } | undefined;
  for (const [, slash, raw, attributes = '', ending] of markup.matchAll(TAG)) {
    if (raw === undefined) {
      continue;
    }
    const name = raw.toLowerCase();
    if (skipped) {
      if (name === skipped.name && !ending) {
        skipped.depth += slash ? -1 : 1;
        skipped = skipped.depth === 0 ? undefined : skipped;
      }
      continue;
    }
    if (slash) {
      if (open.at(-1) === name) {
        open.pop();
        parts.push(`</${name}>`);
      }
      continue;
    }
    if (WITHOUT_CONTENT.has(name) && !ending) {
      skipped = { name, depth: 1 };
    }
    const isRoot = open.length === 0;
    if (!Object.hasOwn(SHAPES, name) || isRoot !== (name === 'svg') || (isRoot && parts.length > 0)) {
      continue;
    }
    if (++shapes > MAX_SHAPES) {
      return undefined;
    }
    const isEmpty = ending !== '' || (name !== 'svg' && name !== 'g');
    parts.push(`<${name}${rebuiltAttributes(name, attributes)}${isEmpty ? '/' : ''}>`);
    if (!isEmpty) {
      open.push(name);
    }
  }
  parts.push(...open.reverse().map((name) => `</${name}>`));
  const icon = parts.join('');
  return icon.startsWith('<svg') && /<(?:path|circle|ellipse|rect|line|poly)/.test(icon) ? icon : undefined;
}

function rebuiltAttributes(name: string, text: string): string {
  const given = new Map([...text.matchAll(ATTRIBUTE)].map(([, key = '', one, other]) => [key, one ?? other ?? '']));
  const allowed = [...(SHAPES[name] ?? []), ...COMMON].flatMap((key) => {
    const value = given.get(key);
    return value !== undefined && VALUE.test(value) ? [` ${key}="${value.replace(/\s+/g, ' ').trim()}"`] : [];
  });
  const paints = ['fill', 'stroke'].flatMap((key) => {
    const value = given.get(key)?.trim();
    return value === undefined ? [] : [` ${key}="${value === 'none' || value === 'transparent' ? 'none' : 'currentColor'}"`];
  });
  if (name !== 'svg') {
    return [...allowed, ...paints].join('');
  }
  const size = ['width', 'height'].map((key) => Number.parseFloat(given.get(key) ?? ''));
  const box = given.has('viewBox') || size.some((each) => !(each > 0)) ? '' : ` viewBox="0 0 ${size[0]} ${size[1]}"`;
  const fill = given.has('fill') ? '' : ' fill="currentColor"';
  return ` xmlns="http://www.w3.org/2000/svg"${box}${[...allowed, ...paints].join('')}${fill}`;
}
