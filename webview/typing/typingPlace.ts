/**
 * Where the user types, and back to it: what takes the focus for a moment, and goes, gives it back. A key that is still held down when that
 * happens writes nothing there.
 */

const TEXT_FIELD =
  'textarea, input:not([type]), input[type="text"], input[type="search"], input[type="email"], input[type="url"], input[type="number"]';

/** What is there to type into whenever nothing else is. */
const COMPOSER = '.composer-text';

let field: HTMLElement | undefined;
/** What had the focus last, whatever it is. */
let focused: Element | undefined;
/** The page has not the focus: to take it would take the keys from somebody else. */
let away = !document.hasFocus();
/** To be done when the window has it again. */
let pending = false;
const held = new Set<string>();

/** Begins to remember where that is. Once for the page. */
export function watchTyping(): void {
  document.addEventListener('focusin', ({ target }) => {
    focused = target as Element;
    away = pending = false;
    if (isTextField(target)) {
      field = target as HTMLElement;
    }
  });
  window.addEventListener('blur', () => {
    away = true;
    held.clear();
  });
  window.addEventListener('focus', () => {
    away = false;
    if (pending && hasNobody()) {
      returnToTyping();
    }
    pending = false;
  });
  window.addEventListener('pointerdown', () => (away = false), { capture: true });
  window.addEventListener('keydown', ({ code, repeat }) => !repeat && void held.add(code), { capture: true });
  window.addEventListener('keyup', ({ code }) => void held.delete(code), { capture: true });
}

export function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && (target.matches(TEXT_FIELD) || (target as HTMLElement).isContentEditable);
}

/** The focus goes to where the user typed last, and to the composer where that is gone; as soon as the page has it. */
export function returnToTyping(): void {
  if (away) {
    pending = true;
    return;
  }
  muteHeldKeys();
  const isThere = field?.isConnected === true && field.getClientRects().length > 0 && !field.matches(':disabled');
  (isThere ? field : document.querySelector<HTMLElement>(COMPOSER))?.focus({ preventScroll: true });
}

/** {@link returnToTyping}, when nothing has the focus and what had it last has left the document, or is in `going`. */
export function returnIfLost(going?: Element): void {
  if (hasNobody() && focused && (!focused.isConnected || going?.contains(focused))) {
    returnToTyping();
  }
}

function hasNobody(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** The key that did something is not written where the focus goes, for as long as it is held. */
function muteHeldKeys(): void {
  const muted = new Set(held);
  if (muted.size === 0) {
    return;
  }
  const down = (event: KeyboardEvent): void => {
    if (event.repeat && muted.has(event.code)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  const up = (event: KeyboardEvent): void => {
    muted.delete(event.code);
    if (muted.size === 0) {
      window.removeEventListener('keydown', down, true);
      window.removeEventListener('keyup', up, true);
    }
  };
  window.addEventListener('keydown', down, true);
  window.addEventListener('keyup', up, true);
}
