/** The readable text of elements whose text nodes differ from it: Markdown, which has one reader, and content drawn instead of its source. */

const texts = new WeakMap<Element, () => string>();

/** Registers `text` as the readable text of `element`. */
export function setReadableText(element: Element, text: () => string): void {
  texts.set(element, text);
}

/** Returns the readable text of `element`, if one is registered. */
export function shownText(element: Element): string | undefined {
  return texts.get(element)?.();
}
