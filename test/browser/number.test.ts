/** The button that requests a number from the host. */
import assert from 'node:assert/strict';
import { allInOneView, type View } from './support/view';

describe('the button for a number', function () {
  this.timeout(30_000);
  let view: View;
  allInOneView((opened) => (view = opened));

  it('requests a number at each click, and shows the newest', async () => {
    const button = view.page.locator('.dock').getByRole('button', { name: /^#\d*$/ });
    await button.click();
    await view.postedAtLeast('draw_number', 1);
    await view.send({ type: 'number', value: 42 });
    await button.and(view.page.getByText('#42', { exact: true })).click();
    assert.equal((await view.postedAtLeast('draw_number', 2)).length, 2);
  });
});
