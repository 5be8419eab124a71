/** Returns the focus that a row or a bar takes with it when it disappears. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** @param leave called where the bar has no button left that could get the focus */
export function useReturnedFocus(root: RefObject<HTMLElement>, leave: () => void): void {
  // Read before the change reaches the document: a row that goes takes the focus with it.
  const hadFocus = root.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) {
      const button = root.current?.querySelector<HTMLElement>('.fold-button');
      if (button) {
        button.focus();
      } else {
        leave();
      }
    }
  });
}
