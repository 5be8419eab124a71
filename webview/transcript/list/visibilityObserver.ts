/** Reports which elements are on the screen or within a screen of it: one observer for all pages. */
export class VisibilityObserver {
  private readonly observer: IntersectionObserver;
  /** In document order. */
  private readonly watched = new Map<Element, (near: boolean, height: number) => void>();

  constructor(private readonly root: Element) {
    this.observer = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting, boundingClientRect } of seen) {
          this.watched.get(target)?.(isIntersecting, boundingClientRect.height);
        }
      },
      { root, rootMargin: '100% 0px' },
    );
  }

  /** Calls `told` at once with the element's visibility, and after each change, with its height in px. Returns a function that unsubscribes. */
  watch(element: Element, onChange: (near: boolean, height: number) => void): () => void {
    this.watched.set(element, onChange);
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

  /** Called after a scroll: reports before the frame that would show an empty space, while the observer reports after it. */
  look(): void {
    const elements = [...this.watched.keys()];
    const screen = this.root.getBoundingClientRect();
    for (let index = firstBelow(elements, screen.top); index < elements.length; index++) {
      const box = elements[index]!.getBoundingClientRect();
      if (box.top >= screen.bottom) {
        break;
      }
      this.watched.get(elements[index]!)!(true, box.height);
    }
  }
}

/** The index of the first element that extends below `top`, in px of the viewport. */
function firstBelow(elements: readonly Element[], top: number): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle]!.getBoundingClientRect().bottom > top) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
