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
/** What had it when the page lost it to VS Code: the browser forgets that. */
let left: Element | undefined;
/** When something lost it to nothing, and when the pointer was pressed; ms on the page's clock. */
let outAt = -Infinity;
let pointerAt = -Infinity;
/** The page has not the focus: to take it would take the keys from somebody else. */
let away = false;
/** To be done when the window has it again. */
let pending = false;
/** What the host wanted to have the focus while the page was without it. */
let wanted: (() => void) | undefined;
const held = new Set<string>();
/** The frame that VS Code puts around the page, and hands on what it says. */
let around: Window | undefined;
let fetching = 0;
/** Takes the focus in the page, once it is sure that the page keeps it. */
let settling: { readonly timer: number; readonly focus: () => void } | undefined;

/** ms in which VS Code may take back the focus that it has just given: a command of its palette goes on somewhere else. */
const SETTLE_MS = 60;
/** ms after which VS Code has handed the focus on from that frame to the page, and how often it is looked for. */
const HAND_ON_MS = 150;
const HAND_ON_LOOKS = 10;
/** ms within which two events have one cause. */
const TOGETHER_MS = 100;
/** No key that is pressed for something else may answer these. */
const QUESTIONS = '.permission-waiting, .tool-asked';

/** Begins to remember where that is. Once for the page. */
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
    // What the document came with may have had it before we listened.
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
    // One that was not even taken back yet is still to be.
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
      // Who types here has the focus here, and no key is lost meanwhile.
      cancelSettling()?.();
      held.add(code);
    }
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  window.addEventListener('keyup', ({ code }) => void held.delete(code), { capture: true });
}

/**
 * A page that focuses what it holds takes the focus from the rest of the window, if that has it by then: the page learns too late that it lost it again,
 * and the palette that was opened meanwhile closes, or the keys for a list go into the message.
 */
function settle(focus: () => void): void {
  cancelSettling();
  const timer = window.setTimeout(() => cancelSettling()?.(), SETTLE_MS);
  settling = { timer, focus };
}

/** What was to be done then. */
function cancelSettling(): (() => void) | undefined {
  const focus = settling?.focus;
  window.clearTimeout(settling?.timer);
  settling = undefined;
  return focus;
}

export function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && (target.matches(TEXT_FIELD) || (target as HTMLElement).isContentEditable);
}

/** Moves the focus within the page: at once while it has the focus, else when VS Code gives it that. */
export function whenFocused(focus: () => void): void {
  if (away || settling) {
    wanted = focus;
    fetchFromAround();
  } else {
    focus();
  }
}

/**
 * VS Code gives a webview the focus in two steps, and leaves out the second, to the page, when the frame says late (it looks four times in a second) that it
 * lost the focus before: to a quick pick that was open for a moment only. The keys then go nowhere.
 */
function fetchFromAround(looks = HAND_ON_LOOKS): void {
  window.clearTimeout(fetching);
  fetching = window.setTimeout(() => {
    if (away && isLeftToAround()) {
      window.focus();
    } else if (away && looks > 1) {
      fetchFromAround(looks - 1);
    }
  }, HAND_ON_MS);
}

/** Whether that frame has the focus, and nothing in it has. */
function isLeftToAround(): boolean {
  try {
    const { document: frame } = around!;
    return frame.hasFocus() && frame.activeElement === frame.body;
  } catch {
    return false;
  }
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

/** What had the focus when VS Code took it has it again, unless the user has pressed on something else. */
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
  // A page that was hidden is not drawn yet.
  requestAnimationFrame(focus);
}

/** The key that closed what had the focus meanwhile may still be held: it does nothing here. */
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
