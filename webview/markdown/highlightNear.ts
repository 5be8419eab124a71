/** Tells elements when they come near the screen, scrolled boxes around them included. */

/** px */
const MARGIN = '300px';

const watched = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls back once, when `element` is near; returns the way out. */
export function watchNear(element: Element, onNear: () => void): () => void {
  // `scrollMargin` is newer than the type.
  observer ??= new IntersectionObserver(see, { rootMargin: MARGIN, scrollMargin: MARGIN } as IntersectionObserverInit);
  watched.set(element, onNear);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    watched.delete(element);
  };
}

function see(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    const onNear = watched.get(target);
    observer?.unobserve(target);
    watched.delete(target);
    onNear?.();
  }
}
