/** Reads the user's scroll position from a conversation, and restores it when the conversation is shown again. */
import { isAbsent } from '../../../src/core/model/state';
import type { Mirror } from '../../state/mirror';
import type { ScrollPosition } from '../../state/scrollPosition';

/** Frames after which the attempt to reach a position ends. */
const TIMEOUT_FRAMES = 90;
/** Frames in a row in which the entry must not move, because elements that come onto the screen are laid out only then. */
const STILL_FRAMES = 3;

/** Events by which the user takes over the scrolling. */
const BY_USER = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** The first entry on the screen. */
export function scrollPositionIn(scroller: HTMLElement): ScrollPosition | undefined {
  const { top } = scroller.getBoundingClientRect();
  for (const entry of scroller.querySelectorAll<HTMLElement>('[data-slot]')) {
    const box = entry.getBoundingClientRect();
    if (box.bottom > top + 1) {
      return { entryId: entry.dataset.slot!, offset: box.top - top };
    }
  }
  return undefined;
}

export interface ReturnDependencies {
  readonly scroller: HTMLElement;
  readonly mirror: Mirror;
  /** Scrolls to an entry that may not be rendered. */
  toEntry(entryId: string): void;
  /** The entry is in position, cannot be reached, or the user has scrolled. `found` is false when the entry does not exist. */
  done(found: boolean): void;
}

/** Scrolls to `place` and stays there until its surroundings are rendered. Returns a function that cancels it. */
export function returnTo(position: ScrollPosition, { scroller, mirror, toEntry, done }: ReturnDependencies): () => void {
  let frames = 0;
  let still = 0;
  let over = false;
  const end = (found: boolean): void => {
    if (over) {
      return;
    }
    over = true;
    BY_USER.forEach((kind) => scroller.removeEventListener(kind, byUser));
    done(found);
  };
  const byUser = (): void => end(true);
  BY_USER.forEach((kind) => scroller.addEventListener(kind, byUser, { passive: true }));
  const step = (): void => {
    if (over) {
      return;
    }
    const slot = mirror.state.entries.get(position.entryId);
    if (!slot || frames++ > TIMEOUT_FRAMES) {
      return end(slot !== undefined);
    }
    const entry = scroller.querySelector(`[data-slot="${CSS.escape(position.entryId)}"]`);
    if (entry) {
      const away = entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top - position.offset;
      const before = scroller.scrollTop;
      scroller.scrollTop += away;
      still = isAbsent(slot) || Math.abs(scroller.scrollTop - before) > 1 ? 0 : still + 1;
      if (still >= STILL_FRAMES) {
        return end(true);
      }
    } else {
      toEntry(position.entryId);
    }
    if (isAbsent(slot)) {
      mirror.want([position.entryId]);
    }
    requestAnimationFrame(step);
  };
  step();
  return () => {
    over = true;
    BY_USER.forEach((kind) => scroller.removeEventListener(kind, byUser));
  };
}
