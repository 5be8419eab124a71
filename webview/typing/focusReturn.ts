/**
 * Remembers the text field in which the user types. An element that takes the focus temporarily returns it to that field. A key that is still held
 * down then types nothing.
 */

const TEXT_FIELD =
  'textarea, input:not([type]), input[type="text"], input[type="search"], input[type="email"], input[type="url"], input[type="number"]';

/** The default text field. */
const COMPOSER = '.composer-text';

let field: HTMLElement | undefined;
/** The element that had the focus last. */
let focused: Element | undefined;
/** The focused element when the page lost the focus to VS Code, because the browser forgets it. */
let left: Element | undefined;
/** The times when an element lost the focus to no other, and when the pointer was pressed; ms on the page's clock. */
let outAt = -Infinity;
let pointerAt = -Infinity;
/** True while the page does not have the focus. Focusing an element would then take the keys from another part of the window. */
let away = false;
/** True when the focus must return to the text field once the window has the focus. */
let pending = false;
/** The host's request for the focus while the page does not have it. */
let wanted: (() => void) | undefined;
const held = new Set<string>();
/** VS Code's frame around the page, which forwards its messages. */
let around: Window | undefined;
let fetching = 0;
/** Focuses an element once it is certain that the page keeps the focus. */
let settling: { readonly timer: number; readonly focus: () => void } | undefined;

/** ms in which VS Code may take back the focus that it has just given: a command of its palette continues elsewhere. */
const SETTLE_MS = 60;
/** ms after which VS Code has passed the focus from that frame to the page, and the number of checks. */
const HAND_ON_MS = 150;
const HAND_ON_LOOKS = 10;
/** ms after which the page checks again that the focus was left to that frame, because news of its loss may be on the way. */
const CONFIRM_MS = 50;
/** A timer that is later by more than this many ms belongs to a busy page. The news of a lost focus may then wait behind the timer. */
const LATE_MS = 30;
/** The longest time between two events with one cause, in ms. */
const TOGETHER_MS = 100;
/** Questions, which a key pressed for something else must not answer. */
const QUESTIONS = '.permission-waiting, .tool-asked';

/** Starts to track the focus. Called once per page. */
export function watchTyping(): void {
  away = !document.hasFocus();
  document.addEventListener('focusin', ({ target }) => {
    focused = target as Element;
    away = pending = false;
    if (isTextField(target)) {
      field = target as HTMLElement;
    }
  });
  document.addEventListener('focusout', ({ target, relatedTarget, timeStamp }) => {
    // An element of the page's HTML may have had the focus before the listeners were added.
    focused = target as Element;
    outAt = relatedTarget === null ? timeStamp : outAt;
  });
  window.addEventListener('message', ({ source }) => {
    around = source === null || source === window ? undefined : (source as Window);
  });
  window.addEventListener('blur', ({ timeStamp }) => {
    away = true;
    held.clear();
    const wasLeft = timeStamp - outAt < TOGETHER_MS ? focused : undefined;
    const had = hasNobody() ? wasLeft : document.activeElement!;
    // An element whose focus was not restored yet remains the one to restore.
    left = cancelSettling() ? (had ?? left) : had;
    fetchFromAround();
  });
  window.addEventListener('focus', ({ timeStamp }) => {
    away = false;
    settle(() => {
      if (wanted) {
        wanted();
      } else if (pending && hasNobody()) {
        returnToTyping();
      } else if (timeStamp - pointerAt > TOGETHER_MS) {
        takeBack();
      }
      pending = false;
      wanted = undefined;
    });
  });
  const onPointer = ({ timeStamp }: Event): void => {
    away = false;
    pointerAt = timeStamp;
    wanted = undefined;
    cancelSettling();
  };
  window.addEventListener('pointerdown', onPointer, { capture: true });
  const onKeyDown = ({ code, repeat }: KeyboardEvent): void => {
    if (!repeat) {
      // Typing here proves that the page has the focus, so it moves at once and no key is lost.
      cancelSettling()?.();
      held.add(code);
    }
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  window.addEventListener('keyup', ({ code }) => void held.delete(code), { capture: true });
  document.addEventListener('keydown', keepSelectAll);
}

/**
 * Keeps VS Code from selecting all once more. It runs its own command for that key, whose result comes late, and what was typed meanwhile would be
 * replaced by the next letter.
 */
function keepSelectAll(event: KeyboardEvent): void {
  const hasModifier = navigator.platform.startsWith('Mac') ? event.metaKey : event.ctrlKey;
  if (hasModifier && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'a' && isTextField(event.target)) {
    event.stopPropagation();
  }
}

/**
 * Delays a focus change. An element that is focused takes the focus from the rest of the window, and the page is notified too late that it had lost
 * the focus again. The palette opened meanwhile would close, or the keys for a list would go into the message.
 */
function settle(focus: () => void): void {
  cancelSettling();
  const due = performance.now() + SETTLE_MS;
  const timer = window.setTimeout(() => (isLate(due) ? settle(focus) : cancelSettling()?.()), SETTLE_MS);
  settling = { timer, focus };
}

function isLate(due: number): boolean {
  return performance.now() - due > LATE_MS;
}

/** Cancels the delayed focus change and returns it. */
function cancelSettling(): (() => void) | undefined {
  const focus = settling?.focus;
  window.clearTimeout(settling?.timer);
  settling = undefined;
  return focus;
}

export function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && (target.matches(TEXT_FIELD) || (target as HTMLElement).isContentEditable);
}

