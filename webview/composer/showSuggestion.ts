/** px between a list of suggestions and what is around it. */
const GAP = 4;
/** px; less shows no row whole. */
const LEAST = 40;

/** Puts a list above the message box, over what else stands above it, as high as the page has room for, and scrolls to the active row. */
export function showSuggestion(list: HTMLElement | null, active: number): void {
  const form = list?.closest('form');
  const box = form?.querySelector('.composer-box');
  if (!list || !form || !box) {
    return;
  }
  const { top } = box.getBoundingClientRect();
  list.style.insetBlockEnd = `${form.getBoundingClientRect().bottom - top + GAP}px`;
  list.style.setProperty('--acp-room', `${Math.max(LEAST, top - 2 * GAP)}px`);
  list.children[active]?.scrollIntoView({ block: 'nearest' });
}
