/**
 * Tells the host whether the page has the focus, and that somebody's hands are at work in it outside its text fields (`typing.ts` tells of those):
 * VS Code tells an extension neither, and a question that takes the keyboard must come only where the focus is and the hands rest.
 */
import type { FromView } from '../../src/core/protocol/view';

/** ms between two tellings */
const EVERY_MS = 1000;

export function tellHands(post: (message: Extract<FromView, { type: 'focus' | 'typing' }>) => void, now: () => number): void {
  let told: boolean | undefined;
  const tell = (): void => {
    const hasFocus = document.hasFocus();
    if (hasFocus === told) {
      return;
    }
    told = hasFocus;
    post({ type: 'focus', hasFocus });
  };
  // A frame inside the page takes the focus from its window, not from its document; which of the two is known only after the event.
  for (const kind of ['focus', 'blur']) {
    window.addEventListener(kind, () => setTimeout(tell));
  }
  tell();
  let last = -Infinity;
  const move = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement || now() - last < EVERY_MS) {
      return;
    }
    last = now();
    post({ type: 'typing' });
  };
  for (const kind of ['keydown', 'pointerdown']) {
    window.addEventListener(kind, move, { capture: true });
  }
}
