/** The control of the browser's scroll anchoring. */

/**
 * Excludes `space` from scroll anchoring while content of another height replaces it, so that the text below does not move. Returns a function that
 * ends the exclusion.
 */
export function excludeFromScrollAnchoring(space: HTMLElement): () => void {
  space.style.setProperty('overflow-anchor', 'none');
  // The browser selects the anchor by the earlier layout when it lays out the new content. Two frames later that is over.
  return () => requestAnimationFrame(() => requestAnimationFrame(() => space.style.removeProperty('overflow-anchor')));
}
