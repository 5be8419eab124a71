import assert from 'node:assert/strict';
import fc from 'fast-check';
import { GAP, popupPosition } from '../../../../webview/components/popupPosition';

const button = (left: number, top: number) => ({ left, top, right: left + 80, bottom: top + 24 });

describe('the position of a popup', () => {
  it('is above its button at the bottom of a window, and below one at its top', () => {
    assert.deepEqual(popupPosition(button(20, 700), 200, { width: 900, height: 760 }), {
      left: 20,
      at: { edge: 'bottom', offset: 64 },
      maxHeight: 400,
    });
    assert.deepEqual(popupPosition(button(20, 10), 200, { width: 900, height: 300 }), {
      left: 20,
      at: { edge: 'top', offset: 38 },
      maxHeight: 258,
    });
  });

  it('is moved in from the right', () => assert.equal(popupPosition(button(250, 700), 200, { width: 300, height: 760 }).left, 96));

  it('is over its button when there is no room beside it', () => {
    assert.deepEqual(popupPosition(button(20, 88), 200, { width: 300, height: 200 }), {
      left: 20,
      at: { edge: 'bottom', offset: 46 },
      maxHeight: 150,
    });
  });

  it('is inside the window, wherever the button is', () => {
    const size = fc.integer({ min: 40, max: 2000 });
    fc.assert(
      fc.property(
        size,
        size,
        fc.integer({ min: -500, max: 2500 }),
        fc.integer({ min: -500, max: 2500 }),
        size,
        (width, height, left, top, wide) => {
          const popup = Math.min(wide, width - 2 * GAP);
          const place = popupPosition(button(left, top), popup, { width, height });
          assert.ok(place.left >= GAP && place.left + popup <= width - GAP, 'left and right');
          assert.ok(place.at.offset >= GAP && place.at.offset + place.maxHeight <= height - GAP, 'top and bottom');
          assert.ok(place.maxHeight > 0);
        },
      ),
    );
  });
});
