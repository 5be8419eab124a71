/** Where the user is in a conversation, to be found again when it is shown again. */
import { isAbsent } from '../../../src/core/model/state';
import type { Mirror } from '../../mirror';

/** An entry, and how far its top is below the top of the conversation, in px. */
export interface Place {
  readonly entryId: string;
  readonly offset: number;
}

/** Of one session, also while another one is shown. */
export interface KeptPlace {
  /** Where the user was when it was shown last; undefined: at the end, which is followed. */
  kept: Place | undefined;
  /** Where the user is. Set by the conversation. */
  read(): Place | undefined;
  /** Goes to `kept`, which another page has found out, as soon as there is a conversation. Set by the conversation. */
  go(): void;
  /** The user may be somewhere else. */
  moved(): void;
}

/** Frames after which a place that cannot be had is given up. */
const TIMEOUT_FRAMES = 90;
/** Frames in a row in which it has to stay: what comes onto the screen is laid out only then. */
const STILL_FRAMES = 3;

/** What a user takes over with. */
const BY_USER = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** The first entry on the screen. */
export function placeIn(scroller: HTMLElement): Place | undefined {
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
  /** Brings the place of an entry that may not be rendered onto the screen. */
  toEntry(entryId: string): void;
  /** It is there, or cannot be had, or the user has taken over. `found`: it is there. */
  done(found: boolean): void;
}

/** Scrolls to `place` and stays there until what is around it has come. Returns the way out. */
export function returnTo(place: Place, { scroller, mirror, toEntry, done }: ReturnDependencies): () => void {
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
    const slot = mirror.state.entries.get(place.entryId);
    if (!slot || frames++ > TIMEOUT_FRAMES) {
      return end(slot !== undefined);
    }
    const entry = scroller.querySelector(`[data-slot="${CSS.escape(place.entryId)}"]`);
    if (entry) {
      const away = entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top - place.offset;
      const before = scroller.scrollTop;
      scroller.scrollTop += away;
      still = isAbsent(slot) || Math.abs(scroller.scrollTop - before) > 1 ? 0 : still + 1;
      if (still >= STILL_FRAMES) {
        return end(true);
      }
    } else {
      toEntry(place.entryId);
    }
    if (isAbsent(slot)) {
      mirror.want([place.entryId]);
    }
    requestAnimationFrame(step);
  };
  step();
  return () => {
    over = true;
    BY_USER.forEach((kind) => scroller.removeEventListener(kind, byUser));
  };
}
