/** The focus of a page that a frame is put around, as VS Code does with each. */
import assert from 'node:assert/strict';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { playgroundIsThere, startBrowser } from '../support/browser';
import './support/view';

describe('view: the focus that the frame around the page has', function () {
  this.timeout(30_000);
  let context: BrowserContext;
  let around: Page;
  let inside: Frame;

  beforeEach(async () => {
    const { browser, address } = await startBrowser();
    context = await browser.newContext();
    around = await context.newPage();
    await around.goto(`${address}/nothing`);
    await around.setContent('<input id="pick"><iframe src="/?bare" width="600" height="600"></iframe>');
    inside = await until(() => around.frames()[1]);
    await playgroundIsThere(inside as unknown as Page);
    await around.locator('#pick').focus();
  });
  afterEach(() => context.close());

  /** What VS Code says to the page comes through that frame. */
  const wantFocus = async () => {
    await around.evaluate(() => window.frames[0]!.postMessage({ type: 'theme' }, '*'));
    await inside.evaluate(() => window.playground.stage.send({ type: 'focus', target: 'composer' }));
  };
  const boxHasIt = () =>
    inside
      .getByRole('textbox', { name: 'Message', exact: true })
      .evaluate((element) => element === document.activeElement && document.hasFocus());

  it('is fetched where VS Code has not handed it on', async () => {
    await around.locator('#pick').blur();
    await wantFocus();
    await inside.waitForFunction(() => document.hasFocus());
    await until(boxHasIt);
    await around.keyboard.type('words');
    assert.equal(await inside.getByRole('textbox', { name: 'Message', exact: true }).inputValue(), 'words');
  });

  it('is fetched as soon as what was open closes, and never from what has it', async () => {
    await wantFocus();
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await boxHasIt(), false);
    assert.equal(await around.locator('#pick').evaluate((element) => element === document.activeElement), true);
    await around.locator('#pick').blur();
    await until(boxHasIt);
    // And comes back by itself where it was for a moment only.
    await around.locator('#pick').focus();
    assert.equal(await boxHasIt(), false);
    await around.locator('#pick').blur();
    await until(boxHasIt);
  });
});

async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await look();
    if (found) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
