/**
 * The check for keys of an input method, which compose a character and must not run commands of the page. `shell.ts` repeats the check, because it
 * imports nothing.
 */

/** True when an input method uses this key. Some browsers report that only by the key code 229. */
export function isComposing({ isComposing: composes, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return composes || keyCode === 229;
}

/**
 * Stops the keys of an input method before an element of `page`, or a bubbling listener of its window, receives them. The browser's own handling
 * continues. Capturing listeners of the window still receive them, because they only report that the user types.
 */
export function stopComposingKeys(page: EventTarget): void {
  const stop = (event: Event): void => {
    if (isComposing(event as KeyboardEvent)) {
      event.stopImmediatePropagation();
    }
  };
  for (const kind of ['keydown', 'keyup', 'keypress']) {
    page.addEventListener(kind, stop, { capture: true });
  }
}
