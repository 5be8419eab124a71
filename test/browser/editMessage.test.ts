/** An earlier message that is edited and resent. Pictures go to test-results/sendNow/. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { message as said } from '../support/events';
import { broken } from './support/axe';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';

describe('an earlier message', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    await view.happen(said('first', 'a', 'user'), said('one', 'b'), said('second', 'c', 'user'), said('two', 'd'));
  });

  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const menu = (index: number) => view.page.getByRole('button', { name: 'Message Actions…' }).nth(index);
  const bar = () => view.page.getByRole('group', { name: 'Editing an earlier message' });
  const edit = async (index: number) => {
    await menu(index).focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('Enter');
    await bar().waitFor();
  };
  const focusedName = () => view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

  it('is edited in the box by keyboard alone, with the consequence shown, and is sent as edited', async () => {
    await box().fill('half a thought');
    await edit(1);
    assert.equal(await focusedName(), 'Message');
    assert.equal(await box().inputValue(), 'second');
    assert.match(await bar().innerText(), /Sending starts a new session with the conversation up to there\. Files stay as they are\./);
    await view.page.getByRole('status').getByText('Editing an earlier message.', { exact: false }).waitFor({ state: 'attached' });
    await view.page.keyboard.press('End');
    await view.page.keyboard.type(' thoughts');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.postedAtLeast('resend'), [
      { type: 'resend', entryId: 'user:c', content: [{ type: 'text', text: 'second thoughts' }] },
    ]);
    assert.equal((await view.posted('prompt')).length, 0);
    assert.equal(await box().inputValue(), 'half a thought');
    assert.equal(await bar().count(), 0);
  });

  it('returns by Escape, which stops no turn and restores the draft', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' });
    await box().fill('half a thought');
    await edit(0);
    assert.match(await bar().innerText(), /The running turn is stopped\./);
    await view.page.keyboard.type('x');
    await view.page.keyboard.press('Escape');
    assert.equal(await box().inputValue(), 'half a thought');
    assert.equal(await focusedName(), 'Message');
    assert.equal((await view.posted('cancel')).length, 0);
    await edit(0);
    await bar().getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await box().inputValue(), 'half a thought');
    assert.equal((await view.posted('resend')).length, 0);
  });

  it('becomes a part of the draft after a reload when it can no longer be edited', async () => {
    await box().fill('half a thought');
    await edit(0);
    await box().fill('another first');
    await view.page.reload();
    await view.started();
    await view.tame();
    assert.equal(await box().inputValue(), 'another first\n\nhalf a thought');
  });

  it('closes its menu with the focus on its button, and cannot be edited without an agent', async () => {
    await menu(0).press('Enter');
    await view.page.getByRole('menuitem', { name: 'Edit and Resend' }).waitFor();
    await view.page.keyboard.press('Escape');
    assert.equal(await focusedName(), 'Message Actions…');
    await view.happen({ type: 'disconnected', failure: { code: 'session.replayed' } });
    await menu(0).waitFor({ state: 'detached' });
  });

  it('looks right at any width, without axe violations', async function () {
    this.timeout(90_000);
    const folder = path.join(root, 'test-results', 'sendNow');
    mkdirSync(folder, { recursive: true });
    await edit(1);
    for (const [index, width] of [300, 420, 900, 420].entries()) {
      await view.page.setViewportSize({ width, height: 600 });
      await view.page.evaluate((name) => window.playground.applyTheme(name), ['dark', 'light', 'hc', 'hc-light'][index]!);
      await keepPicture(view.page, path.join(folder, `edit-${width}-${index}.png`));
      await menu(1).click();
      const { x, y, width: wide, height } = (await view.page.locator('.menu-popup').boundingBox())!;
      assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + height <= 600);
      await keepPicture(view.page, path.join(folder, `edit-menu-${width}-${index}.png`));
      assert.deepEqual(await broken(view), []);
      await view.page.keyboard.press('Escape');
    }
  });
});
