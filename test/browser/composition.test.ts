/** Keys of an input method: they compose a character, and no control of the page acts on them. */
import assert from 'node:assert/strict';
import type { Locator, Page, Route } from 'playwright-core';
import { eachInItsOwnView, View } from './support/view';
import { chunk } from '../support/events';

const COMPOSING = [{ isComposing: true }, { keyCode: 229 }] as const;

const press = async (target: Locator, key: string): Promise<void> => {
  for (const how of COMPOSING) {
    await target.dispatchEvent('keydown', { key, bubbles: true, cancelable: true, ...how });
    await target.dispatchEvent('keyup', { key, bubbles: true, cancelable: true, ...how });
  }
};

describe('a key of an input method', function () {
  this.timeout(30_000);

  describe('in a view', () => {
    let view: View;
    eachInItsOwnView((opened) => (view = opened));

    it('neither moves through the matches nor closes the find bar', async () => {
      await view.happen(chunk('foo foo', '1'), chunk('foo', '2'));
      await view.page.keyboard.press('Control+f');
      const box = view.page.getByRole('searchbox', { name: 'Find in conversation' });
      await box.fill('foo');
      await view.page.locator('.find-count', { hasText: '1 of 3' }).waitFor();
      for (const key of ['Enter', 'F3', 'Escape']) {
        await press(box, key);
      }
      await view.painted();
      assert.equal(await view.page.locator('.find-count').textContent(), '1 of 3');
      await box.press('Enter');
      await view.page.locator('.find-count', { hasText: '2 of 3' }).waitFor();
    });

    it('neither closes a menu nor moves in it', async () => {
      await view.page.getByRole('button', { name: 'More Actions…' }).click();
      const focused = () => view.page.evaluate(() => document.activeElement?.textContent);
      const menu = view.page.getByRole('menu');
      await menu.waitFor();
      const before = await focused();
      for (const key of ['ArrowDown', 'End', 'Escape']) {
        await press(view.page.locator(':focus'), key);
      }
      await view.painted();
      assert.equal(await focused(), before);
      await menu.press('Escape');
      await menu.waitFor({ state: 'detached' });
    });

    it('closes no list of suggestions', async () => {
      await view.happen({ type: 'available_commands', commands: [{ name: 'plan', description: 'Plans' }] });
      const message = view.page.getByRole('textbox', { name: 'Message', exact: true });
      await message.pressSequentially('/');
      const list = view.page.getByRole('listbox');
      await list.waitFor();
      await press(message, 'Escape');
      await press(message, 'Tab');
      await view.painted();
      assert.ok(await list.isVisible());
      assert.equal(await message.inputValue(), '/');
    });
  });

  it('does not send the text of the box that exists before the scripts load', async () => {
    const held: Route[] = [];
    const isScript = ({ pathname }: URL): boolean => pathname.includes('.js');
    const before = async (page: Page): Promise<void> => {
      await page.route(isScript, (route) => void held.push(route));
    };
    const view = await View.document('', {}, before);
    try {
      const message = view.page.getByRole('textbox', { name: 'Message', exact: true });
      await message.fill('あ');
      await press(message, 'Enter');
      const sends = () => view.page.locator('[data-shell="send"]').count();
      assert.equal(await sends(), 0);
      await message.press('Enter');
      assert.equal(await sends(), 1);
    } finally {
      await view.close();
    }
  });
});
