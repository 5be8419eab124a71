/** The position of a popup: beside the button that opened it, and inside the window whatever its size. Pure. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PopupPosition {
  /** CSS px from the window's left edge. */
  readonly left: number;
  /** CSS px from the window's edge that the popup is anchored to, so that it stays beside its button when it becomes lower. */
  readonly at: { readonly edge: 'top' | 'bottom'; readonly offset: number };
  readonly maxHeight: number;
}

/** CSS px between the popup, its button and the window's edges. */
export const GAP = 4;
const MAX_HEIGHT = 400;
/** A popup with less room covers its button. */
const MIN_HEIGHT = 150;

/** Above `button` if there is more room, otherwise below it. @param width the popup's width */
export function popupPosition(button: Box, width: number, view: { readonly width: number; readonly height: number }): PopupPosition {
  const above = button.top - 2 * GAP;
  const below = view.height - button.bottom - 2 * GAP;
  const isAbove = above >= below;
  const whole = view.height - 2 * GAP;
  const maxHeight = Math.min(whole, MAX_HEIGHT, Math.max(isAbove ? above : below, MIN_HEIGHT));
  const wanted = isAbove ? view.height - button.top + GAP : button.bottom + GAP;
  return {
    left: Math.max(GAP, Math.min(button.left, view.width - GAP - width)),
    at: { edge: isAbove ? 'bottom' : 'top', offset: Math.max(GAP, Math.min(wanted, view.height - GAP - maxHeight)) },
    maxHeight,
  };
}
