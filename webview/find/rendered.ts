/**
 * The text of an entry as it is on the page, and where in it a pattern matches. Markdown is read by the reader that the host has, from the tokens that
 * are rendered; its nodes only say where that text stands. Nothing is touched: matches are ranges.
 */
import { EDGE } from '../../src/text/markdown/edge';
import { shownText } from '../markdown/shownText';

/** What is looked through, the same as in `src/text/find/entryTexts.ts` and in the same order. */
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
/** What is in there and is no text of others: controls, marks for the eye, our own words. */
const PASSED = '.code-bar, [aria-hidden="true"], .sr-only, .unsearched';
const INLINE = new Set(['A', 'B', 'BDI', 'CODE', 'DEL', 'EM', 'I', 'KBD', 'MARK', 'SPAN', 'STRONG', 'SUB', 'SUP']);

/** The matches in an entry's element, in order, `most` at the most; undefined for one that is not seen. They are good until it changes. */
export function matchesIn(entry: Element, pattern: RegExp, most: number): (StaticRange | undefined)[] {
  const ranges: (StaticRange | undefined)[] = [];
  for (const region of entry.querySelectorAll(SEARCHED)) {
    const around = region.parentElement!.closest(SEARCHED);
    if ((around && entry.contains(around)) || region.matches('.unsearched')) {
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

/** Nodes whose text is a place in a region's. */
interface Piece {
  readonly text: string;
  /** All that is seen of it: one text node, what is drawn of a formula, or nothing. */
  readonly nodes: readonly Text[];
  /** Whether it is a whole: any place in it is all of it. */
  readonly whole: boolean;
}

class RenderedText {
  readonly text: string;
  private readonly pieces: Piece[] = [];
  /** Where each of `pieces` begins in `text`. */
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
      // What is read has line breaks between blocks, which no node has.
      while (told !== undefined && this.text[at] === '\n' && !this.text.startsWith(part.text, at)) {
        at++;
      }
      this.pieces.push(part);
      this.starts.push(at);
      at += part.text.length;
    }
  }

  /** @param end after the last character; `start` < `end`; undefined when nothing of it is seen */
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

  /** The next piece from `index` on that is seen. */
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

/** The pieces of `element` in order, and what stands between them where nobody says what it is read as. */
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

/** Nothing is found over the edge of a block. */
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
