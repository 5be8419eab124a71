/**
 * The keys of a permission request: 1 to 9 and Ctrl+Enter answer it, and Escape, pressed twice, rejects it. They count while the focus is in the
 * request; the digits of the oldest request count in the whole conversation.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ANSWER_DELAY_MS } from '../../../src/core/approval/answerDelay';
import { isTextField, returnIfLost } from '../../typing/focusReturn';

/** Parts of the conversation whose digits are their own: lists that are searched by typing, terminals, and other questions. */
const OWN_KEYS =
  'select, [role="menu"], [role="listbox"], [role="dialog"], dialog, .xterm, .sign-in, .elicitation-waiting, [data-entry-id^="permission:"]';

interface Question {
  /** True while digits that are pressed elsewhere in the conversation are meant for this request. */
  takesAll(): boolean;
  /** A key that answers was pressed after the quiet time. Returns false while the request takes no answer yet. */
  take(event: KeyboardEvent): boolean;
  /** True when the next Escape answers. */
  takesEscape(): boolean;
  /** Shows that the next Escape answers. */
  announceEscape(): void;
  /** The focus came into the request, or left it. Returns true when the user led it here by Escape. */
  focused(isInside: boolean): boolean;
  /** The request goes from the page. */
  gone(buttons: HTMLElement, group: HTMLElement): void;
}

/**
 * Listens for the keys of the question that these buttons belong to. No key counts in the first half second after the focus came into the question or
 * the conversation, nor while earlier typing goes on. Digits count at once after an Escape that led here, because no typing contains an Escape. When
 * the buttons go, the focus that was on them returns. The buttons have the attribute `data-keys` while digits are meant for the question, with the
 * value `wait` in the half second.
 * @returns a function that begins such a half second
 */
export function useQuestionKeys(buttons: { readonly current: HTMLElement | null }, question: Question): () => void {
  const latest = useRef(question);
  latest.current = question;
  const quietAt = useRef(-Infinity);
  /** The time from which digits count. */
  const digitsAt = useRef(-Infinity);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const showKeys = useRef<(active: EventTarget | null) => void>(() => {});
  const waitForOthers = (): void => {
    quietAt.current = performance.now() + ANSWER_DELAY_MS;
  };
  const wait = (): void => {
    waitForOthers();
    digitsAt.current = quietAt.current;
    showKeys.current(document.activeElement);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => showKeys.current(document.activeElement), ANSWER_DELAY_MS);
  };
  useLayoutEffect(() => {
    const group = questionOf(buttons.current!);
    const around = group.closest<HTMLElement>('.scroller') ?? group;
    const isInGroup = (target: EventTarget | null): boolean => target instanceof Element && target.closest('[data-entry-id]') === group;
    const takesDigits = (target: Element): boolean => latest.current.takesAll() && !target.closest(OWN_KEYS);
    showKeys.current = (active) => {
      const works =
        active instanceof Element && around.contains(active) && !isTextField(active) && (isInGroup(active) || takesDigits(active));
      if (works) {
        buttons.current?.setAttribute('data-keys', performance.now() < digitsAt.current ? 'wait' : '');
      } else {
        buttons.current?.removeAttribute('data-keys');
      }
    };
    const onFocusIn = ({ target, relatedTarget }: FocusEvent): void => {
      const enters = isInGroup(target) && !isInGroup(relatedTarget);
      if (enters && latest.current.focused(true)) {
        waitForOthers();
      } else if (enters || !(relatedTarget instanceof Node && around.contains(relatedTarget))) {
        wait();
      }
      showKeys.current(target);
    };
    const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
      if (isInGroup(target) && !isInGroup(relatedTarget)) {
        latest.current.focused(false);
      }
      showKeys.current(relatedTarget);
    };
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.defaultPrevented || !(target instanceof Element) || isTextField(target)) {
        return;
      }
      const counts = isInGroup(target) ? isAnswerKey(event) || isEscape(event) : isDigit(event) && takesDigits(target);
      if (!counts) {
        return;
      }
      event.preventDefault();
      const from = isDigit(event) ? digitsAt : quietAt;
      if (isEscape(event) && !latest.current.takesEscape()) {
        latest.current.announceEscape();
        waitForOthers();
      } else if (performance.now() < from.current || !latest.current.take(event)) {
        void (isEscape(event) ? waitForOthers() : wait());
      }
    };
    around.addEventListener('focusin', onFocusIn);
    around.addEventListener('focusout', onFocusOut);
    around.addEventListener('keydown', onKey);
    returnIfLost();
    showKeys.current(document.activeElement);
    // A folded card had the focus before its buttons came.
    if (isInGroup(document.activeElement)) {
      wait();
      latest.current.focused(true);
    }
    const { current } = buttons;
    return () => {
      clearTimeout(timer.current);
      around.removeEventListener('focusin', onFocusIn);
      around.removeEventListener('focusout', onFocusOut);
      around.removeEventListener('keydown', onKey);
      latest.current.gone(current!, group);
    };
  }, []);
  return wait;
}

/** Returns the question's element: it is named by the request's title, and takes the focus. */
export function questionOf(buttons: HTMLElement): HTMLElement {
  return buttons.closest<HTMLElement>('[data-entry-id]')!;
}

function isAnswerKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  return key === 'Enter' ? (ctrlKey || metaKey) && !altKey && !shiftKey : isDigit(event);
}

/** Shift is allowed, because some keyboards need it for a digit. */
function isDigit({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return /^[1-9]$/.test(key) && !ctrlKey && !metaKey && !altKey;
}

function isEscape({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'Escape' && !ctrlKey && !metaKey && !altKey && !shiftKey;
}
