/** Reports to the host how much of a waiting request's card is in sight: that decides whether the card or a quick pick asks. */
import { useLayoutEffect } from 'preact/hooks';
import type { CardSight } from '../../../src/core/approval/askingSurface';
import { useView } from '../../state/context';
import { questionOf } from './questionKeys';

/** The part of the answers, with their warnings, that must be on the screen. A list higher than the screen must fill this part of the screen. */
const VISIBLE = 0.5;
/** ms from the first measurement until a card is reported as out of sight: the conversation may still scroll to it. */
const SETTLE_MS = 300;
/** The ratios at which the browser reports. */
const STEPS = Array.from({ length: 11 }, (_, step) => step / 10);

/**
 * Watches these answers.
 * @param sight the last report @param onAppear called when they come into sight
 */
export function useCardSight(
  answers: { readonly current: HTMLElement | null },
  permissionId: string,
  sight: { current: CardSight },
  onAppear: () => void,
): void {
  const { post } = useView();
  useLayoutEffect(() => {
    const group = questionOf(answers.current!);
    let isSeen = false;
    let reported: CardSight | undefined;
    let settling: ReturnType<typeof setTimeout> | undefined;
    const report = (now: CardSight): void => {
      if (now !== reported) {
        if (sight.current === 'hidden') {
          onAppear();
        }
        sight.current = reported = now;
        clearTimeout(settling);
        post({ type: 'card_sight', permissionId, sight: now });
      }
    };
    const look = (): void => {
      if (isSeen) {
        report(group.contains(document.activeElement) ? 'focused' : 'seen');
      } else if (reported !== undefined) {
        report('hidden');
      }
    };
    // The focus has arrived where it goes only after the event that says it left.
    const lookSoon = (): void => void setTimeout(() => isWatching && look());
    let isWatching = true;
    const observer = new IntersectionObserver(
      (entries) => {
        const { intersectionRatio, intersectionRect } = entries.at(-1)!;
        isSeen = intersectionRatio >= VISIBLE || intersectionRect.height >= VISIBLE * innerHeight;
        look();
        // The host waits for a first report; a page that is not drawn measures nothing, and leaves it waiting.
        if (reported === undefined) {
          settling ??= setTimeout(() => report('hidden'), SETTLE_MS);
        }
      },
      { threshold: STEPS },
    );
    observer.observe(answers.current!);
    group.addEventListener('focusin', lookSoon);
    group.addEventListener('focusout', lookSoon);
    return () => {
      isWatching = false;
      observer.disconnect();
      group.removeEventListener('focusin', lookSoon);
      group.removeEventListener('focusout', lookSoon);
      report('hidden');
    };
  }, []);
}
