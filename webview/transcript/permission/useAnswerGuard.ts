/** Reports the positions of a card's buttons to an {@link AnswerGuard}. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ANSWER_DELAY_MS } from '../../../src/core/approval/answerDelay';
import { AnswerGuard } from './answerGuard';

export interface Guarded {
  /** True for buttons that have just appeared or moved. Exposed to assistive technology, which may answer anyway. */
  readonly guarded: boolean;
  /** Whether this click answers; one that no hand made, as a screen reader's, always does. */
  takesClick(event: MouseEvent): boolean;
  /** Whether this key may answer. */
  takesKey(event: KeyboardEvent): boolean;
}

/** @param buttons what holds the buttons, in the conversation */
export function useAnswerGuard(buttons: RefObject<HTMLElement>): Guarded {
  const guard = useRef<AnswerGuard>();
  guard.current ??= new AnswerGuard(performance.now());
  const [guarded, setGuarded] = useState(true);
  const stand = () => guard.current!.stand(performance.now(), buttons.current!.getBoundingClientRect());
  useLayoutEffect(() => {
    const element = buttons.current!;
    const scroller = element.closest('.scroller');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (!stand()) {
        return;
      }
      setGuarded(true);
      clearTimeout(timer);
      timer = setTimeout(() => setGuarded(false), ANSWER_DELAY_MS);
    };
    look();
    // The buttons move with a scroll, or when an element in or beside the conversation changes its size.
    const observer = new ResizeObserver(look);
    for (const each of [scroller, element.closest('.log'), element]) {
      if (each) {
        observer.observe(each);
      }
    }
    scroller?.addEventListener('scroll', look, { passive: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      scroller?.removeEventListener('scroll', look);
    };
  }, []);
  return {
    guarded,
    takesClick: ({ detail, clientX, clientY, currentTarget }) => {
      if (detail === 0) {
        return true;
      }
      stand();
      return guard.current!.takesClick(
        performance.now(),
        { x: clientX, y: clientY },
        (currentTarget as HTMLElement).getBoundingClientRect(),
      );
    },
    // A key held down since before the card appeared is not an answer.
    takesKey: ({ repeat }) => !repeat && guard.current!.takesKey(performance.now()),
  };
}
