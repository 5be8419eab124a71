/** Staying at the end while the conversation grows, and staying put while the user reads. */
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** px from the end that still count as the end */
const NEAR = 32;

export interface Follow {
  /** True while the end is kept in view. */
  readonly following: boolean;
  /** Goes to the end and stays there. */
  toEnd(): void;
}

/**
 * Keeps `scroller` at its end while following. Scrolling up stops it, reaching the end starts it again. Growth itself never moves what is
 * being read: that is the browser's scroll anchoring.
 */
export function useFollow(scroller: RefObject<HTMLElement>, content: RefObject<HTMLElement>): Follow {
  const [following, setFollowing] = useState(true);
  const follows = useRef(true);
  const lastTop = useRef(0);
  const set = (value: boolean) => {
    follows.current = value;
    setFollowing(value);
  };
  const pin = () => {
    const element = scroller.current;
    if (!element || !follows.current) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  };
  useLayoutEffect(() => {
    const element = scroller.current!;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      if (scrollHeight - scrollTop - clientHeight <= NEAR) {
        if (!follows.current) set(true);
      } else if (scrollTop < lastTop.current - 1 && follows.current) {
        set(false);
      }
      lastTop.current = scrollTop;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(pin);
    observer.observe(element);
    observer.observe(content.current!);
    pin();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  const toEnd = useCallback(() => {
    set(true);
    pin();
  }, []);
  return { following, toEnd };
}
