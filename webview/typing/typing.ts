/** Tells the host that the user types, wherever in the page: a question must not take the focus, and the keys with it, meanwhile. */

/** ms between two tellings */
const EVERY_MS = 1000;

/** Calls `tell` when a key goes into a text field, at most once a second; those that an input method makes a character of count too. */
export function tellTyping(tell: () => void, now: () => number): void {
  let last = -Infinity;
  window.addEventListener(
    'keydown',
    ({ target }) => {
      if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) || now() - last < EVERY_MS) {
        return;
      }
      last = now();
      tell();
    },
    // What a field does with the key is its own affair.
    { capture: true },
  );
}
