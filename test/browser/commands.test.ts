/**
 * Slash commands (the agent's and the built-in ones, their arguments, their order by last use), the modes' key and favorites in long lists.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { message as said } from '../support/events';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';

const commands = (...names: string[]): EventInput => ({
  type: 'available_commands',
  commands: names.map((name) => ({ name, description: `Does ${name}`, ...(name === 'review' && { inputHint: 'what to review' }) })),
});

describe('slash commands', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const message = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const names = async () => {
    await view.page.getByRole('option').first().waitFor();
    return view.page.locator('.suggestion-name').allInnerTexts();
  };
  const facts = (recentCommands: readonly string[], favorites: Readonly<Record<string, readonly string[]>> = {}) =>
    view.send({ type: 'page', folderName: 'sample', multiRoot: false, preferences: { recentCommands, favorites } });

  it('show their argument hint as ghost text until an argument is typed', async () => {
    await view.happen(commands('plan', 'review'));
    await message().focus();
    await view.page.keyboard.type('/rev');
    await view.page.keyboard.press('Enter');
    assert.equal(await message().inputValue(), '/review ');
    const ghost = view.page.locator('.composer-ghost');
    assert.match(await ghost.innerText(), /what to review/);
    await view.page.getByRole('status').getByText('what to review').waitFor({ state: 'attached' });
    await view.page.keyboard.type('a');
    await ghost.waitFor({ state: 'detached' });
  });

  it('are sorted by their last use', async () => {
    await view.happen(commands('plan', 'review', 'test'));
    await facts(['test', 'gone', 'review']);
    await message().focus();
    await view.page.keyboard.type('/');
    assert.deepEqual(await names(), ['/test', '/review', '/plan', '/new']);
    await view.page.keyboard.type('p');
    assert.deepEqual(await names(), ['/plan'], 'those that only hold it come behind');
  });

  it('mark built-in commands, which run at once', async () => {
    await view.happen(commands('plan'), said('hi', 'm', 'user'));
    await message().focus();
    await view.page.keyboard.type('/');
    assert.deepEqual(await names(), ['/plan', '/new', '/export']);
    assert.equal(await view.page.locator('.suggestion', { hasText: '/new' }).locator('.suggestion-own').innerText(), 'VS Code');
    await view.page.keyboard.type('exp');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.postedAtLeast('action'), [{ type: 'action', action: 'export_conversation' }]);
    assert.equal(await message().inputValue(), '');
    await view.page.keyboard.type('/new');
    await view.page.keyboard.press('Enter');
    assert.deepEqual((await view.postedAtLeast('action', 2)).at(-1), { type: 'action', action: 'new_session' });
    assert.equal((await view.posted('prompt')).length, 0);
  });

  it('prefer the agent’s command to a built-in one of the same name', async () => {
    await view.happen(commands('new', 'compress'));
    await message().focus();
    await view.page.keyboard.type('/');
    assert.deepEqual(await names(), ['/new', '/compress', '/compact']);
    await view.page.keyboard.type('compact');
    await view.page.keyboard.press('Enter');
    await message().fill('/new');
    await message().press('Enter');
    assert.deepEqual(
      (await view.postedAtLeast('prompt', 2)).map(({ content }) => content),
      [[{ type: 'text', text: '/compress' }], [{ type: 'text', text: '/new' }]],
    );
    assert.equal((await view.posted('action')).length, 0);
  });

  it('look right in a narrow panel', async () => {
    const folder = path.join(root, 'test-results', 'sendNow');
    mkdirSync(folder, { recursive: true });
    await view.happen(commands('plan', 'review'), said('hi', 'm', 'user'));
    for (const [index, width] of [300, 420, 900].entries()) {
      await view.page.setViewportSize({ width, height: 500 });
      await view.page.evaluate((name) => window.playground.applyTheme(name), ['dark', 'light', 'hc'][index]!);
      await message().fill('');
      await message().focus();
      await view.page.keyboard.type('/');
      await names();
      await keepPicture(view.page, path.join(folder, `commands-${width}.png`));
      await view.page.keyboard.type('review');
      await view.page.keyboard.press('Tab');
      await keepPicture(view.page, path.join(folder, `ghost-${width}.png`));
    }
  });
});

describe('frequently used options', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const model = {
    type: 'select' as const,
    configId: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'm1',
    groups: [{ choices: Array.from({ length: 20 }, (_, index) => ({ value: `m${index}`, name: `Model ${index}` })) }],
  };
  const rows = () => view.page.locator('.option-label').allInnerTexts();
  const favorites = (...values: string[]) =>
    view.send({ type: 'page', folderName: 'sample', multiRoot: false, preferences: { recentCommands: [], favorites: { model: values } } });

  it('are marked by key and pointer, come first, and keep the active row', async () => {
    await view.happen({ type: 'config_options', options: [model] });
    await view.page.getByRole('combobox', { name: 'Model', exact: true }).press('Enter');
    await view.page.keyboard.type('model 12');
    await view.page.keyboard.press('Control+d');
    assert.deepEqual(await view.postedAtLeast('mark_favorite'), [
      { type: 'mark_favorite', configId: 'model', value: 'm12', isFavorite: true },
    ]);
    await view.page.getByRole('status').getByText('Added to favorites').waitFor({ state: 'attached' });
    await favorites('m12', 'gone');
    await view.page.getByRole('group', { name: 'Favorites' }).waitFor();
    await view.page.getByRole('combobox', { name: 'Filter' }).fill('');
    await view.painted();
    assert.deepEqual((await rows()).slice(0, 3), ['Model 12', 'Model 0', 'Model 1']);
    await view.page.locator('.option-row', { hasText: 'Model 3' }).first().hover();
    await view.page.locator('.option-row', { hasText: 'Model 3' }).locator('.option-star').click();
    await favorites('m12', 'm3');
    await view.painted();
    assert.deepEqual((await rows()).slice(0, 2), ['Model 12', 'Model 3']);
    await keepPicture(view.page, path.join(root, 'test-results', 'sendNow', 'favorites.png'));
    assert.equal((await view.posted('set_config')).length, 0);
    await view.page.keyboard.press('Home');
    await view.page.keyboard.press('Control+d');
    assert.equal((await view.postedAtLeast('mark_favorite', 3)).at(-1)?.isFavorite, false);
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.postedAtLeast('set_config'), [{ type: 'set_config', configId: 'model', value: 'm12' }]);
  });

  it('show the mode set by a key or by the agent, and the key', async () => {
    const mode = {
      type: 'select' as const,
      configId: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: 'ask',
      groups: [
        {
          choices: [
            { value: 'ask', name: 'Ask' },
            { value: 'plan', name: 'Plan' },
          ],
        },
      ],
    };
    await view.happen({ type: 'config_options', options: [mode] });
    const button = view.page.getByRole('combobox', { name: 'Mode', exact: true });
    assert.equal(await button.getAttribute('title'), 'Mode (Ctrl+Alt+.)');
    assert.equal(await button.getAttribute('aria-keyshortcuts'), 'Control+Alt+.');
    await view.happen({ type: 'config_value', configId: 'mode', value: 'plan' });
    await view.page.getByRole('status').getByText('Mode: Plan').waitFor({ state: 'attached' });
    assert.match(await button.innerText(), /Plan/);
  });
});
