/**
 * The text of an entry as it is on the page, and the matches of a pattern in it. Markdown text comes from the host's reader, applied to the rendered
 * tokens. The DOM nodes only give the positions. The DOM is not changed: matches are ranges.
 */
import { EDGE } from '../../src/text/markdown/edge';
import { shownText } from '../base/readableText';

/** The searched regions, the same as in `src/text/find/entryTexts.ts` and in the same order. */
const SEARCHED = [
  '.user-text',
  '.md',
  '.chip',
  '.content-text',
  '.tool-title',
  '.tool-name',
  '.diff-path',
  '.terminal-command',
  '.terminal-output',
  '.permission-title',
  '.permission-description',
  '.subject-command',
  '.elicitation-words .elicitation-title',
  '.elicitation-words .elicitation-text',
  '.notice-title',
  '.notice-description',
  '.failure-detail',
  '.compaction .tool-failure',
  '.unknown-label',
].join();
/** Elements inside the regions without external text: controls, decoration and the page's own labels. */
const PASSED = '.code-bar, [aria-hidden="true"], .sr-only, .unsearched';
const INLINE = new Set(['A', 'B', 'BDI', 'CODE', 'DEL', 'EM', 'I', 'KBD', 'MARK', 'SPAN', 'STRONG', 'SUB', 'SUP']);

/**
 * Returns the matches in an entry's element, in order, at most `most`. A match without visible text is undefined. The ranges are valid until the
 * entry changes.
 */
export function matchesIn(entry: Element, pattern: RegExp, most: number): (StaticRange | undefined)[] {
  const ranges: (StaticRange | undefined)[] = [];
  for (const region of entry.querySelectorAll(SEARCHED)) {
    const around = region.parentElement!.closest(SEARCHED);
    // The entries of an open subagent are inside its card, and are searched by themselves.
    const isElsewhere = region.closest('.subagent-conversation') !== entry.closest('.subagent-conversation');
    if ((around && entry.contains(around)) || region.matches('.unsearched') || isElsewhere) {
      continue;
    }
    const text = new RenderedText(region);
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text.text); match; match = pattern.exec(text.text)) {
      if (ranges.length >= most) {
        return ranges;
      }
      ranges.push(text.range(match.index, match.index + match[0].length));
    }
  }
  return ranges;
}

/** Nodes whose text is a piece of a region's text. */
interface Piece {
  readonly text: string;
  /** The visible nodes: one text node, the nodes of a rendered formula, or none. */
  readonly nodes: readonly Text[];
  /** True for a piece that cannot be divided: every offset in it selects all of it. */
  readonly whole: boolean;
}

class RenderedText {
  readonly text: string;
  private readonly pieces: Piece[] = [];
  /** The offset of each of `pieces` in `text`. */
  private readonly starts: number[] = [];

  constructor(region: Element) {
    const parts: (Piece | string)[] = [];
    gather(region, parts);
    const told = shownText(region);
    this.text = told ?? parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
    let at = 0;
    for (const part of parts) {
      if (typeof part === 'string') {
        at += told === undefined ? part.length : 0;
        continue;
      }
      // The reader's text has line breaks between blocks, which no node has.
      while (told !== undefined && this.text[at] === '\n' && !this.text.startsWith(part.text, at)) {
        at++;
      }
      this.pieces.push(part);
      this.starts.push(at);
      at += part.text.length;
    }
  }

  /** @param end after the last character; `start` < `end`. Returns undefined when no part is visible. */
  range(start: number, end: number): StaticRange | undefined {
    const first = this.seen(this.pieceAt(start), 1);
    const last = this.seen(this.pieceAt(end - 1), -1);
    if (first === undefined || last === undefined || first > last) {
      return undefined;
    }
    const [from, to] = [this.pieces[first]!, this.pieces[last]!];
    const [startNode, endNode] = [from.nodes[0]!, to.nodes.at(-1)!];
    return new StaticRange({
      startContainer: startNode,
      startOffset: from.whole ? 0 : within(start - this.starts[first]!, startNode),
      endContainer: endNode,
      endOffset: to.whole ? endNode.length : within(end - this.starts[last]!, endNode),
    });
  }

  /** The index of the next visible piece from `index` on. */
  private seen(index: number, step: 1 | -1): number | undefined {
    let at = index;
    while (this.pieces[at]?.nodes.length === 0) {
      at += step;
    }
    return this.pieces[at] && at;
  }

  /** The last piece that begins at or before `index`. */
  private pieceAt(index: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}

function within(offset: number, { length }: Text): number {
  return Math.max(0, Math.min(offset, length));
}

/** Collects the pieces of `element` in order, with separators for regions whose text is not known from the reader. */
function gather(element: Element, parts: (Piece | string)[]): void {
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node instanceof Text) {
      if (node.length > 0) {
        parts.push({ text: node.data, nodes: [node], whole: false });
      }
      continue;
    }
    if (!(node instanceof Element) || node.matches(PASSED)) {
      continue;
    }
    const source = shownText(node);
    if (source !== undefined) {
      parts.push({ text: source, nodes: textsIn(node.querySelector('.katex-html') ?? node), whole: true });
    } else if (node.tagName === 'BR') {
      parts.push('\n');
    } else if (INLINE.has(node.tagName)) {
      gather(node, parts);
    } else if (node.matches('.terminal-line')) {
      gather(node, parts);
      if (node.nextSibling && node.textContent !== '\n') {
        parts.push('\n');
      }
    } else {
      separate(parts);
      gather(node, parts);
      separate(parts);
    }
  }
}

/** Adds a separator, so that no match crosses a block's edge. */
function separate(parts: (Piece | string)[]): void {
  const last = parts.at(-1);
  if (last !== undefined && last !== EDGE) {
    parts.push(EDGE);
  }
}

function textsIn(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    texts.push(walker.currentNode as Text);
  }
  return texts;
}