/** Moves the focus within the page: at once while the page has the focus, otherwise when VS Code gives it. */
export function whenFocused(focus: () => void): void {
  if (away || settling) {
    wanted = focus;
    fetchFromAround();
  } else {
    focus();
  }
}

/**
 * VS Code gives a webview the focus in two steps. It omits the second one, to the page, when the frame reports late that it had lost the focus to a
 * briefly opened quick pick. The frame checks that four times a second. The keys then go nowhere, so the page takes the focus from the frame.
 */
function fetchFromAround(looks = HAND_ON_LOOKS, wasLeft = false): void {
  window.clearTimeout(fetching);
  const delay = wasLeft ? CONFIRM_MS : HAND_ON_MS;
  const due = performance.now() + delay;
  fetching = window.setTimeout(() => {
    const isLeft = isLeftToAround();
    if (away && isLeft && wasLeft && !isLate(due)) {
      window.focus();
    } else if (away && looks > 1) {
      fetchFromAround(looks - 1, isLeft);
    }
  }, delay);
}

/** True when that frame has the focus, but no element in it. */
function isLeftToAround(): boolean {
  try {
    const { document: frame } = around!;
    return frame.hasFocus() && frame.activeElement === frame.body;
  } catch {
    return false;
  }
}

/**
 * Moves the focus to the text field that was used last, or to the composer when that field no longer exists. Without the focus, the page waits for
 * it.
 */
export function returnToTyping(): void {
  if (away) {
    pending = true;
    return;
  }
  muteHeldKeys();
  const isThere = field?.isConnected === true && field.getClientRects().length > 0 && !field.matches(':disabled');
  (isThere ? field : document.querySelector<HTMLElement>(COMPOSER))?.focus({ preventScroll: true });
}

/** Focuses the element again that had the focus when VS Code took it, unless the user has clicked elsewhere. */
function takeBack(): void {
  const element = left;
  left = undefined;
  if (!element || !hasNobody() || element.closest(QUESTIONS)) {
    return;
  }
  muteRepeats();
  if (!element.isConnected) {
    return returnToTyping();
  }
  const focus = (): void => {
    if (hasNobody() && !away) {
      (element as HTMLElement).focus({ preventScroll: true });
    }
  };
  focus();
  // A page that was hidden is not laid out yet.
  requestAnimationFrame(focus);
}

/** Ignores the repeats of a key that is still held down after it closed the temporarily focused element. */
function muteRepeats(): void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.type === 'keydown' && event.repeat) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    window.removeEventListener('keydown', onKey, true);
    window.removeEventListener('keyup', onKey, true);
  };
  window.addEventListener('keydown', onKey, true);
  window.addEventListener('keyup', onKey, true);
}

/** Calls {@link returnToTyping} when no element has the focus and the last focused one was removed or is in `going`. */
export function returnIfLost(going?: Element): void {
  if (hasNobody() && focused && (!focused.isConnected || going?.contains(focused))) {
    returnToTyping();
  }
}

function hasNobody(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Keeps a key that is held down from typing where the focus moves. */
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
