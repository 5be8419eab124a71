/** Notices of an agent when they arrive. */
import assert from 'node:assert/strict';
import { allInOneView, type View } from './support/view';
import { notice, permissionRequest } from '../support/events';

describe('view: notices', function () {
  this.timeout(60_000);
  let view: View;

  allInOneView((opened) => (view = opened));

  const toasts = () => view.page.getByRole('region', { name: 'Notifications' }).getByRole('group');

  afterEach(async () => {
    const all = view.page.locator('.toast-dismiss');
    while ((await all.count()) > 0) {
      await all.last().click();
    }
  });

  it('are toasts when they arrive and lines in the conversation, and are announced once', async () => {
    await view.happen(
      notice('1', 'warning', 'The index is old', 'Of last week.'),
      notice('2', 'error', 'No index'),
      notice('3', '_whim', '', 'Only words'),
    );
    assert.deepEqual(await toasts().evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))), ['Warning', 'Error', 'Info']);
    assert.deepEqual(await toasts().locator('.toast-words').allInnerTexts(), ['The index is old\nOf last week.', 'No index', 'Only words']);
    assert.equal(await view.page.locator('.entry.notice').count(), 3);
    const said = await view.page.locator('.sr-only[aria-live]').evaluateAll((all) =>
      all.map(
        (each) =>
          `${each.getAttribute('role')}: ${[...each.children]
            .map((line) => line.textContent)
            .filter((text) => /index|words/.test(text!))
            .join(' | ')}`,
      ),
    );
    assert.deepEqual(
      said.filter((text) => /index|words/.test(text)),
      ['status: Warning: The index is old — Of last week. | Info: Only words', 'alert: Error: No index'],
    );
    assert.equal(await view.page.locator('.toasts [aria-live], .toasts [role=alert], .toasts [role=status]').count(), 0);
  });

  it('make no toast when they are old, or from before the page existed', async () => {
    await view.page.evaluate(() =>
      window.playground.stage.events([
        { type: 'notice', at: Date.now() - 60_000, noticeId: 'old', severity: 'error', title: 'Long ago' },
        { type: 'usage', at: Date.now(), usage: { used: 1, size: 2 } },
      ]),
    );
    await view.happen(notice('now', 'error', 'Now'));
    await toasts().first().waitFor();
    assert.equal(await toasts().count(), 1);
    await view.page.locator('.toast-dismiss').click();
    await view.page.evaluate(() => window.playground.stage.snapshot([]));
    await view.painted();
    assert.equal(await toasts().count(), 0);
    assert.equal(await view.page.locator('.entry.notice').count(), 2);
  });

  it('stack up to three, and the rest is a button', async () => {
    await view.happen(...[1, 2, 3, 4, 5].map((each) => notice(`${each}`, 'error', `Number ${each}`)));
    assert.deepEqual(await toasts().locator('.toast-title').allInnerTexts(), ['Number 3', 'Number 4', 'Number 5']);
    await view.page.getByRole('button', { name: '2 more' }).click();
    assert.equal(await toasts().count(), 5);
    await view.page.getByRole('button', { name: 'Dismiss all' }).click();
    assert.equal(await toasts().count(), 0);
    await view.page.waitForFunction(() => document.activeElement?.matches('.composer-text'));
  });

  it('close with Escape in the focused one, and the focus moves to the next and then to the composer', async () => {
    await view.happen(notice('1', 'error', 'One'), notice('2', 'error', 'Two'));
    await view.page.getByRole('button', { name: 'Dismiss "One"' }).focus();
    await view.page.keyboard.press('Escape');
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Dismiss "Two"');
    await view.page.keyboard.press('Escape');
    await view.page.waitForFunction(() => document.activeElement?.matches('.composer-text'));
    assert.equal(await toasts().count(), 0);
  });

  it('never cover the newest lines of a narrow page, or the buttons of a pending question', async () => {
    await view.page.setViewportSize({ width: 420, height: 640 });
    const last = () =>
      view.page
        .locator('.slot')
        .last()
        .evaluate((slot) => {
          const { left, right, bottom } = slot.firstElementChild!.getBoundingClientRect();
          return slot.contains(document.elementFromPoint((left + right) / 2, bottom - 2));
        });
    const lines = Array.from({ length: 60 }, (_, index) => `Line ${index}\n\n`).join('');
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      { type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text: lines } },
    );
    await view.happen(notice('1', 'warning', 'The index is old', 'Of last week.'), notice('2', 'info', 'A note'));
    await view.painted();
    await view.painted();
    assert.equal(await toasts().count(), 2);
    assert.ok(await last(), 'a warning lies over the end');
    await view.page.locator('.toast-dismiss').first().click();
    await view.happen(
      permissionRequest('p', 'Delete it', { options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }], subject: { command: 'rm x' } }),
    );
    await view.painted();
    await view.painted();
    assert.equal(await toasts().count(), 1);
    assert.ok(await last(), 'a note lies over the card');
    await view.page.getByRole('button', { name: 'Yes' }).click({ timeout: 2000 });
    await view.page.setViewportSize({ width: 900, height: 800 });
  });

  it('take no focus, and show a long description on request', async () => {
    await view.page.getByLabel('Message', { exact: true }).focus();
    await view.happen(notice('1', 'warning', 'Long', 'word '.repeat(200)));
    const height = () =>
      toasts()
        .locator('.toast-description')
        .evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    assert.ok(await view.page.evaluate(() => document.activeElement?.matches('.composer-text')));
    await toasts().getByRole('button', { name: 'Show more' }).click();
    assert.ok((await height()) > before);
  });
});
