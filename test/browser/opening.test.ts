/** The page before its scripts have loaded, and the parts that load late. */
import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { View } from './support/view';

describe('a page that opens', function () {
  this.timeout(30_000);
  let view: View;

  afterEach(() => view.close());

  /** Holds back the files whose names contain one of these texts, until `release`. */
  function holding(...names: readonly string[]) {
    const held: Route[] = [];
    let released = false;
    return {
      before: async (page: Page) => {
        const isHeld = ({ pathname }: URL): boolean => names.some((name) => pathname.includes(name));
        await page.route(isHeld, (route) => (released ? route.continue() : void held.push(route)));
      },
      release: async () => {
        released = true;
        await Promise.all(held.splice(0).map((route) => route.continue()));
      },
    };
  }

  const message = () => view.page.getByRole('textbox', { name: 'Message', exact: true });

  it('has its text box before its scripts, which take over the box, its position and its text', async () => {
    const { before, release } = holding('.js');
    view = await View.document('', {}, before);
    await message().fill('typed early');
    await message().evaluate((area) => ((area as { mark?: string }).mark = 'ours'));
    const place = await message().boundingBox();
    const box = await view.page.locator('.composer-box').boundingBox();
    await release();
    await view.started();
    await view.tame();
    await view.ready();
    await view.page.getByRole('button', { name: 'Attach files' }).waitFor();
    assert.equal(await message().inputValue(), 'typed early');
    assert.equal(await message().evaluate((area) => (area as { mark?: string }).mark), 'ours');
    assert.deepEqual(await message().boundingBox(), place);
    assert.deepEqual(await view.page.locator('.composer-box').boundingBox(), box);
    await message().press('End');
    await message().pressSequentially(', and on');
    await message().press('Enter');
    assert.deepEqual(await view.postedAtLeast('prompt'), [{ type: 'prompt', content: [{ type: 'text', text: 'typed early, and on' }] }]);
    assert.deepEqual(view.offences, []);
  });

  it('holds Enter until the host has sent its stored state, and then sends after it', async () => {
    const { before, release } = holding('.js');
    view = await View.document('', {}, before);
    await message().focus();
    await view.page.keyboard.type('one');
    await view.page.keyboard.press('Shift+Enter');
    await view.page.keyboard.type('two');
    await view.page.keyboard.press('Enter');
    assert.equal(await message().inputValue(), 'one\ntwo');
    await release();
    await view.started();
    await view.tame();
    await view.ready();
    await view.painted();
    assert.deepEqual(await view.posted('prompt'), []);
    await view.page.evaluate(() => window.playground.stage.send({ type: 'draft', at: 5, content: [{ type: 'text', text: 'kept' }] }));
    assert.deepEqual(await view.postedAtLeast('prompt'), [{ type: 'prompt', content: [{ type: 'text', text: 'kept\n\none\ntwo' }] }]);
    await view.page.keyboard.type('more');
    assert.equal(await message().inputValue(), 'more');
  });

  it('gives its focus to the box', async () => {
    const { before, release } = holding('.js');
    view = await View.document('', {}, before);
    await view.page.keyboard.type('at once');
    assert.equal(await message().inputValue(), 'at once');
    await release();
    await view.started();
    await view.page.keyboard.type(', and on');
    assert.equal(await message().inputValue(), 'at once, and on');
    // VS Code does this when it shows a prompt and then returns the focus to the page.
    await view.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      window.dispatchEvent(new Event('blur'));
      window.dispatchEvent(new Event('focus'));
    });
    await view.page.keyboard.type(', again');
    assert.equal(await message().inputValue(), 'at once, and on, again');
  });

  it('renders a conversation once all of its chunks are loaded, and completely', async () => {
    const { before, release } = holding('toolChunk');
    view = await View.document('gallery', {}, before);
    await view.started();
    await message().waitFor();
    await view.painted();
    assert.equal(await view.page.locator('.log > .page').count(), 0);
    await release();
    await view.page.locator('.log > .page').first().waitFor();
    assert.equal(await view.page.locator('.tool-head:only-child > .tool-header[aria-expanded="true"]').count(), 0);
    assert.deepEqual(view.offences, []);
  });

  it('shows what the host has sent although the page is never idle', async () => {
    view = await View.document('', {}, async (page) => {
      await page.addInitScript(() => (window.requestIdleCallback = () => 0));
    });
    await view.started();
    await view.ready();
    await view.happen(
      { type: 'pending_changes', changes: { files: [{ path: '/home/ada/sample/a.ts', operation: 'modify' }], added: 1, removed: 0 } },
      { type: 'notice', noticeId: 'n1', severity: 'warning', title: 'Disk is almost full' },
    );
    await view.page.getByRole('group', { name: 'Changes to review' }).waitFor();
    await view.page.getByRole('region', { name: 'Notifications' }).getByText('Disk is almost full').waitFor();
    assert.deepEqual(view.offences, []);
  });

  it('requests a chunk again that could not be loaded', async () => {
    let refused = 0;
    view = await View.document('', {}, async (page) => {
      await page.route(/findBar/, (route) => (refused++ === 0 ? route.abort() : route.continue()));
    });
    await view.started();
    await view.page.evaluate(() => window.playground.stage.send({ type: 'open_find' }));
    await view.page.getByRole('searchbox', { name: 'Find in conversation' }).waitFor();
    assert.equal(refused, 2);
  });
});
