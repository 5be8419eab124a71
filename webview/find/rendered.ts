/** The text of an entry as it is on the page, and where in it a pattern matches. Nothing is touched: matches are ranges. */

/** What is looked through, the same as in `src/text/markdown/plainText.ts` and in the same order. */
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
/** What is in there and says nothing: controls, marks for the eye. */
const PASSED = '.code-bar, [aria-hidden="true"], .sr-only';
const INLINE = new Set(['A', 'B', 'BDI', 'CODE', 'DEL', 'EM', 'I', 'MARK', 'SPAN', 'STRONG', 'SUB', 'SUP']);

/** The matches in an entry's element, in order, `most` at the most. They are good until it changes. */
export function matchesIn(entry: Element, pattern: RegExp, most: number): StaticRange[] {
  const ranges: StaticRange[] = [];
  for (const region of entry.querySelectorAll(SEARCHED)) {
    if (region.parentElement!.closest(SEARCHED) && entry.contains(region.parentElement!.closest(SEARCHED))) {
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

class RenderedText {
  text = '';
  private readonly nodes: Text[] = [];
  /** Where each of `nodes` begins in `text`. */
  private readonly starts: number[] = [];
  /** Of those of `nodes` that stand for a formula, all that is seen of it. */
  private readonly wholes = new Map<number, readonly Text[]>();

  constructor(region: Element) {
    const parts: string[] = [];
    this.gather(region, parts, { length: 0, broken: true });
    this.text = parts.join('');
  }

  /** @param end after the last character; `start` < `end` */
  range(start: number, end: number): StaticRange {
    const first = this.nodeAt(start);
    const last = this.nodeAt(end - 1);
    const startsIn = this.wholes.get(first);
    const endsIn = this.wholes.get(last)?.at(-1);
    return new StaticRange({
      startContainer: this.nodes[first]!,
      startOffset: startsIn ? 0 : start - this.starts[first]!,
      endContainer: endsIn ?? this.nodes[last]!,
      endOffset: endsIn ? endsIn.length : Math.min(end - this.starts[last]!, this.nodes[last]!.length),
    });
  }

  private gather(element: Element, parts: string[], at: { length: number; broken: boolean }): void {
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node instanceof Text) {
        if (node.length === 0) {
          continue;
        }
        this.nodes.push(node);
        this.starts.push(at.length);
        add(node.data, parts, at);
        at.broken = false;
      } else if (node instanceof HTMLElement && node.matches('.math-set')) {
        this.addFormula(node, parts, at);
      } else if (node instanceof Element && !node.matches(PASSED)) {
        if (node.tagName === 'BR') {
          add('\n', parts, at);
        } else if (INLINE.has(node.tagName)) {
          this.gather(node, parts, at);
        } else {
          separate(parts, at);
          this.gather(node, parts, at);
          separate(parts, at);
        }
      }
    }
  }

  /** A formula reads as its source, and all of it is the place of whatever is in there. */
  private addFormula(formula: HTMLElement, parts: string[], at: { length: number; broken: boolean }): void {
    const glyphs = textsIn(formula.querySelector('.katex-html') ?? formula);
    const block = formula.matches('.math-block');
    if (block) {
      separate(parts, at);
    }
    if (glyphs.length > 0) {
      this.wholes.set(this.nodes.length, glyphs);
      this.nodes.push(glyphs[0]!);
      this.starts.push(at.length);
      add(formula.dataset.source ?? '', parts, at);
      at.broken = false;
    }
    if (block) {
      separate(parts, at);
    }
  }

  /** The last node that begins at or before `index`. */
  private nodeAt(index: number): number {
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

function textsIn(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    texts.push(walker.currentNode as Text);
  }
  return texts;
}

/** Two line breaks: no match goes over the edge of a block. */
function separate(parts: string[], at: { length: number; broken: boolean }): void {
  if (at.broken) {
    return;
  }
  add('\n\n', parts, at);
  at.broken = true;
}

function add(text: string, parts: string[], at: { length: number }): void {
  parts.push(text);
  at.length += text.length;
}
