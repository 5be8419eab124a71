/** The words of elements whose text nodes do not say them all: markdown, which has one reader, and what is drawn in the place of its source. */

const texts = new WeakMap<Element, () => string>();

/** `element` is read as what `text` gives. */
export function standsFor(element: Element, text: () => string): void {
  texts.set(element, text);
}

/** What `element` is read as, if that was said. */
export function shownText(element: Element): string | undefined {
  return texts.get(element)?.();
}
