/** Reports to the host that the user types, anywhere in the page. A question must not take the focus, and with it the keys, meanwhile. */

/** ms between two reports */
const EVERY_MS = 1000;

/** Calls `tell` when a key is typed into a text field, at most once a second. Keys of an input method count, too. */
export function reportTyping(report: () => void, now: () => number): void {
  let last = -Infinity;
  window.addEventListener(
    'keydown',
    ({ target }) => {
      if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) || now() - last < EVERY_MS) {
        return;
      }
      last = now();
      report();
    },
    // Captured, because a field may stop the event.
    { capture: true },
  );
}
