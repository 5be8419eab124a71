/**
 * Reports to the host whether the page has the focus, and when keys or the pointer are used in it outside its text fields (`typing.ts` reports those):
 * VS Code tells an extension neither, and a question that takes the keyboard must come only where the focus is and the user is idle.
 */
import type { FromView } from '../../src/core/protocol/view';

/** ms between two reports */
const EVERY_MS = 1000;

export function reportActivity(post: (message: Extract<FromView, { type: 'focus' | 'typing' }>) => void, now: () => number): void {
  let reported: boolean | undefined;
  const report = (): void => {
    const hasFocus = document.hasFocus();
    if (hasFocus === reported) {
      return;
    }
    reported = hasFocus;
    post({ type: 'focus', hasFocus });
  };
  // A frame inside the page takes the focus from its window, not from its document; which of the two is known only after the event.
  for (const kind of ['focus', 'blur']) {
    window.addEventListener(kind, () => setTimeout(report));
  }
  report();
  let last = -Infinity;
  const reportUse = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement || now() - last < EVERY_MS) {
      return;
    }
    last = now();
    post({ type: 'typing' });
  };
  for (const kind of ['keydown', 'pointerdown']) {
    window.addEventListener(kind, reportUse, { capture: true });
  }
}
