import assert from 'node:assert/strict';
import { chooseOption, chosenOption } from './support/configOptions';
import { eachInItsOwnView, type View } from './support/view';
import { permissionRequest } from '../support/events';

describe('composer', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const message = () => view.page.getByRole('textbox', { name: 'Message' });

  it('sends on Enter, breaks the line on Shift+Enter', async () => {
    await message().focus();
    await view.page.keyboard.type('one');
    await view.page.keyboard.press('Shift+Enter');
    await view.page.keyboard.type('two');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.postedAtLeast('prompt'), [{ type: 'prompt', content: [{ type: 'text', text: 'one\ntwo' }] }]);
    assert.equal(await message().inputValue(), '');
  });

  it('leaves Enter to an input method that is composing', async () => {
    await message().fill('にほ');
    await message().dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await message().dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    await view.painted();
    assert.equal((await view.posted('prompt')).length, 0);
  });

  it('keeps the text and shows a notice when no session takes it, until the box is emptied', async () => {
    await view.happen({ type: 'session_ended' });
    await message().fill('too late');
    await message().press('Enter');
    await view.page.locator('.composer-hint').getByText('Your message was not sent').waitFor();
    await view.page.getByRole('status').getByText('Your message was not sent').waitFor({ state: 'attached' });
    assert.equal(await message().inputValue(), 'too late');
    assert.equal((await view.posted('prompt')).length, 0);
    await message().fill('');
    await view.page.locator('.composer-hint').getByText('Your message was not sent').waitFor({ state: 'detached' });
  });

  /** Types a text and presses a key before the next paint. */
  const typedAndPressed = (text: string, key: string) =>
    message().evaluate(
      async (element: HTMLTextAreaElement, [text, key]) => {
        element.focus();
        document.execCommand('insertText', false, text);
        // Preact has rendered by now, but the browser has not painted.
        await Promise.resolve();
        element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      },
      [text, key] as const,
    );

  it('shows the notice also when Enter comes before the text is painted', async () => {
    await view.happen({ type: 'session_ended' });
    await view.painted();
    await typedAndPressed('too late', 'Enter');
    await view.painted();
    assert.match(await view.page.locator('.composer-hint').innerText(), /Your message was not sent/);
  });

  it('moves in the suggestions also when the key comes before the list is painted', async () => {
    await view.happen({
      type: 'available_commands',
      commands: ['alpha', 'amend', 'apply'].map((name) => ({ name, description: name })),
    });
    await message().fill('/');
    const chosen = view.page.locator('[role="option"][aria-selected="true"]');
    await chosen.waitFor();
    await typedAndPressed('a', 'ArrowDown');
    await view.painted();
    assert.match(await chosen.innerText(), /amend/);
  });

  it('focuses the text when Stop disappears', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' });
    await view.page.getByRole('button', { name: 'Stop', exact: true }).focus();
    await view.happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await view.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  });

  it('keeps a draft over a reload', async () => {
    await message().fill('half a thou');
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts' }] });
    await view.page.getByRole('button', { name: 'Remove b.ts' }).waitFor();
    await view.page.reload();
    await view.started();
    assert.equal(await message().inputValue(), 'half a thou');
    await view.page.getByRole('button', { name: 'Remove b.ts' }).click();
    assert.equal(await view.page.getByRole('button', { name: 'Remove b.ts' }).count(), 0);
  });

  it('puts returned text before the text in the box', async () => {
    await message().fill('new');
    await view.send({ type: 'restore_text', text: 'old' });
    await view.page.waitForFunction(() => document.querySelector('textarea')!.value === 'old\n\nnew');
  });

  it('reports key presses at most once a second', async () => {
    await message().focus();
    await view.page.keyboard.type('quick typing', { delay: 5 });
    assert.equal((await view.postedAtLeast('typing')).length, 1);
  });

  it('suggests commands and completes them by keyboard', async () => {
    await view.happen({
      type: 'available_commands',
      commands: [
        { name: 'plan', description: 'Plans' },
        { name: 'review', description: 'Reviews', inputHint: 'what' },
        { name: 'test', description: 'Tests' },
      ],
    });
    await message().focus();
    await view.page.keyboard.type('/');
    const options = view.page.getByRole('option');
    await options.first().waitFor();
    assert.deepEqual(
      await options.locator('.suggestion-name').allInnerTexts(),
      ['/plan', '/review', '/test', '/new'],
      'the agent’s, and ours',
    );
    const onTop = await options.first().evaluate((option) => {
      const { left, top } = option.getBoundingClientRect();
      return option.contains(document.elementFromPoint(left + 12, top + 8));
    });
    assert.ok(onTop, 'the list is covered or cut off');
    await view.page.keyboard.press('ArrowDown');
    await view.page.locator('[role=option][aria-selected=true]', { hasText: 'review' }).waitFor();
    const active = await message().getAttribute('aria-activedescendant');
    assert.equal(await view.page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await view.page.keyboard.press('Enter');
    assert.equal(await message().inputValue(), '/review ');
    assert.equal((await view.posted('prompt')).length, 0);
    await view.page.keyboard.type('it');
    await view.page.keyboard.press('Enter');
    assert.deepEqual((await view.postedAtLeast('prompt'))[0]?.content, [{ type: 'text', text: '/review it' }]);
    await view.page.keyboard.type('/pl');
    await options.first().waitFor();
    await view.page.keyboard.press('Escape');
    assert.equal(await options.count(), 0);
  });

  it('offers the agent’s options under the agent’s names', async () => {
    await view.happen({
      type: 'config_options',
      options: [
        {
          type: 'select',
          configId: 'model',
          name: 'Model',
          currentValue: 'b',
          groups: [
            { name: 'Fast', choices: [{ value: 'a', name: 'A 1' }] },
            { name: 'Deep', choices: [{ value: 'b', name: 'B 2' }] },
          ],
        },
        { type: 'boolean', configId: 'web', name: 'Web search', currentValue: false },
      ],
    });
    assert.equal(await chosenOption(view.page, 'Model'), 'B 2');
    await chooseOption(view.page, 'Model', 'A 1');
    assert.equal(await chosenOption(view.page, 'Model'), 'A 1');
    await view.page.getByRole('switch', { name: 'Web search' }).click();
    assert.deepEqual(await view.postedAtLeast('set_config', 2), [
      { type: 'set_config', configId: 'model', value: 'a' },
      { type: 'set_config', configId: 'web', value: true },
    ]);
    await view.page.getByRole('combobox', { name: 'Model' }).click();
    for (const group of ['Fast', 'Deep']) {
      assert.equal(await view.page.getByRole('listbox', { name: 'Model' }).getByRole('group', { name: group }).count(), 1);
    }
  });

  it('can be reached and used with the keyboard alone', async () => {
    await view.happen(
      { type: 'config_options', options: [{ type: 'boolean', configId: 'web', name: 'Web search', currentValue: false }] },
      { type: 'turn_started', turnId: 't' },
      permissionRequest('p', 'Do it', { options: [{ optionId: 'y', name: 'Yes please', kind: 'allow_once' }], subject: { command: 'ls' } }),
    );
    // Buttons ignore answers in the first half second.
    await view.page.getByRole('button', { name: 'Yes please', disabled: false }).waitFor();
    const reached: string[] = [];
    for (let press = 0; press < 20; press++) {
      await view.page.keyboard.press('Tab');
      const name = await view.page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      );
      reached.push(name);
      if (name === 'Yes please') {
        await view.page.keyboard.press('Enter');
      }
      if (name === 'Stop') {
        await view.page.keyboard.press('Space');
      }
    }
    for (const name of ['Conversation', 'Yes please', 'Message', 'Web search', 'Stop']) {
      assert.ok(reached.includes(name), `${name} not in ${reached.join(' | ')}`);
    }
    assert.equal((await view.postedAtLeast('answer_permission'))[0]?.optionId, 'y');
    assert.ok((await view.postedAtLeast('cancel')).length > 0);
  });

  it('has posted the whole draft when a key of VS Code may close the page', async () => {
    await message().focus();
    await view.page.evaluate(() => {
      const box = document.activeElement as HTMLTextAreaElement;
      // Make sure that nothing is saved by a timer.
      const { setTimeout } = window;
      window.setTimeout = (() => 0) as never;
      for (const text of ['for', 'for the', 'for the agent']) {
        box.value = text;
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'w', ctrlKey: true, bubbles: true }));
      window.setTimeout = setTimeout;
    });
    const [told] = await view.postedAtLeast('draft');
    assert.deepEqual(told?.content, [{ type: 'text', text: 'for the agent' }]);
  });
});
