/** Converts a path to points that are dense enough to measure it. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points per curve. */
const STEPS = 12;
const MAX_KEPT = 500;
const kept = new Map<string, readonly (readonly Point[])[]>();

/** The sub-paths of a path, each drawn without lifting the pen. */
export function pathPoints(d: string): readonly (readonly Point[])[] {
  let parts = kept.get(d);
  if (!parts) {
    if (kept.size > MAX_KEPT) {
      kept.clear();
    }
    parts = trace(d);
    kept.set(d, parts);
  }
  return parts;
}

export function pathLength(d: string): number {
  return pathPoints(d).reduce(
    (sum, part) => sum + part.reduce((length, point, index) => length + (index > 0 ? distance(part[index - 1]!, point) : 0), 0),
    0,
  );
}

export function pathPointAt(d: string, length: number): Point {
  let left = length;
  let last: Point = { x: 0, y: 0 };
  for (const part of pathPoints(d)) {
    for (const [index, point] of part.entries()) {
      if (index > 0) {
        const step = distance(last, point);
        if (left <= step) {
          return step === 0 ? point : { x: last.x + ((point.x - last.x) * left) / step, y: last.y + ((point.y - last.y) * left) / step };
        }
        left -= step;
      }
      last = point;
    }
  }
  return last;
}

const distance = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y);

/** The number of arguments of each command. */
const TAKES: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
const FLAG = /[01]/g;

/** The fourth and fifth argument of an arc are one digit each and need no separator after them. */
function numbersOf(text: string, isArc: boolean): number[] {
  const numbers: number[] = [];
  for (let at = 0; ; ) {
    const place = numbers.length % 7;
    const pattern = isArc && (place === 3 || place === 4) ? FLAG : NUMBER;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) {
      return numbers;
    }
    numbers.push(Number(found[0]));
    at = pattern.lastIndex;
  }
}

function trace(d: string): Point[][] {
  const parts: Point[][] = [];
  let part: Point[] = [];
  let at: Point = { x: 0, y: 0 };
  let start = at;
  /** The last control point, for smooth curves. */
  let control: Point | undefined;
  for (const [, letter, text] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*(?:e[-+]?\d[^a-zA-Z]*)*)/g)) {
    let command = letter!.toUpperCase();
    const relative = letter !== command;
    const takes = TAKES[command];
    if (takes === undefined) {
      break;
    }
    const numbers = numbersOf(text!, command === 'A');
    if (command === 'Z') {
      part.push(start);
      at = start;
      control = undefined;
      continue;
    }
    for (let index = 0; index + takes <= numbers.length; index += takes) {
      const n = numbers.slice(index, index + takes);
      const from = at;
      const point = (offset: number): Point =>
        relative ? { x: from.x + n[offset]!, y: from.y + n[offset + 1]! } : { x: n[offset]!, y: n[offset + 1]! };
      const smooth: Point = control ? { x: 2 * from.x - control.x, y: 2 * from.y - control.y } : from;
      control = undefined;
      switch (command) {
        case 'M':
          at = start = point(0);
          parts.push((part = [at]));
          command = 'L';
          continue;
        case 'H':
          at = { x: relative ? from.x + n[0]! : n[0]!, y: from.y };
          part.push(at);
          continue;
        case 'V':
          at = { x: from.x, y: relative ? from.y + n[0]! : n[0]! };
          part.push(at);
          continue;
        case 'C':
        case 'S': {
          const [first, second, end] = command === 'C' ? [point(0), point(2), point(4)] : [smooth, point(0), point(2)];
          part.push(...cubic(from, first, second, end));
          control = second;
          at = end;
          continue;
        }
        case 'Q':
        case 'T': {
          const [middle, end] = command === 'Q' ? [point(0), point(2)] : [smooth, point(0)];
          part.push(...cubic(from, between(from, middle), between(end, middle), end));
          control = middle;
          at = end;
          continue;
        }
        case 'A':
          at = point(5);
          part.push(...arc(from, Math.abs(n[0]!), Math.abs(n[1]!), n[2]!, n[3] !== 0, n[4] !== 0, at));
          continue;
        default:
          at = point(0);
          part.push(at);
      }
    }
  }
  return parts;
}

/** Two thirds of the way: converts a quadratic curve to a cubic one. */
const between = (from: Point, to: Point): Point => ({ x: from.x + ((to.x - from.x) * 2) / 3, y: from.y + ((to.y - from.y) * 2) / 3 });

function cubic(a: Point, b: Point, c: Point, d: Point): Point[] {
  return Array.from({ length: STEPS }, (_each, index) => {
    const t = (index + 1) / STEPS;
    const u = 1 - t;
    const mix = (of: 'x' | 'y') => u * u * u * a[of] + 3 * u * u * t * b[of] + 3 * u * t * t * c[of] + t * t * t * d[of];
    return { x: mix('x'), y: mix('y') };
  });
}

/** Follows the formulas of SVG 1.1, F.6.5. */
function arc(from: Point, rx: number, ry: number, degrees: number, large: boolean, sweep: boolean, to: Point): Point[] {
  if (rx === 0 || ry === 0 || (from.x === to.x && from.y === to.y)) {
    return [to];
  }
  const phi = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(phi), Math.sin(phi)];
  const half = { x: (from.x - to.x) / 2, y: (from.y - to.y) / 2 };
  const x = cos * half.x + sin * half.y;
  const y = -sin * half.x + cos * half.y;
  const scale = Math.sqrt(Math.max(1, (x * x) / (rx * rx) + (y * y) / (ry * ry)));
  const [a, b] = [rx * scale, ry * scale];
  const under = (a * a * b * b - a * a * y * y - b * b * x * x) / (a * a * y * y + b * b * x * x);
  const factor = (large === sweep ? -1 : 1) * Math.sqrt(Math.max(0, under));
  const [cx, cy] = [(factor * a * y) / b, (-factor * b * x) / a];
  const begin = Math.atan2((y - cy) / b, (x - cx) / a);
  let turn = Math.atan2((-y - cy) / b, (-x - cx) / a) - begin;
  if (sweep && turn < 0) {
    turn += 2 * Math.PI;
  }
  if (!sweep && turn > 0) {
    turn -= 2 * Math.PI;
  }
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return Array.from({ length: 2 * STEPS }, (_each, index) => {
    const angle = begin + (turn * (index + 1)) / (2 * STEPS);
    const [ex, ey] = [cx + a * Math.cos(angle), cy + b * Math.sin(angle)];
    return { x: cos * ex - sin * ey + middle.x, y: sin * ex + cos * ey + middle.y };
  });
}
