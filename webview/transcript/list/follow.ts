/** Staying at the end while the conversation grows, and staying put while the user reads. */
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** px from the end that still count as the end */
const NEAR = 32;

/** What says whether a pointer is held down; letting go of a scrollbar says nothing, the next move does. */
const HOLDING = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

/** What a user scrolls with. */
const BY_USER = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

export interface Follow {
  /** True while the end is kept in view. */
  readonly following: boolean;
  /** As {@link following}, at this moment. */
  follows(): boolean;
  /** Goes to the end and stays there. */
  toEnd(): void;
  /** The end is not kept in view: somebody else goes to a place. */
  leave(): void;
}

/**
 * Keeps `scroller` at its end while following. Scrolling up stops it, reaching the end starts it again. Growth itself never moves what is
 * being read: that is the browser's scroll anchoring. While somebody else is `returning` to a place, reaching the end means nothing.
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
  /** A pointer is held down, on the scrollbar perhaps: its move and ours come in one event. */
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
    element.scrollTop = element.scrollHeight;
    if (element.scrollTop === lastTop.current) {
      return;
    }
    lastTop.current = element.scrollTop;
    own.current = !held.current;
    // The event of it comes before the next frame's callbacks.
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
      // Where it is need not be asked then: that would lay out the page once more in each frame of a stream.
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
    // What has the focus was brought onto the screen, perhaps in the middle of a frame of ours.
    element.addEventListener('focusin', judge);
    const observer = new ResizeObserver(pin);
    observer.observe(element);
    observer.observe(content.current!);
    pin();
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
