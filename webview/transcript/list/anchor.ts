/** What the browser holds in its place while what is above it gets another height. */

/**
 * Keeps `space`, which is to become something of another height, from being what is held: its beginning would stay where it is, and what one
 * reads below it would move. Returns what to call when it is no space any more.
 */
export function heldBySomethingElse(space: HTMLElement): () => void {
  space.style.setProperty('overflow-anchor', 'none');
  // The browser chooses when it lays out what has come, by where things were before: two frames later that is over.
  return () => requestAnimationFrame(() => requestAnimationFrame(() => space.style.removeProperty('overflow-anchor')));
}
