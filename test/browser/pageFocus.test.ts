/** The focus of a page inside an outer frame, as VS Code embeds every page. */
import assert from 'node:assert/strict';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { playgroundIsThere, startBrowser } from '../support/browser';
import './support/view';

describe('view: the focus of the frame around the page', function () {
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

  /** Messages from VS Code to the page come through that frame. */
  const sendFromAround = () => around.evaluate(() => window.frames[0]!.postMessage({ type: 'theme' }, '*'));
  const wantFocus = async () => {
    await sendFromAround();
    await inside.evaluate(() => window.playground.stage.send({ type: 'focus', target: 'composer' }));
  };
  const boxHasIt = () =>
    inside
      .getByRole('textbox', { name: 'Message', exact: true })
      .evaluate((element) => element === document.activeElement && document.hasFocus());

  it('is taken where VS Code has not passed it on', async () => {
    await around.locator('#pick').blur();
    await wantFocus();
    await inside.waitForFunction(() => document.hasFocus());
    await until(boxHasIt);
    await around.keyboard.type('words');
    assert.equal(await inside.getByRole('textbox', { name: 'Message', exact: true }).inputValue(), 'words');
  });

  it('is taken as soon as an open popup closes, and never from an element that has it', async () => {
    await wantFocus();
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await boxHasIt(), false);
    assert.equal(await around.locator('#pick').evaluate((element) => element === document.activeElement), true);
    await around.locator('#pick').blur();
    await until(boxHasIt);
    // The focus also returns after a short visit elsewhere.
    await around.locator('#pick').focus();
    assert.equal(await boxHasIt(), false);
    await around.locator('#pick').blur();
    await until(boxHasIt);
  });

  const pickKeepsIt = async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await around.locator('#pick').evaluate((element) => element === document.activeElement), true);
  };

  it('is left where it is when the host returns a text or adds an attachment', async () => {
    await sendFromAround();
    await inside.evaluate(() => {
      window.playground.stage.send({ type: 'restore_text', text: 'Returned' });
      window.playground.stage.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/z.ts', name: 'z.ts' }] });
    });
    await inside.getByText('z.ts').waitFor();
    await pickKeepsIt();
    await around.locator('#pick').blur();
    await until(boxHasIt);
  });

  it('is not taken from a frame that learns late that it has lost it', async () => {
    await around.evaluate(() => {
      let looks = 0;
      document.hasFocus = () => looks++ === 0;
      Object.defineProperty(document, 'activeElement', { configurable: true, get: () => document.body });
    });
    await wantFocus();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await around.evaluate(() => void Reflect.deleteProperty(document, 'activeElement'));
    await pickKeepsIt();
  });

  it('stays elsewhere when a busy page learns late that it has lost it', async () => {
    await around.locator('#pick').blur();
    await wantFocus();
    await until(boxHasIt);
    await around.locator('#pick').focus();
    const hasTaken = await inside.evaluate(async () => {
      window.dispatchEvent(new Event('focus'));
      setTimeout(() => window.dispatchEvent(new Event('blur')), 120);
      const end = performance.now() + 200;
      while (performance.now() < end) {
        // The page is busy.
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      return document.hasFocus();
    });
    assert.equal(hasTaken, false);
    await pickKeepsIt();
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
