import assert from 'node:assert/strict';
import type { ToView } from '../../src/core/protocol/view';
import { eachInItsOwnView, type View } from './support/view';

describe('view: fonts', function () {
  this.timeout(30_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));

  const fonts = () =>
    view.page.evaluate(() => {
      const { fontSize, fontFamily } = getComputedStyle(document.querySelector('.composer-text')!);
      return { fontSize, fontFamily };
    });
  const appear = (message: ToView) => view.page.evaluate((sent) => window.playground.deliver(sent), message);

  it('follow the user’s settings, and the window’s fonts when these are cleared', async () => {
    const before = await fonts();
    await appear({ type: 'appearance', fontSize: 21, fontFamily: '"No Such Font", monospace' });
    assert.deepEqual(await fonts(), { fontSize: '21px', fontFamily: '"No Such Font", monospace' });
    await appear({ type: 'appearance', fontFamily: 'x; color: red' });
    assert.equal((await fonts()).fontSize, before.fontSize);
    await appear({ type: 'appearance' });
    assert.deepEqual(await fonts(), before);
  });
});
