/** Follows the end while the conversation grows, and keeps the position while the user reads. */
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** px from the end that still count as the end */
const NEAR = 32;

/** px after a request that may be out of sight while the request is shown as the end */
const AFTER_QUESTION = 90;

/** Events that show whether a pointer is pressed. Releasing a scrollbar sends no event, but the next move does. */
const HOLDING = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

/** Events of the user's scrolling. */
const BY_USER = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

export interface Follow {
  /** True while the end is kept in view. */
  readonly following: boolean;
  /** The current value of {@link following}. */
  follows(): boolean;
  /** Scrolls to the end and follows it. */
  toEnd(): void;
  /** Stops following, because the caller scrolls to another position. */
  leave(): void;
}

/**
 * Keeps `scroller` at its end while following. Scrolling up stops it; reaching the end starts it again. The browser's scroll anchoring keeps the text
 * in place while the content grows. While `returning` is true, reaching the end has no effect.
 */
export function useFollow(
  scroller: RefObject<HTMLElement>,
  content: RefObject<HTMLElement>,
  onAway: () => void,
  returning: () => boolean,
): Follow {
  const [following, setFollowing] = useState(() => !returning());
  const follows = useRef(following);
  const lastTop = useRef(0);
  const own = useRef(false);
  /** True while a pointer is pressed, perhaps on the scrollbar: the user's scroll and ours then share one event. */
  const held = useRef(false);
  const set = (value: boolean) => {
    follows.current = value;
    setFollowing(value);
  };
  const pin = () => {
    const element = scroller.current;
    if (!element || !follows.current) {
      return;
    }
    element.scrollTop = Math.min(element.scrollHeight, topOfQuestion(element));
    if (element.scrollTop === lastTop.current) {
      return;
    }
    lastTop.current = element.scrollTop;
    own.current = !held.current;
    // The scroll event comes before the next frame's callbacks.
    requestAnimationFrame(() => (own.current = false));
  };
  useLayoutEffect(() => {
    const element = scroller.current!;
    const judge = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      if (scrollHeight - scrollTop - clientHeight <= NEAR) {
        if (!follows.current && !returning()) {
          set(true);
        }
      } else if (scrollTop < lastTop.current - 1 && follows.current) {
        set(false);
      }
      lastTop.current = scrollTop;
    };
    const onScroll = () => {
      // Reading the position would force a second layout in each frame of a stream.
      if (own.current) {
        return void (own.current = false);
      }
      judge();
      if (!follows.current) {
        onAway();
      }
    };
    const byUser = () => void (own.current = false);
    const holds = ({ buttons }: PointerEvent) => void (held.current = buttons !== 0);
    for (const kind of HOLDING) {
      element.addEventListener(kind, holds, { passive: true });
    }
    for (const kind of BY_USER) {
      element.addEventListener(kind, byUser, { passive: true });
    }
    element.addEventListener('scroll', onScroll, { passive: true });
    // The focus scrolls its element into view, perhaps in the same frame as our own scroll.
    element.addEventListener('focusin', judge);
    const measure = () => {
      element.style.setProperty('--acp-log-height', `${element.clientHeight}px`);
      pin();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(content.current!);
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('focusin', judge);
      for (const kind of BY_USER) {
        element.removeEventListener(kind, byUser);
      }
      for (const kind of HOLDING) {
        element.removeEventListener(kind, holds);
      }
    };
  }, []);
  const toEnd = useCallback(() => {
    set(true);
    pin();
  }, []);
  const leave = useCallback(() => set(false), []);
  return { following, follows: () => follows.current, toEnd, leave };
}

/** The scroll position that shows the top of the oldest waiting request, if that request is at the end; otherwise infinite. */
function topOfQuestion(scroller: HTMLElement): number {
  const card = scroller.querySelector('.tool-asked, .permission-waiting');
  if (!card) {
    return Infinity;
  }
  const { top, bottom } = card.getBoundingClientRect();
  const start = scroller.getBoundingClientRect().top - scroller.scrollTop;
  return scroller.scrollHeight - (bottom - start) > AFTER_QUESTION ? Infinity : top - start - 4;
}
