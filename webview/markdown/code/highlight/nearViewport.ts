/** Notifies elements that come near the viewport and stay there, including those in scroll containers. */

/** px */
const MARGIN = '300px';
/** ms; an element that is near for a shorter time, while scrolling or streaming, is ignored. */
const STAY = 80;

interface Watched {
  onNear(): void;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

const watched = new WeakMap<Element, Watched>();
let observer: IntersectionObserver | undefined;

/** Calls `onNear` once, when `element` is near. Returns a function that unsubscribes. */
export function watchNear(element: Element, onNear: () => void): () => void {
  // TypeScript's type does not have `scrollMargin` yet.
  observer ??= new IntersectionObserver(see, { rootMargin: MARGIN, scrollMargin: MARGIN } as IntersectionObserverInit);
  watched.set(element, { onNear });
  observer.observe(element);
  return () => leave(element);
}

function see(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    const found = watched.get(target);
    if (!found) {
      continue;
    }
    clearTimeout(found.timer);
    found.timer = isIntersecting ? setTimeout(() => arrive(target, found), STAY) : undefined;
  }
}

function arrive(element: Element, { onNear }: Watched): void {
  leave(element);
  onNear();
}

function leave(element: Element): void {
  observer?.unobserve(element);
  clearTimeout(watched.get(element)?.timer);
  watched.delete(element);
}
