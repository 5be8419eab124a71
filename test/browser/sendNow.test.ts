/** Sending immediately: into the running turn, or instead of it. Pictures go to test-results/sendNow/. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';

const turn: EventInput = { type: 'turn_started', turnId: 't' };
const agent = (steer: boolean): EventInput => ({
  type: 'agent_initialized',
  protocolVersion: 1,
  promptCapabilities: { image: false, audio: false, embeddedContext: true },
  authMethods: [],
  offers: { ...NO_CAPABILITIES, ...(steer && { steer }) },
});
const queued = (queueId: string): EventInput => ({
  type: 'message_queued',
  queueId,
  content: [{ type: 'text', text: queueId }],
  size: queueId.length,
});

describe('a message that is sent immediately', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const message = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const items = () => view.page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
  const menuItem = (name: string) => view.page.getByRole('menuitem', { name, exact: true });
  const focusedName = () => view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  const heard = (words: string) => view.page.getByRole('status').getByText(words, { exact: true }).last().waitFor({ state: 'attached' });
  const prompts = async (count: number) => (await view.postedAtLeast('prompt', count)).map(({ now }) => now);
  const type = async (words: string, key: string) => {
    await message().fill(words);
    await message().press(key);
  };

  it('is sent by the keys in the menu, and announces the way', async () => {
    await view.happen(agent(true), turn);
    await type('queue it', 'Enter');
    await type('steer it', 'Control+Enter');
    await type('stop for it', 'Control+Shift+Enter');
    assert.deepEqual(await prompts(3), [undefined, 'steer', 'interrupt']);
    await message().fill('four');
    await view.page.getByRole('button', { name: 'Send Options' }).click();
    assert.match(
      (await view.page.getByRole('menu').innerText()).replace(/\s+/g, ' '),
      /Add to Queue Sent when the agent is done \(Enter\) Send Now: Steer Goes into the running turn \(Ctrl\+Enter\) Send Now: Interrupt Stops the turn and what runs in it, then sends \(Ctrl\+Shift\+Enter\)/,
    );
    const box = (await view.page.locator('.menu-popup').boundingBox())!;
    assert.ok(box.y >= 0 && box.y + box.height <= 800 && box.x >= 0 && box.x + box.width <= 900, JSON.stringify(box));
    await view.page.keyboard.press('Escape');
    assert.equal(await focusedName(), 'Send Options');
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Enter');
    assert.deepEqual((await prompts(4)).at(-1), 'steer');
    assert.equal(await focusedName(), 'Message');
  });

  it('stops the turn when the agent does not support steering', async () => {
    await view.happen(agent(false), turn);
    await type('stop for it', 'Control+Enter');
    assert.deepEqual(await prompts(1), ['interrupt']);
    await message().fill('two');
    await view.page.getByRole('button', { name: 'Send Options' }).click();
    assert.equal(await menuItem('Send Now: Steer').count(), 0);
    assert.match(await view.page.getByRole('menu').innerText(), /Send Now: Interrupt[\s\S]*\(Ctrl\+Enter\)/);
  });

  it('is only queued while a permission is pending, and is sent when no turn runs', async () => {
    await view.happen(agent(true), turn, {
      type: 'permission_requested',
      permissionId: 'p',
      title: 'Write a file',
      options: [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }],
      subject: {},
    });
    await type('waits', 'Control+Enter');
    assert.deepEqual(await prompts(1), [undefined]);
    await view.happen(
      { type: 'permission_resolved', permissionId: 'p', outcome: 'cancelled' },
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
    );
    await type('plainly', 'Control+Enter');
    assert.deepEqual(await prompts(2), [undefined, undefined]);
    await message().fill('x');
    assert.equal(await view.page.getByRole('button', { name: 'Send Options' }).count(), 0);
  });

  it('can be a queued one, by the menu beside it', async () => {
    await view.happen(agent(true), turn, queued('one'), queued('two'));
    await items().nth(1).getByRole('button', { name: 'Send Now' }).focus();
    await view.page.keyboard.press('Enter');
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Send Now: Steer');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.postedAtLeast('send_queued'), [{ type: 'send_queued', queueId: 'two', now: 'steer' }]);
    await view.happen({ type: 'queued_message_steering', queueId: 'two', steering: true });
    await view.page.getByText('Sending into the running turn…').waitFor();
    assert.equal(await items().nth(1).getByRole('button').count(), 0, 'it is on its way: nothing can be done about it');
    assert.equal(await focusedName(), 'Message');
    await view.happen(
      { type: 'queued_message_removed', queueId: 'two' },
      { type: 'message', role: 'user', messageId: 'two', content: [{ type: 'text', text: 'two' }] },
    );
    await heard('Queued message sent');
    await items().nth(0).getByRole('button', { name: 'Send Now' }).click();
    await menuItem('Send Now: Interrupt').click();
    assert.deepEqual((await view.postedAtLeast('send_queued', 2)).at(-1), { type: 'send_queued', queueId: 'one', now: 'interrupt' });
  });

  it('can be a paused one, when no turn runs', async () => {
    await view.happen(agent(false), turn, queued('one'), { type: 'turn_ended', turnId: 't', stopReason: 'error' });
    await items().nth(0).getByRole('button', { name: 'Send Now', exact: true }).click();
    assert.equal((await view.postedAtLeast('send_queued')).length, 1);
  });

  it('fits its space at any width, in four themes', async () => {
    const folder = path.join(root, 'test-results', 'sendNow');
    mkdirSync(folder, { recursive: true });
    await view.happen(agent(true), turn, queued('Please mind the tests while you are at it, all of them'), queued('and the docs'));
    await message().fill('Wait, use the other file');
    const themes = ['dark', 'light', 'hc', 'hc-light'];
    for (const [index, width] of [300, 420, 900, 300].entries()) {
      await view.page.setViewportSize({ width, height: 600 });
      await view.page.evaluate((name) => window.playground.applyTheme(name), themes[index]!);
      for (const [what, open] of [
        ['queue', items().nth(0).getByRole('button', { name: 'Send Now' })],
        ['composer', view.page.getByRole('button', { name: 'Send Options' })],
      ] as const) {
        await open.click();
        const box = (await view.page.locator('.menu-popup').boundingBox())!;
        assert.ok(
          box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= 600,
          `${what} ${width} ${JSON.stringify(box)}`,
        );
        await keepPicture(view.page, path.join(folder, `${what}-${width}-${themes[index]}.png`));
        await view.page.keyboard.press('Escape');
      }
    }
  });
});
