/** Copies a selection that contains formulas with their TeX, because the sequence of their glyphs is meaningless. */

/** Handles the copy event of the page's selection. */
export function copyWithFormulas(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (!event.clipboardData || event.defaultPrevented || !selection || selection.isCollapsed || selection.rangeCount === 0) {
    return;
  }
  const range = selection.getRangeAt(0).cloneRange();
  // A partly selected formula is copied whole.
  const first = formulaOf(range.startContainer);
  const last = formulaOf(range.endContainer);
  if (first) {
    range.setStartBefore(first);
  }
  if (last) {
    range.setEndAfter(last);
  }
  const content = range.cloneContents();
  const formulas = content.querySelectorAll<HTMLElement>('.math-set');
  if (formulas.length === 0) {
    return;
  }
  for (const formula of formulas) {
    formula.replaceChildren(formula.dataset.source ?? '');
  }
  event.clipboardData.setData('text/plain', textOf(content));
  event.preventDefault();
}

function formulaOf(node: Node): Element | null {
  return (node instanceof Element ? node : node.parentElement)?.closest('.math-set') ?? null;
}

/** Only the layout knows the ends of lines. */
function textOf(content: DocumentFragment): string {
  const place = document.createElement('div');
  place.className = 'math-copied md';
  place.append(content);
  document.body.append(place);
  const text = place.innerText;
  place.remove();
  return text;
}
