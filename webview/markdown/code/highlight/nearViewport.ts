/** Tells elements when they come near the screen and stay there, scrolled boxes around them included. */

/** px */
const MARGIN = '300px';
/** ms; what is scrolled past, or streams past, faster than this is not looked at. */
const STAY = 80;

interface Watched {
  onNear(): void;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

const watched = new WeakMap<Element, Watched>();
let observer: IntersectionObserver | undefined;

/** Calls back once, when `element` is near; returns the way out. */
export function watchNear(element: Element, onNear: () => void): () => void {
  // `scrollMargin` is newer than the type.
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
