/** The small pages of an extension host that no longer answers: each says so, shows no token, and offers the way back. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { ACTION_MS } from '../../webview/connection/lostHost';
import { ANSWER_MS, BEAT_MS, SHOWN_ANSWER_MS, SHOWN_MS } from '../../webview/connection/heartbeat';
import { keepPicture, root, stopBrowser } from '../support/browser';
import { inspectedTraces } from '../support/inspectedAgents';
import { sharedState } from '../support/sharePage';
import { AgentsView } from './support/agentsView';
import { brokenIn } from './support/axe';
import { InspectorView } from './support/inspectorView';
import { themesOf } from './support/themesOf';

describe('a small page of an extension host that stopped responding', function () {
  this.timeout(120_000);
  let view: AgentsView | InspectorView | undefined;
  const folder = path.join(root, 'test-results', 'lost-host');
  before(() => mkdir(folder, { recursive: true }));
  afterEach(async () => {
    await view?.close();
    view = undefined;
  });
  after(stopBrowser);

  const alert = (page: Page) => page.getByRole('alert').filter({ hasText: 'Extension host not responding' });
  const commandOf = async (page: Page): Promise<unknown> => {
    const [command, args] = ((await alert(page).getByRole('link', { name: 'Reopen Page' }).getAttribute('href')) ?? '').split('?');
    return [command, JSON.parse(decodeURIComponent(args ?? 'null'))];
  };

  it('says so soon after an action, without the token, until the host answers after all', async () => {
    const opened = (view = await AgentsView.open());
    const { page } = opened;
    await opened.send(sharedState(true));
    await page.clock.install();
    const heading = page.getByRole('heading', { name: 'Token', exact: true });
    await heading.waitFor();
    const stop = page.getByRole('button', { name: 'Stop Sharing', exact: true });
    await stop.click();
    await page.clock.runFor(ACTION_MS + 100);
    assert.equal(await alert(page).count(), 0, 'the host has confirmed the action');
    await opened.answers(false);
    await stop.click();
    await page.clock.runFor(ACTION_MS + 100);
    await alert(page).waitFor();
    assert.deepEqual(await commandOf(page), ['command:acpHost.browseAgents', [{ view: { kind: 'share' } }]]);
    assert.equal(await heading.count(), 0);
    const { token } = sharedState(true).invitation!;
    assert.ok(!(await page.content()).includes(token), 'the token is still in the document');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Reopen Page', 'the focus is on an inert button');
    await assert.rejects(stop.click({ timeout: 500 }), 'a button that does nothing can still be clicked');
    await opened.answers(true);
    await opened.send({ type: 'pong' });
    await alert(page).waitFor({ state: 'detached' });
    await heading.waitFor();
    await stop.click();
  });

  it('says so without an action, before the user trusts in a page of the past', async () => {
    const opened = (view = await AgentsView.open());
    const { page } = opened;
    await page.clock.install();
    await opened.send(sharedState(true));
    await opened.answers(false);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.clock.runFor(SHOWN_MS + SHOWN_ANSWER_MS + 100);
    await alert(page).waitFor();
  });

  it('says so where VS Code has created the document again, which no host fills', async () => {
    const opened = (view = await AgentsView.open());
    const { page } = opened;
    await page.clock.install();
    await opened.answers(false);
    await page.clock.runFor(BEAT_MS + ANSWER_MS);
    await alert(page).waitFor();
    assert.deepEqual(await commandOf(page), ['command:acpHost.browseAgents', [{ view: { kind: 'browse' } }]]);
  });

  it('says so in the inspector, which keeps its layout', async () => {
    const opened = (view = await InspectorView.open(inspectedTraces()));
    const { page } = opened;
    const before = await opened.list.boundingBox();
    await page.clock.install();
    opened.answers = false;
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.clock.runFor(ACTION_MS + 100);
    await alert(page).waitFor();
    assert.deepEqual(await commandOf(page), ['command:acpHost.openInspector', ['reopen']]);
    const overflow = await page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too high`);
    assert.equal((await page.locator('.inspector-body').boundingBox())!.width, before!.width);
  });

  for (const theme of themesOf(['dark', 'light', 'hc', 'hc-light'], ['light'])) {
    it(`breaks no rule of accessibility in ${theme}`, async () => {
      const opened = (view = await AgentsView.open({ theme }));
      const { page } = opened;
      await opened.send(sharedState(true));
      await page.clock.install();
      await opened.answers(false);
      await page.getByRole('button', { name: 'Hide Token' }).click();
      await page.clock.runFor(ACTION_MS + 100);
      await alert(page).waitFor();
      for (const width of [300, 900]) {
        await page.setViewportSize({ width, height: 800 });
        await keepPicture(page, path.join(folder, `share-${theme}-${width}.png`));
        // The page's own landmark and heading are inert.
        const broken = (await brokenIn(theme, opened.asView)).filter((rule) => !/^(?:landmark-one-main|page-has-heading-one) /.test(rule));
        assert.deepEqual(broken, [], `at ${width}`);
      }
    });
  }
});
