/** Computes the bounding boxes of a drawing's elements. */
import { ownStyle } from './cascade';
import { type Point, pathPoints } from './paths';
import { textBox } from './text';
import type { Box, TreeElement } from './tree';

/** a b c d e f, as in SVG's matrix(). */
type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const NOTHING: Box = { x: 0, y: 0, width: 0, height: 0 };

/** Elements that are drawn elsewhere or not at all. */
const UNSEEN = new Set([
  'defs',
  'marker',
  'style',
  'title',
  'desc',
  'clipPath',
  'mask',
  'pattern',
  'linearGradient',
  'radialGradient',
  'filter',
  'symbol',
  'script',
]);

/** The box in the element's own coordinates, without its own transformation. */
export function boxOf(element: TreeElement): Box {
  return around(cornersOf(element, IDENTITY));
}

/** The box in the coordinates of `ancestor`, or of the whole drawing. */
export function boxIn(element: TreeElement, ancestor: TreeElement | undefined): Box {
  let matrix = IDENTITY;
  for (let node: TreeElement | null = element; node && node !== ancestor; node = node.parentNode) {
    matrix = multiply(transformOf(node), matrix);
  }
  return around(cornersOf(element, matrix));
}

function cornersOf(element: TreeElement, matrix: Matrix): Point[] {
  const number = (name: string) => parseFloat(element.getAttribute(name) ?? '') || 0;
  switch (element.localName) {
    case 'text':
    case 'tspan':
    case 'span':
    case 'p': {
      const box = textBox(element);
      return box ? corners(box, matrix) : [];
    }
    case 'rect':
    case 'image':
    case 'use':
    case 'foreignObject':
      // A box without extent is not drawn and takes no space.
      if (number('width') === 0 || number('height') === 0) {
        return [];
      }
      return corners({ x: number('x'), y: number('y'), width: number('width'), height: number('height') }, matrix);
    case 'circle':
      if (number('r') === 0) {
        return [];
      }
      return corners(
        { x: number('cx') - number('r'), y: number('cy') - number('r'), width: 2 * number('r'), height: 2 * number('r') },
        matrix,
      );
    case 'ellipse':
      return corners(
        { x: number('cx') - number('rx'), y: number('cy') - number('ry'), width: 2 * number('rx'), height: 2 * number('ry') },
        matrix,
      );
    case 'line':
      return [
        { x: number('x1'), y: number('y1') },
        { x: number('x2'), y: number('y2') },
      ].map((point) => apply(matrix, point));
    case 'polygon':
    case 'polyline':
      return pointsOf(element.getAttribute('points') ?? '').map((point) => apply(matrix, point));
    case 'path':
      return pathPoints(element.getAttribute('d') ?? '').flatMap((part) => part.map((point) => apply(matrix, point)));
    default:
      return element.children.flatMap((child) => {
        if (UNSEEN.has(child.localName) || ownStyle(child, 'display') === 'none') {
          return [];
        }
        const box = around(cornersOf(child, multiply(matrix, transformOf(child))));
        return box === NOTHING ? [] : corners(box, IDENTITY);
      });
  }
}

function corners({ x, y, width, height }: Box, matrix: Matrix): Point[] {
  return [
    { x, y },
    { x: x + width, y },
    { x, y: y + height },
    { x: x + width, y: y + height },
  ].map((point) => apply(matrix, point));
}

function around(points: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return Number.isFinite(left + top + right + bottom) ? { x: left, y: top, width: right - left, height: bottom - top } : NOTHING;
}

function pointsOf(text: string): Point[] {
  const numbers = (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_each, index) => ({ x: numbers[2 * index]!, y: numbers[2 * index + 1]! }));
}

function transformOf(element: TreeElement): Matrix {
  let matrix = IDENTITY;
  const inner = element.localName === 'svg' && element.parentNode?.namespaceURI === element.namespaceURI;
  if (inner) {
    matrix = [1, 0, 0, 1, parseFloat(element.getAttribute('x') ?? '') || 0, parseFloat(element.getAttribute('y') ?? '') || 0];
  }
  const text = element.attributeMap.get('transform') ?? element.declarations.get('transform');
  if (!text) {
    return matrix;
  }
  for (const [, name, list] of text.matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    matrix = multiply(
      matrix,
      matrixOf(
        name!,
        list!
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(parseFloat),
      ),
    );
  }
  return matrix.every(Number.isFinite) ? matrix : IDENTITY;
}

function matrixOf(name: string, n: readonly number[]): Matrix {
  switch (name) {
    case 'translate':
      return [1, 0, 0, 1, n[0] ?? 0, n[1] ?? 0];
    case 'scale':
      return [n[0] ?? 1, 0, 0, n[1] ?? n[0] ?? 1, 0, 0];
    case 'rotate': {
      const angle = ((n[0] ?? 0) * Math.PI) / 180;
      const [x, y] = [n[1] ?? 0, n[2] ?? 0];
      const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
      return multiply(multiply([1, 0, 0, 1, x, y], turn), [1, 0, 0, 1, -x, -y]);
    }
    case 'matrix':
      return n.length === 6 ? (n as unknown as Matrix) : IDENTITY;
    default:
      return IDENTITY;
  }
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

function apply(m: Matrix, { x, y }: Point): Point {
  return { x: m[0] * x + m[2] * y + m[4], y: m[1] * x + m[3] * y + m[5] };
}
