/** Marks what the user searches in the content of a message. Only the page knows where its text nodes are. */

/** Hits that are marked. */
const MAX_HITS = 2000;
const NAME = 'inspector-hit';

/** Marks the hits in `root` and returns the first one. Without a query nothing is marked. */
export function markHits(root: HTMLElement, query: string): Range | undefined {
  const ranges = query === '' ? [] : rangesIn(root, query.toLowerCase());
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return ranges[0];
}

function rangesIn(root: HTMLElement, query: string): Range[] {
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const text = node.nodeValue ?? '';
    const small = text.toLowerCase();
    // Some letters are longer in lower case, and the places would not fit.
    const searched = small.length === text.length ? small : text;
    for (let at = searched.indexOf(query); at >= 0; at = searched.indexOf(query, at + query.length)) {
      if (ranges.length >= MAX_HITS) {
        return ranges;
      }
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + query.length);
      ranges.push(range);
    }
  }
  return ranges;
}
