/**
 * Cytoscape for Mermaid without rendering: it knows the sizes of nodes and draws nothing. Otherwise only Cytoscape's canvas knows where edges begin,
 * bend and end; here that is computed from Mermaid's settings.
 */
import cytoscape from 'cytoscape';
import type { Point } from './paths';

interface Edge {
  data(name: string): unknown;
  hasClass(name: string): boolean;
  source(): Node;
  target(): Node;
}

interface Node {
  position(): Point;
  width(): number;
  height(): number;
}

/** @param place `50% 0` and the like, from the node's middle */
function endpoint(node: Node, place: unknown): Point {
  const { x, y } = node.position();
  const [across = 0, down = 0] = String(place)
    .split(' ')
    .map((part) => parseFloat(part) / 100 || 0);
  return { x: x + across * node.width(), y: y + down * node.height() };
}

const starts = (edge: Edge) => endpoint(edge.source(), edge.data('sourceEndpoint'));
const ends = (edge: Edge) => endpoint(edge.target(), edge.data('targetEndpoint'));

function midpoint(edge: Edge): Point {
  const [from, to] = [starts(edge), ends(edge)];
  if (!edge.hasClass('segments')) {
    return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  }
  return edge.data('sourceDir') === 'T' || edge.data('sourceDir') === 'B' ? { x: from.x, y: to.y } : { x: to.x, y: from.y };
}

type Make = ((options: unknown, name?: string) => unknown) & { use: unknown };
const real = cytoscape as unknown as Make;

const nothingDrawn = real('renderer', 'null') as { prototype: object };
Object.assign(nothingDrawn.prototype, { getSourceEndpoint: starts, getTargetEndpoint: ends, getEdgeMidpoint: midpoint });

const headless = (options: object) => real({ ...options, container: undefined, headless: true, styleEnabled: true });
headless.use = real.use;

export default headless;
