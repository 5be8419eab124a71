/** A selection with formulas in it is copied with their TeX: their glyphs, one after the other, mean nothing. */

/** Takes a copy of the page's selection. */
export function copyWithFormulas(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (!event.clipboardData || event.defaultPrevented || !selection || selection.isCollapsed || selection.rangeCount === 0) {
    return;
  }
  const range = selection.getRangeAt(0).cloneRange();
  // Half a formula is none.
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

/** Where lines end only the layout knows. */
function textOf(content: DocumentFragment): string {
  const place = document.createElement('div');
  place.className = 'math-copied md';
  place.append(content);
  document.body.append(place);
  const text = place.innerText;
  place.remove();
  return text;
}
