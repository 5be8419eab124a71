/**
 * Reports to the host whether the page has the focus, and when keys or the pointer are used outside its text fields (`typingReporter.ts` reports those). VS
 * Code does not report either to an extension. The host needs it, because a quick pick with a question must open only where the focus is, while the
 * user is idle.
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
  // A frame inside the page takes the focus from its window, but not from its document. The two cases differ only after the event.
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
