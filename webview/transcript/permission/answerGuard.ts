/**
 * Decides which clicks and keys may answer a question. None counts in the first half second after its buttons appeared. A click does not count where
 * the button was not yet half a second ago, because a card above it was removed. The second click of a double click answers nothing new. Pure.
 */
import { ANSWER_DELAY_MS } from '../../../src/core/approval/answerDelay';

interface ButtonPosition {
  /** ms; the time since the buttons are there */
  readonly at: number;
  /** px in the page */
  readonly left: number;
  readonly top: number;
}

/** In the form of `getBoundingClientRect`. */
type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** Smaller moves are rounding. */
const MOVED_PX = 2;

export class AnswerGuard {
  /** The positions of the buttons in the last half second, the newest at the end, and the position before that. */
  private positions: ButtonPosition[] = [];

  /** @param shownAt ms; when the buttons appeared */
  constructor(private readonly shownAt: number) {}

  /** Takes the buttons' position. Returns true when they have moved, or are new. */
  stand(at: number, { left, top }: Pick<Box, 'left' | 'top'>): boolean {
    const last = this.positions.at(-1);
    if (last && Math.abs(last.left - left) < MOVED_PX && Math.abs(last.top - top) < MOVED_PX) {
      return false;
    }
    const old = this.positions.filter((position) => position.at <= at - ANSWER_DELAY_MS).length;
    this.positions = [...this.positions.slice(Math.max(0, old - 1)), { at, left, top }];
    return true;
  }

  /** True when a key on one of the buttons counts. Its position is irrelevant, because it has the focus. */
  takesKey(at: number): boolean {
    return at - this.shownAt >= ANSWER_DELAY_MS;
  }

  /** Whether a click at this point of a button counts. `button`: where that button is now. */
  takesClick(at: number, point: { readonly x: number; readonly y: number }, button: Box): boolean {
    const now = this.positions.at(-1);
    if (!now || !this.takesKey(at)) {
      return false;
    }
    const recent = this.positions.filter((position, index) => (this.positions[index + 1]?.at ?? Infinity) > at - ANSWER_DELAY_MS);
    return recent.every(({ left, top }) => {
      const x = point.x - (left - now.left);
      const y = point.y - (top - now.top);
      return x >= button.left && x <= button.right && y >= button.top && y <= button.bottom;
    });
  }
}
