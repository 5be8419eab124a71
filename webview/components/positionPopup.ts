/** Positions a popup beside the button that opened it, inside the window. */
import { GAP, popupPosition } from './popupPosition';

/** @param alignEnd aligns the popup with the button's end, if there is room */
export function positionPopup(popup: HTMLElement, button: HTMLElement, alignEnd = false): void {
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const box = button.getBoundingClientRect();
  const { style } = popup;
  style.minWidth = alignEnd ? '' : `${Math.min(box.width, view.width - 2 * GAP)}px`;
  const width = popup.offsetWidth;
  const start = alignEnd ? box.right - width : box.left;
  const { left, at, maxHeight } = popupPosition({ left: start, top: box.top, right: box.right, bottom: box.bottom }, width, view);
  style.maxHeight = `${maxHeight}px`;
  style.left = `${left}px`;
  style.top = at.edge === 'top' ? `${at.offset}px` : 'auto';
  style.bottom = at.edge === 'bottom' ? `${at.offset}px` : 'auto';
}
