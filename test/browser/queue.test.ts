/** Messages that wait for the agent, above the composer. Pictures go to test-results/queue/. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { MAX_QUEUED_MESSAGES } from '../../src/core/queue/rules';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';

const turn: EventInput = { type: 'turn_started', turnId: 't' };
const over = (stopReason: string): EventInput => ({ type: 'turn_ended', turnId: 't', stopReason });
const queued = (queueId: string, words = queueId): EventInput => ({
  type: 'message_queued',
  queueId,
  content: [{ type: 'text', text: words }],
  size: words.length,
});
const withFile: EventInput = {
  type: 'message_queued',
  queueId: 'file',
  content: [
    { type: 'text', text: 'look' },
    { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' },
    { type: 'resource_link', uri: 'file:///w/b.ts', name: 'b.ts' },
  ],
  size: 30,
};

describe('queued messages', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const message = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const list = () => view.page.getByRole('list', { name: 'Queued messages' });
  const items = () => list().getByRole('listitem');
  const button = (name: string, item = 0) => items().nth(item).getByRole('button', { name, exact: true });
  const heard = (words: string) => view.page.getByRole('status').getByText(words, { exact: true }).last().waitFor({ state: 'attached' });
  const texts = async () => {
    await view.painted();
    return (await items().locator('.queue-text').allInnerTexts()).join(' ');
  };
  const focusedName = () =>
    view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
  const picture = async (name: string) => {
    const folder = path.join(root, 'test-results', 'queue');
    mkdirSync(folder, { recursive: true });
    for (const width of [300, 420, 900]) {
      await view.page.setViewportSize({ width, height: 600 });
      await view.painted();
      await keepPicture(view.page, path.join(folder, `${name}-${width}.png`));
    }
  };

  it('wait for an option that is not set yet, and offer to set it again or to send without it', async () => {
    const options = [
      { configId: 'model', value: 'large' },
      { configId: 'mode', value: 'code' },
    ];
    await view.happen({ type: 'config_pending', options }, queued('one'));
    await items().first().waitFor();
    const retry = view.page.getByRole('button', { name: 'Retry', exact: true });
    const anyway = view.page.getByRole('button', { name: 'Send Anyway', exact: true });
    assert.deepEqual([await retry.count(), await anyway.count()], [0, 0]);
    await view.happen({ type: 'config_pending', options, overdue: true });
    await retry.click();
    assert.deepEqual(
      (await view.postedAtLeast('set_config', 2)).map(({ configId, value }) => ({ configId, value })),
      options,
    );
    assert.deepEqual(await view.posted('resume_queue'), []);
    await anyway.click();
    await view.postedAtLeast('resume_queue', 1);
    await view.happen({ type: 'config_pending', options: [] });
    await retry.waitFor({ state: 'detached' });
    assert.equal(await anyway.count(), 0);
  });

  it('are added during a turn, by Enter and by Send, beside Stop', async () => {
    await view.happen(turn);
    const send = view.page.getByRole('button', { name: 'Send', exact: true });
    const stop = view.page.getByRole('button', { name: 'Stop', exact: true });
    await stop.waitFor();
    assert.equal(await send.count(), 0, 'there is nothing to send');
    await message().fill('one');
    await message().press('Enter');
    assert.equal(await message().inputValue(), '');
    await message().fill('two');
    assert.ok(await stop.isVisible());
    assert.equal(await send.getAttribute('title'), 'Add to Queue');
    await send.click();
    assert.deepEqual(
      (await view.postedAtLeast('prompt', 2)).map(({ content }) => content),
      [[{ type: 'text', text: 'one' }], [{ type: 'text', text: 'two' }]],
    );
    assert.equal(await focusedName(), 'Message');
    assert.equal(await view.page.locator('.queue').count(), 0, 'an empty queue takes no room');
    await view.happen(queued('one'));
    await heard('Message queued');
    await view.page.getByText('Queued until Demo Agent is done').waitFor();
    await view.happen(over('end_turn'), { type: 'turn_started', turnId: 'one' });
    await heard('Queued message sent');
    assert.equal(await view.page.locator('.queue').count(), 0);
  });

  it('are added while the agent starts and while the user signs in', async () => {
    await view.happen({ type: 'session_opened', agentName: 'Demo Agent', cwd: '/w' });
    await message().fill('early');
    await message().press('Enter');
    await view.happen(queued('early'));
    await view.page.getByText('Queued until Demo Agent is ready').waitFor();
    await view.happen({ type: 'sign_in', status: 'required' });
    await view.page.getByText('Queued until you sign in').waitFor();
    await message().fill('still early');
    await message().press('Enter');
    assert.equal((await view.postedAtLeast('prompt', 2)).length, 2);
    await view.happen({ type: 'session_failed', failure: { code: 'auth.required' } });
    await view.page.getByText('Queue paused').first().waitFor();
    await heard('Queue paused');
    assert.equal(await view.page.getByRole('button', { name: 'Resume Queue' }).count(), 0, 'nobody is there to be sent anything');
    await message().fill('too late');
    await message().press('Enter');
    await view.page.locator('.composer-hint', { hasText: "Agent isn't connected" }).waitFor();
    assert.equal(await message().inputValue(), 'too late');
  });

  it('leave the turn alone when Send is clicked twice', async () => {
    await view.happen(turn);
    await message().fill('one');
    const { x, y, width, height } = (await view.page.getByRole('button', { name: 'Send', exact: true }).boundingBox())!;
    await view.page.mouse.click(x + width / 2, y + height / 2);
    await view.painted();
    const stop = (await view.page.getByRole('button', { name: 'Stop', exact: true }).boundingBox())!;
    assert.ok(stop.x <= x + width / 2 && x + width / 2 <= stop.x + stop.width, 'Stop is where Send was');
    await view.page.mouse.down({ clickCount: 2 });
    await view.page.mouse.up({ clickCount: 2 });
    await view.painted();
    assert.equal((await view.posted('cancel')).length, 0);
    await view.page.mouse.click(x + width / 2, y + height / 2);
    assert.equal((await view.postedAtLeast('cancel')).length, 1);
  });

  it('stay in the composer with a notice when the queue is full', async () => {
    await view.happen(turn, ...Array.from({ length: MAX_QUEUED_MESSAGES }, (_, index) => queued(`q${index}`)));
    await message().fill('too much');
    await message().press('Enter');
    await view.page.locator('.composer-hint', { hasText: `The queue is full: ${MAX_QUEUED_MESSAGES} messages.` }).waitFor();
    assert.equal(await message().inputValue(), 'too much');
    assert.equal((await view.posted('prompt')).length, 0);
    await picture('full');
    assert.ok(await message().isVisible());
  });

  it('are moved by buttons and by keys, and keep the focus', async () => {
    await view.happen(turn, queued('a'), queued('b'), queued('c'));
    const move = async (to: number, queueId: string, count: number) => {
      assert.deepEqual((await view.postedAtLeast('move_queued', count)).at(-1), { type: 'move_queued', queueId, index: to });
      await view.happen({ type: 'queued_message_moved', queueId, index: to });
      await view.painted();
    };
    await button('Move down', 0).focus();
    await view.page.keyboard.press('Enter');
    await move(1, 'a', 1);
    assert.equal(await texts(), 'b a c');
    await heard('Moved to 2 of 3');
    assert.equal(await button('Move down', 1).evaluate((element) => element === document.activeElement), true);
    await view.page.keyboard.press('Alt+ArrowDown');
    await move(2, 'a', 2);
    assert.equal(await texts(), 'b c a');
    await view.page.keyboard.press('Alt+ArrowDown');
    await view.page.keyboard.press('Enter');
    await view.painted();
    assert.equal((await view.posted('move_queued')).length, 2, 'the last one cannot go further');
    assert.equal(await button('Move down', 2).getAttribute('aria-disabled'), 'true');
    await view.page.keyboard.press('Alt+ArrowUp');
    await move(1, 'a', 3);
    assert.equal(await texts(), 'b a c');
  });

  it('are removed, and the focus moves to the composer', async () => {
    await view.happen(turn, queued('a'), queued('b'), queued('c'));
    await button('Remove', 1).dblclick();
    assert.deepEqual(await view.postedAtLeast('remove_queued'), [{ type: 'remove_queued', queueId: 'b' }]);
    await view.happen({ type: 'queued_message_removed', queueId: 'b' });
    await heard('Queued message removed');
    assert.equal(await texts(), 'a c');
    assert.equal(await focusedName(), 'Message');
    assert.equal((await view.posted('remove_queued')).length, 1, 'the second click of a double click removes nothing');
  });

  it('move the focus to the composer when they are sent while one of their buttons has it', async () => {
    await view.happen(turn, queued('a'), queued('b'));
    await button('Edit', 0).focus();
    await view.happen(over('end_turn'), { type: 'turn_started', turnId: 'a' });
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Message');
  });

  it('are edited in place, saved by Enter, and restored by Escape', async () => {
    await view.happen(turn, queued('a'), withFile);
    await button('Edit', 1).click();
    assert.deepEqual(await view.postedAtLeast('edit_queued'), [{ type: 'edit_queued', queueId: 'file' }]);
    assert.equal(await view.page.locator('.queue-edit').count(), 0, 'not before the host holds it');
    await view.happen({ type: 'queued_message_editing', queueId: 'file', editing: true });
    const editor = view.page.getByRole('textbox', { name: 'Queued text 2' });
    await editor.waitFor();
    assert.equal(await focusedName(), 'Queued text 2');
    await view.page.keyboard.type(' here');
    await items().nth(1).getByRole('button', { name: 'Remove a.ts' }).click();
    await picture('editing');
    await editor.press('Enter');
    assert.deepEqual(await view.postedAtLeast('save_queued'), [{ type: 'save_queued', queueId: 'file', text: 'look here', kept: [2] }]);
    assert.equal((await view.posted('cancel')).length, 0);
    await view.happen({ type: 'queued_message_edited', queueId: 'file', content: [{ type: 'text', text: 'look here' }], size: 9 });
    assert.equal(await texts(), 'a look here');
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Edit');

    await button('Edit', 0).click();
    await view.happen({ type: 'queued_message_editing', queueId: 'a', editing: true });
    const other = view.page.getByRole('textbox', { name: 'Queued text 1' });
    await other.fill('');
    assert.ok(await items().nth(0).getByRole('button', { name: 'Save' }).isDisabled());
    await other.press('Enter');
    await other.press('Escape');
    assert.deepEqual(await view.postedAtLeast('cancel_queued_edit'), [{ type: 'cancel_queued_edit', queueId: 'a' }]);
    assert.equal((await view.posted('save_queued')).length, 1, 'nothing is no message');
    await view.happen({ type: 'queued_message_editing', queueId: 'a', editing: false });
    assert.equal(await texts(), 'a look here', 'what was given up is forgotten');
  });

  it('keep an unsaved edit over a reload, and are held again', async () => {
    await view.happen(turn, queued('a'), { type: 'queued_message_editing', queueId: 'a', editing: true });
    await view.page.getByRole('textbox', { name: 'Queued text 1' }).fill('half a thou');
    await view.page.reload();
    await view.started();
    await view.ready();
    await view.tame();
    await view.happen(queued('a'), { type: 'queue_paused' });
    assert.deepEqual(await view.postedAtLeast('edit_queued'), [{ type: 'edit_queued', queueId: 'a' }]);
    await view.happen({ type: 'queued_message_editing', queueId: 'a', editing: true });
    assert.equal(await view.page.getByRole('textbox', { name: 'Queued text 1' }).inputValue(), 'half a thou');
  });

  it('are marked while they are paused, and continue on request', async () => {
    await view.happen(turn, queued('a', 'Then run the tests'), withFile, { type: 'turn_cancelling' });
    await heard('Queue paused');
    await view.happen(queued('c', 'No, do this first'), over('cancelled'), { type: 'turn_started', turnId: 'x' });
    await view.page.getByText('2 queued messages are paused').waitFor();
    assert.deepEqual(await items().locator('.queue-paused').allInnerTexts(), ['Paused', 'Paused']);
    await picture('paused');
    await view.page.getByRole('button', { name: 'Resume Queue' }).click();
    assert.equal((await view.postedAtLeast('resume_queue')).length, 1);
    await view.happen({ type: 'queue_resumed' });
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Message');
    assert.equal(await items().locator('.queue-paused').count(), 0);
  });

  it('are reached by keyboard, and fit into a narrow panel', async () => {
    await view.page.setViewportSize({ width: 300, height: 500 });
    await view.happen(turn, queued('a', 'x'.repeat(300)), queued('b', 'several words '.repeat(60)), withFile, { type: 'queue_paused' });
    await items().nth(2).waitFor();
    const reached: string[] = [];
    await message().focus();
    for (let press = 0; press < 17; press++) {
      await view.page.keyboard.press('Shift+Tab');
      reached.push(await focusedName());
    }
    for (const name of ['Send Now: Interrupt', 'Edit', 'Move up', 'Move down', 'Remove', 'Resume Queue']) {
      assert.ok(reached.includes(name), `${name} not in ${reached.join(' | ')}`);
    }
    const tooWide = await view.page.locator('.queue').evaluate((queue) => {
      const { right } = queue.getBoundingClientRect();
      return [...queue.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > right + 0.5).length;
    });
    assert.equal(tooWide, 0);
    assert.equal(await view.page.evaluate(() => document.documentElement.scrollWidth), 300);
    const sizes = await items()
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => Math.min(each.clientWidth, each.clientHeight)));
    assert.ok(Math.min(...sizes) >= 24, `${sizes.join(' ')}`);
  });
});
