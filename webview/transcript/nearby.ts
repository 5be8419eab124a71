/** Which elements are on the screen or within a screen of it: one observer for all pages. */
export class Nearby {
  private readonly observer: IntersectionObserver;
  private readonly watched = new Map<Element, (near: boolean, height: number) => void>();

  constructor(root: Element) {
    this.observer = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting, boundingClientRect } of seen) this.watched.get(target)?.(isIntersecting, boundingClientRect.height);
      },
      { root, rootMargin: '100% 0px' },
    );
  }

  /** `told` hears at once where the element is, then of each change, with its height in px. Returns the way out. */
  watch(element: Element, told: (near: boolean, height: number) => void): () => void {
    this.watched.set(element, told);
    this.observer.observe(element);
    return () => {
      this.watched.delete(element);
      this.observer.unobserve(element);
    };
  }

  dispose(): void {
    this.observer.disconnect();
    this.watched.clear();
  }
}
