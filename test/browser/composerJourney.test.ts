/** Every popup around the message box by keyboard alone: what is announced, and where the focus is afterwards. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import { initialized, message as said } from '../support/events';
import { type View, eachInItsOwnView } from './support/view';

const setUp: EventInput[] = [
  initialized({ promptCapabilities: { image: true, audio: true, embeddedContext: true }, offers: { ...NO_CAPABILITIES, steer: true } }),
  {
    type: 'config_options',
    options: [
      {
        type: 'select',
        configId: 'mode',
        name: 'Mode',
        category: 'mode',
        currentValue: 'ask',
        groups: [
          {
            name: '',
            choices: [
              { value: 'ask', name: 'Ask' },
              { value: 'plan', name: 'Plan' },
            ],
          },
        ],
      },
    ],
  },
  { type: 'available_commands', commands: [{ name: 'review', description: 'Reviews', inputHint: 'what to look at' }] },
  { type: 'usage', usage: { used: 120_000, size: 200_000, cost: { amount: 0.4, currency: 'USD' } } },
];
const queued = (queueId: string): EventInput => ({
  type: 'message_queued',
  queueId,
  content: [
    { type: 'text', text: queueId },
    { type: 'resource_link', uri: `file:///w/${queueId}.ts`, name: `${queueId}.ts` },
  ],
  size: 9,
});

describe('around the message box, by keyboard alone,', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    await view.happen(...setUp, said('first', 'a', 'user'), said('one', 'b'));
    await view.whole();
    await view.page.evaluate(() => {
      const words: string[] = [];
      new MutationObserver((changes) =>
        changes.forEach(({ addedNodes }) => addedNodes.forEach((line) => words.push(line.textContent ?? ''))),
      ).observe(document.querySelector('[role=status].sr-only')!, { childList: true });
      Object.assign(window, { heardWords: words });
    });
    await message().focus();
  });

  const message = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const press = (key: string) => view.page.keyboard.press(key);
  const type = (text: string) => view.page.keyboard.type(text);
  const hears = (words: RegExp) =>
    view.page.waitForFunction(
      (source) => (window as unknown as { heardWords: string[] }).heardWords.some((each) => new RegExp(source).test(each)),
      words.source,
    );
  const focusedName = () =>
    view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
  const focusIsOn = async (name: string) => {
    await view.page
      .waitForFunction(
        (wanted) => (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').startsWith(wanted),
        name,
        { timeout: 3000 },
      )
      .catch(async () => assert.fail(`the focus is on "${await focusedName()}", not on "${name}"`));
  };
  /** Moves to a control by Tab alone. */
  const reach = async (name: string, key = 'Tab') => {
    for (let presses = 0; presses < 60; presses++) {
      if ((await focusedName()).startsWith(name)) {
        return;
      }
      await press(key);
    }
    assert.fail(`Tab does not reach "${name}"`);
  };

  it('names the lists, chips, options, meter and history, which return the focus', async () => {
    await type('see @');
    await view.page.getByRole('listbox', { name: 'Add to the message' }).waitFor();
    await hears(/suggestions$/);
    await press('Escape');
    await focusIsOn('Message');
    await type('check');
    await press('Backspace');
    await type('k');
    await view.page.getByRole('option').first().waitFor({ state: 'detached' });
    await message().fill('');
    await type('see @check');
    await view.page.getByRole('option').first().waitFor();
    await press('Enter');
    await focusIsOn('Message');
    await reach('checkout.ts', 'Shift+Tab');
    await press('Enter');
    await view.postedAtLeast('open_mention');
    await focusIsOn('checkout.ts');
    await press('Delete');
    await focusIsOn('Message');
    await hears(/^Removed checkout\.ts$/);

    await message().fill('');
    await type('/');
    await view.page.getByRole('listbox', { name: 'Commands' }).waitFor();
    await hears(/^\d+ suggestions$/);
    await press('Escape');
    await focusIsOn('Message');
    await press('Backspace');
    await type('/');
    await view.page.getByRole('listbox', { name: 'Commands' }).waitFor();
    await press('Backspace');
    await type('/rev');
    await press('Tab');
    await focusIsOn('Message');
    assert.equal(await message().inputValue(), '/review ');
    await hears(/^what to look at$/);

    await message().fill('');
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts' }] });
    await reach('Remove b.ts', 'Shift+Tab');
    await press('Enter');
    await focusIsOn('Message');
    await hears(/^Removed b\.ts$/);

    await reach('Mode');
    await press('Enter');
    await view.page.getByRole('listbox', { name: 'Mode' }).waitFor();
    await press('ArrowDown');
    await press('Escape');
    await focusIsOn('Mode');
    assert.equal((await view.posted('set_config')).length, 0);
    await press('Enter');
    await press('ArrowDown');
    await press('Enter');
    await focusIsOn('Mode');
    assert.equal((await view.postedAtLeast('set_config'))[0]?.value, 'plan');

    await reach('Context: ');
    await press('Enter');
    await view.page.getByRole('group', { name: 'Usage' }).waitFor();
    await press('Escape');
    await view.page.getByRole('group', { name: 'Usage' }).waitFor({ state: 'detached' });
    await focusIsOn('Context: ');

    await reach('Message', 'Shift+Tab');
    await press('ArrowUp');
    assert.equal(await message().inputValue(), 'first');
    await press('Escape');
    assert.equal(await message().inputValue(), '');
    await focusIsOn('Message');
  });

  it('shows every list whole, however small the page', async () => {
    for (const [width, height] of [
      [300, 420],
      [420, 520],
      [900, 300],
    ] as const) {
      await view.page.setViewportSize({ width, height });
      await view.page.getByRole('button', { name: 'Message Actions…' }).press('Enter');
      await press('Enter');
      await message().fill('');
      for (const text of ['@', '/']) {
        await type(text);
        const list = view.page.getByRole('listbox');
        await list.waitFor();
        await press('ArrowUp');
        await view.painted();
        const active = view.page.locator('[role=option][aria-selected=true]');
        for (const place of [list, active]) {
          const { y, height: high } = (await place.boundingBox())!;
          assert.ok(y >= 0 && high > 15 && y + high <= height, `${text} at ${width} × ${height}: ${y} + ${high}`);
        }
        await press('Escape');
        await press('Backspace');
      }
      await press('Escape');
    }
  });

  it('keeps the lists off the text when the page or the box changes while they are open', async () => {
    for (const text of ['@', '/']) {
      await view.page.setViewportSize({ width: 900, height: 640 });
      await message().fill('');
      await type(text);
      const list = view.page.getByRole('listbox');
      await list.waitFor();
      const keepsOff = async (when: string) => {
        await view.painted();
        // The frame around the list, which also says that files are still being listed.
        const { y, height } = (await view.page.locator('.suggestions').boundingBox())!;
        const below = (await view.page.locator('.composer-box').boundingBox())!;
        assert.ok(y >= 0 && Math.abs(y + height + 4 - below.y) < 1.5, `${text} ${when}: ${y} + ${height}, then ${below.y}`);
      };
      await keepsOff('at first');
      await view.page.setViewportSize({ width: 300, height: 640 });
      await keepsOff('in a page that became narrow');
      await view.page.setViewportSize({ width: 300, height: 400 });
      await keepsOff('in a page that became low');
      await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/b.ts', name: `${text.codePointAt(0)}.ts` }] });
      await view.page
        .getByRole('button', { name: /^Remove / })
        .last()
        .waitFor();
      await keepsOff('over a box that grew');
    }
  });

  it('restores the focus when VS Code returns to the page, and ignores held keys', async () => {
    /** Does what Chromium does when the focus moves to another document of the window. */
    const leave = () =>
      view.page.evaluate(() => {
        (document.activeElement as HTMLElement).blur();
        window.dispatchEvent(new Event('blur'));
      });
    const comeBack = () => view.page.evaluate(() => void window.dispatchEvent(new Event('focus')));
    await leave();
    assert.ok(!(await focusedName()).startsWith('Message'));
    await comeBack();
    await focusIsOn('Message');
    await type('x');
    await reach('Mode');
    await leave();
    await comeBack();
    await focusIsOn('Mode');
    await view.page.evaluate(() =>
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true })),
    );
    await view.painted();
    assert.equal(await view.page.getByRole('listbox').count(), 0);
    await press('Enter');
    await view.page.getByRole('listbox', { name: 'Mode' }).waitFor();
    await press('Escape');

    // A focus that VS Code gives and takes away at once must not be restored: the palette that was opened meanwhile would close.
    await message().focus();
    await leave();
    await view.page.evaluate(() => {
      window.dispatchEvent(new Event('focus'));
      window.dispatchEvent(new Event('blur'));
    });
    await view.page.waitForTimeout(150);
    assert.equal(await view.page.evaluate(() => document.activeElement === document.body), true);
    // The element gets the focus when the page stays focused, or earlier with the first key.
    await comeBack();
    await focusIsOn('Message');
    await leave();
    await comeBack();
    await type('y');
    assert.ok((await message().inputValue()).endsWith('y'));

    // The focus is restored once, after the next paint.
    await view.painted();

    // The focus stays where it is if no element had it before, or if the user presses on something.
    await view.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await view.page.waitForTimeout(150);
    await view.page.evaluate(() => void window.dispatchEvent(new Event('blur')));
    await comeBack();
    await view.painted();
    assert.equal(await view.page.evaluate(() => document.activeElement === document.body), true);
    await message().focus();
    await leave();
    await view.page.evaluate(() => {
      document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      window.dispatchEvent(new Event('focus'));
    });
    await view.page.waitForTimeout(150);
    assert.equal(await view.page.evaluate(() => document.activeElement === document.body), true);

    // If the focused element was removed, the message box gets the focus.
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts' }] });
    await view.page.getByRole('button', { name: 'Remove b.ts' }).focus();
    await leave();
    await view.page.getByRole('button', { name: 'Remove b.ts' }).evaluate((button) => (button as HTMLElement).click());
    await view.page.waitForTimeout(150);
    await view.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await comeBack();
    await focusIsOn('Message');
  });

  it('returns the focus from the queue, its editor and its menus', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' }, queued('one'), queued('two'));
    await hears(/queued$/);
    await reach('Send Now', 'Shift+Tab');
    await press('Enter');
    await view.page.getByRole('menuitem').first().waitFor();
    await press('Escape');
    await focusIsOn('Send Now');

    await reach('Edit');
    await press('Enter');
    const { queueId } = (await view.postedAtLeast('edit_queued'))[0]!;
    await view.happen({ type: 'queued_message_editing', queueId, editing: true });
    await focusIsOn('Queued text');
    await reach(`Remove ${queueId}.ts`);
    await press('Enter');
    await focusIsOn('Queued text');
    await hears(new RegExp(`^Removed ${queueId}\\.ts$`));
    // Where Ctrl+Enter sends, Enter breaks the line, also in the queue's editor.
    await view.send({ type: 'composer', sendWith: 'ctrlEnter' });
    await press('End');
    await press('Enter');
    await type('more');
    assert.equal((await view.posted('save_queued')).length, 0);
    await press('Control+Enter');
    assert.deepEqual((await view.postedAtLeast('save_queued'))[0]?.text, `${queueId}\nmore`);
    await view.happen({ type: 'queued_message_editing', queueId, editing: false });
    await focusIsOn('Edit');
    await view.send({ type: 'composer', sendWith: 'enter' });
    await press('Enter');
    await view.postedAtLeast('edit_queued', 2);
    await view.happen({ type: 'queued_message_editing', queueId, editing: true });
    await focusIsOn('Queued text');
    await press('Escape');
    await view.postedAtLeast('cancel_queued_edit');
    await view.happen({ type: 'queued_message_editing', queueId, editing: false });
    await focusIsOn('Edit');

    await message().focus();
    await type('now');
    await reach('Send Options');
    await press('Enter');
    await view.page.getByRole('menu').waitFor();
    await press('Escape');
    await focusIsOn('Send Options');
  });
});
