/** Positions the text of a drawing, measured with the fonts that the picture will have. */
import { inheritedStyle, ownStyle } from './cascade';
import { type Box, isElement, type TreeElement, type TreeNode } from './tree';

/** px */
export interface Measure {
  readonly width: number;
  readonly ascent: number;
  readonly descent: number;
}

/** Measures `text` in a CSS font. */
export type Ruler = (text: string, font: string) => Measure;

const MAX_KEPT = 5000;
const kept = new Map<string, Measure>();
let ruler: Ruler = () => ({ width: 0, ascent: 0, descent: 0 });

/** Must be called before anything is drawn. */
export function useRuler(next: Ruler): void {
  ruler = next;
  kept.clear();
}

interface TextRun extends Box {
  readonly owner: TreeElement;
}

/** The box of the text in `element`, a text or a part of one; undefined without text. */
export function textBox(element: TreeElement): Box | undefined {
  const own = runsOf(rootOf(element)).filter(({ owner }) => element.contains(owner));
  if (own.length === 0) {
    return undefined;
  }
  const x = Math.min(...own.map((run) => run.x));
  const y = Math.min(...own.map((run) => run.y));
  return {
    x,
    y,
    width: Math.max(...own.map((run) => run.x + run.width)) - x,
    height: Math.max(...own.map((run) => run.y + run.height)) - y,
  };
}

export function textLength(element: TreeElement): number {
  return runsOf(rootOf(element)).reduce((sum, run) => sum + (element.contains(run.owner) ? run.width : 0), 0);
}

/** The text element that contains the part. */
function rootOf(element: TreeElement): TreeElement {
  let root = element;
  while (root.localName === 'tspan' && root.parentNode && ['tspan', 'text'].includes(root.parentNode.localName)) {
    root = root.parentNode;
  }
  return root;
}

/** Lays a text out like SVG: each absolute position begins a chunk, which is anchored as a whole. */
function runsOf(root: TreeElement): TextRun[] {
  const all: TextRun[] = [];
  let chunk: TextRun[] = [];
  let x = 0;
  let y = 0;
  let space = true;
  const endChunk = () => {
    const first = chunk[0];
    if (first) {
      const anchor = inheritedStyle(first.owner, 'text-anchor');
      const width = x - first.x;
      const shift = anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0;
      all.push(...chunk.map((run) => ({ ...run, x: run.x - shift })));
    }
    chunk = [];
  };
  const walk = (element: TreeElement) => {
    const size = fontSizeOf(element);
    const length = (name: string) => lengthOf(element.getAttribute(name), size);
    const [atX, atY] = [length('x'), length('y')];
    if (atX !== undefined || atY !== undefined) {
      endChunk();
      space = true;
    }
    x = (atX ?? x) + (length('dx') ?? 0);
    y = (atY ?? y) + (length('dy') ?? 0);
    for (const child of element.childNodes) {
      if (isElement(child)) {
        walk(child);
      } else {
        place(element, child);
      }
    }
  };
  const place = (element: TreeElement, node: TreeNode) => {
    const preserved =
      /preserve/.test(element.getAttribute('xml:space') ?? '') || /\bpre\b|break-spaces/.test(element.declarations.get('white-space'));
    let text = node.textContent.replace(/[\t\n\r]/g, ' ');
    if (!preserved) {
      text = text.replace(/ +/g, ' ').replace(/^ /, space ? '' : ' ');
    }
    if (text === '') {
      return;
    }
    space = text.endsWith(' ') && !preserved;
    const { width, ascent, descent } = measure(text, fontOf(element));
    const top = y - ascent + shiftOf(element, ascent, descent);
    chunk.push({ owner: element, x, y: top, width, height: ascent + descent });
    x += width;
  };
  walk(root);
  endChunk();
  return all;
}

/** The distance of the baseline below the text's position. */
function shiftOf(element: TreeElement, ascent: number, descent: number): number {
  const baseline = ownStyle(element, 'alignment-baseline') ?? inheritedStyle(element, 'dominant-baseline');
  switch (baseline) {
    case 'middle':
    case 'central':
      return (ascent - descent) / 2;
    case 'hanging':
    case 'text-before-edge':
    case 'text-top':
      return ascent * 0.9;
    case 'text-after-edge':
    case 'ideographic':
    case 'text-bottom':
      return -descent;
    default:
      return 0;
  }
}

function fontOf(element: TreeElement): string {
  const style = inheritedStyle(element, 'font-style');
  const weight = inheritedStyle(element, 'font-weight');
  const family = inheritedStyle(element, 'font-family') ?? 'sans-serif';
  return `${style === 'italic' || style === 'oblique' ? style : 'normal'} ${weight && /^(?:bold|bolder|lighter|normal|[1-9]00)$/.test(weight) ? weight : 'normal'} ${fontSizeOf(element)}px ${family}`;
}

const DEFAULT_SIZE = 16;

function fontSizeOf(element: TreeElement): number {
  const said = ownStyle(element, 'font-size');
  const above = () => (element.parentNode ? fontSizeOf(element.parentNode) : DEFAULT_SIZE);
  const size =
    said === undefined || !/^[\d.]/.test(said)
      ? above()
      : /em$|%$/.test(said)
        ? (lengthOf(said, /rem$/.test(said) ? DEFAULT_SIZE : above()) ?? above())
        : parseFloat(said);
  return Number.isFinite(size) ? Math.min(size, 1000) : DEFAULT_SIZE;
}

/** The first length of a list, in px. */
function lengthOf(value: string | null, size: number): number | undefined {
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(r?em|%|ex)?/i.exec(value ?? '');
  if (!match) {
    return undefined;
  }
  const number = Number(match[1]);
  return match[2] === undefined
    ? number
    : match[2] === '%'
      ? (number / 100) * size
      : match[2] === 'ex'
        ? (number * size) / 2
        : number * size;
}

function measure(text: string, font: string): Measure {
  const key = `${font}\n${text}`;
  let found = kept.get(key);
  if (!found) {
    if (kept.size > MAX_KEPT) {
      kept.clear();
    }
    found = ruler(text, font);
    kept.set(key, found);
  }
  return found;
}
