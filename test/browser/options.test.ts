import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { brokenIn } from './support/axe';
import { chooseOption, chosenOption } from './support/configOptions';
import { View, eachInItsOwnView, keepPicture, root } from './support/view';

const MODE = {
  type: 'select' as const,
  configId: 'mode',
  name: 'Mode',
  description: 'What the agent may do without asking',
  category: 'mode',
  currentValue: 'plan',
  groups: [
    {
      choices: [
        { value: 'ask', name: 'Ask first', description: 'Asks before it writes a file or runs a command' },
        { value: 'plan', name: 'Plan only', description: 'Reads and proposes; writes nothing, runs nothing' },
        { value: 'auto', name: 'Auto', description: 'Writes and runs without asking' },
        { value: 'away', name: 'Away' },
      ],
    },
  ],
};
const THINKING = {
  type: 'select' as const,
  configId: 'thinking',
  name: 'Thinking',
  category: 'thought_level',
  currentValue: 'off',
  groups: [{ choices: ['off', 'low', 'high'].map((value) => ({ value, name: `Thinking: ${value}` })) }],
};
const model = (count: number) => ({
  type: 'select' as const,
  configId: 'model',
  name: 'Model',
  category: 'model',
  currentValue: 'm7',
  groups: ['Fast', 'Thorough'].map((name, half) => ({
    name,
    choices: Array.from({ length: count / 2 }, (_, index) => half * (count / 2) + index).map((index) => ({
      value: `m${index}`,
      name: `Model ${index}`,
      ...(index % 3 === 0 && { description: `The ${index}th of them, for long answers and short questions` }),
    })),
  })),
});
const offering = (...options: readonly object[]) => ({ type: 'config_options', options }) as EventInput;

describe('an option with choices', function () {
  this.timeout(30_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    await view.happen(offering(MODE, THINKING, model(500)));
    await button('Mode').waitFor();
  });

  const button = (name: string) => view.page.getByRole('combobox', { name, exact: true });
  const list = () => view.page.getByRole('listbox');
  const filter = () => view.page.getByRole('combobox', { name: 'Filter' });
  const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => view.page.keyboard.press(key)), Promise.resolve());
  const set = async () => (await view.posted('set_config')).map(({ configId, value }) => `${configId}=${String(value)}`);
  /** The next text of a screen reader: the row that the focused element refers to. */
  const active = () =>
    view.page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant');
      return id ? (document.getElementById(id)?.querySelector('.option-label')?.textContent ?? 'a row that is not there') : undefined;
    });
  const focused = () => view.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

  it('names the current value, and the option’s name once', async () => {
    assert.deepEqual(
      await view.page
        .locator('.composer-bar .option:not(.permission-mode)')
        .evaluateAll((all) => all.map((each) => (each as HTMLElement).innerText.trim())),
      ['Mode: Plan only', 'Thinking: off', 'Model 7'],
    );
    assert.equal(await chosenOption(view.page, 'Thinking'), 'off');
    await button('Thinking').click();
    assert.deepEqual(await list().getByRole('option').allInnerTexts(), ['off', 'low', 'high']);
  });

  it('is set by a click, and shows the choice before the agent confirms it', async () => {
    await chooseOption(view.page, 'Mode', 'Auto');
    assert.equal(await chosenOption(view.page, 'Mode'), 'Auto');
    assert.deepEqual(await set(), ['mode=auto']);
    assert.equal(await focused(), 'Mode');
    await chooseOption(view.page, 'Mode', 'Auto');
    assert.deepEqual(await set(), ['mode=auto'], 'what is set is not set again');
  });

  it('shows the previous value as soon as the agent has refused the choice', async () => {
    await chooseOption(view.page, 'Mode', 'Auto');
    await view.happen({ type: 'config_pending', options: [{ configId: 'mode', value: 'auto' }] });
    await view.painted();
    assert.equal(await chosenOption(view.page, 'Mode'), 'Auto');
    const failure = {
      code: 'option.refused',
      params: { option: 'Mode', choice: 'Auto', refusal: 'request.failed', reason: 'Not in your plan' },
    };
    await view.happen({ type: 'notice', noticeId: 'n', severity: 'error', title: '', failure } as EventInput, {
      type: 'config_pending',
      options: [],
    });
    await view.painted();
    assert.equal(await chosenOption(view.page, 'Mode'), 'Plan only');
    await view.page.getByText("Couldn't switch to Auto: Not in your plan").waitFor();
  });

  for (const key of ['Enter', 'Space', 'ArrowDown', 'Alt+ArrowDown', 'ArrowUp']) {
    it(`opens with ${key} at what is set`, async () => {
      await button('Mode').focus();
      await press(key);
      await list().waitFor();
      assert.equal(await active(), 'Plan only');
      assert.equal(await button('Mode').getAttribute('aria-expanded'), 'true');
      assert.equal(await list().getByRole('option', { selected: true }).locator('.option-label').innerText(), 'Plan only');
      await press('Escape');
      assert.equal(await list().count(), 0);
      assert.equal(await focused(), 'Mode');
      assert.deepEqual(await set(), []);
      assert.equal((await view.posted('prompt')).length, 0);
    });
  }

  it('moves by arrows, Home and End, and accepts Enter, Space and Alt+Up', async () => {
    await button('Mode').focus();
    await press('Enter', 'ArrowDown');
    assert.equal(await active(), 'Auto');
    await press('ArrowDown', 'ArrowDown');
    assert.equal(await active(), 'Away', 'the end is the end');
    await press('Home');
    assert.equal(await active(), 'Ask first');
    await press('ArrowUp', 'End');
    assert.equal(await active(), 'Away');
    await press('PageUp', 'Enter');
    assert.deepEqual(await set(), ['mode=ask']);
    await press('End', 'Space');
    assert.deepEqual(await set(), ['mode=ask', 'mode=away']);
    await press('Alt+ArrowDown', 'ArrowUp', 'Alt+ArrowUp');
    assert.deepEqual(await set(), ['mode=ask', 'mode=away', 'mode=auto']);
    assert.equal(await list().count(), 0);
  });

  it('moves by letters, closed and open', async () => {
    await button('Mode').focus();
    await press('a');
    await list().waitFor();
    assert.equal(await active(), 'Auto', 'from what is set on');
    await press('a');
    assert.equal(await active(), 'Away');
    await press('a');
    assert.equal(await active(), 'Ask first');
    await view.page.waitForTimeout(800);
    await view.page.keyboard.type('plan o');
    assert.equal(await active(), 'Plan only');
    assert.deepEqual(await set(), []);
  });

  it('closes with Tab, which moves on, and with a click or the focus elsewhere, and chooses nothing', async () => {
    await button('Mode').focus();
    await press('Enter', 'ArrowDown', 'Tab');
    assert.equal(await list().count(), 0);
    assert.equal(await focused(), 'Thinking');
    await button('Model').click();
    await filter().waitFor();
    await press('Shift+Tab');
    assert.equal(await list().count(), 0);
    assert.equal(await focused(), 'Thinking');
    await button('Mode').click();
    await view.page.locator('.start').click({ position: { x: 5, y: 5 } });
    assert.equal(await list().count(), 0);
    await button('Mode').click();
    await button('Thinking').click();
    assert.equal(await list().getAttribute('aria-label'), 'Thinking');
    await button('Thinking').click();
    assert.equal(await list().count(), 0);
    assert.deepEqual(await set(), []);
  });

  it('has a filter over ten choices, with the keys of the list', async () => {
    await button('Model').focus();
    await press('Enter');
    await filter().waitFor();
    assert.equal(await focused(), 'Filter');
    assert.equal(await active(), 'Model 7');
    assert.equal(await list().getByRole('option').count(), 500);
    await press('End');
    assert.equal(await active(), 'Model 499');
    assert.ok(await seen('Model 499'));
    await press('Home');
    assert.equal(await active(), 'Model 0');
    assert.ok(await seen('Model 0'));
    await view.page.keyboard.type('thorough 31');
    await view.page.waitForFunction(() => document.querySelectorAll('.option-row').length < 500);
    assert.deepEqual((await list().locator('.option-label').allInnerTexts()).slice(0, 3), ['Model 310', 'Model 311', 'Model 312']);
    assert.equal(await active(), 'Model 310');
    await press('ArrowDown', 'Enter');
    assert.deepEqual(await set(), ['model=m311']);
    assert.equal(await focused(), 'Model');
    assert.equal((await view.posted('prompt')).length, 0);
    await press('4', '2');
    assert.equal(await filter().inputValue(), '42');
    await filter().fill('no such model');
    await view.page.getByText('No results', { exact: true }).waitFor();
    assert.equal(await active(), undefined);
    await press('Enter');
    assert.ok(await filter().isVisible(), 'there is nothing to take');
    await press('Escape');
    assert.equal(await focused(), 'Model');
  });

  /** True when the row is on the screen and not covered. */
  const seen = (label: string) =>
    view.page.evaluate((wanted) => {
      const row = [...document.querySelectorAll('.option-row')].find(
        (each) => each.querySelector('.option-label')?.textContent === wanted,
      )!;
      const { left, top, bottom } = row.getBoundingClientRect();
      return row.contains(document.elementFromPoint(left + 20, (top + bottom) / 2));
    }, label);

  it('leaves the filter’s keys to an input method while it composes', async () => {
    await button('Model').click();
    await filter().dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await filter().dispatchEvent('keydown', { key: 'Escape', keyCode: 229 });
    await view.painted();
    assert.ok(await filter().isVisible());
    assert.deepEqual(await set(), []);
  });

  it('updates while it is open, and closes when the agent disconnects', async () => {
    await button('Mode').click();
    await view.happen(offering({ ...MODE, currentValue: 'auto' }, THINKING, model(500)));
    await list().getByRole('option', { selected: true, name: 'Auto' }).waitFor();
    await view.happen({ type: 'disconnected', failure: { code: 'agent.exited' } });
    await list().waitFor({ state: 'detached' });
    assert.ok(await button('Mode').isDisabled());
  });

  it('animates nothing for users who prefer less motion', async () => {
    await button('Mode').click();
    await list().waitFor();
    assert.equal(await view.page.evaluate(() => document.getAnimations().length), 0);
  });

  it('shows no hidden or reordering characters', async () => {
    const trick = 'safe\u202Eevil';
    await view.happen(offering({ ...MODE, groups: [{ name: trick, choices: [{ value: 'plan', name: trick, description: trick }] }] }));
    await button('Mode').click();
    assert.doesNotMatch(await view.page.locator('.option-root').first().innerText(), /\u202E/);
    assert.equal((await list().innerText()).match(/⟨U\+202E⟩/g)?.length, 3);
  });
});

describe('the choices of an option', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'options');
  before(() => mkdir(folder, { recursive: true }));

  const ready = async (view: View) => {
    await view.ready();
    await view.happen(offering(MODE, THINKING, model(40)));
    await view.page.getByRole('combobox', { name: 'Model' }).waitFor();
  };
  const SIZES = [
    { width: 300, height: 200 },
    { width: 320, height: 256 },
    { width: 300, height: 700 },
    { width: 420, height: 700 },
    { width: 900, height: 700 },
  ];
  const THEMES = ['dark', 'light', 'hc', 'hc-light', 'dark-2026', 'light-2026'];

  it('are inside the window at any size, without axe violations in any theme', async () => {
    const view = await View.open('theme=dark', { deviceScaleFactor: 1 });
    try {
      await ready(view);
      for (const size of SIZES) {
        await view.page.setViewportSize(size);
        for (const name of ['Mode', 'Thinking', 'Model']) {
          await view.page.getByRole('combobox', { name, exact: true }).click();
          await view.page.getByRole('listbox').waitFor();
          const box = (await view.page.locator('.option-popup').boundingBox())!;
          const where = `${name} at ${size.width} × ${size.height}: ${JSON.stringify(box)}`;
          assert.ok(box.x >= 0 && box.x + box.width <= size.width && box.y >= 0 && box.y + box.height <= size.height, where);
          assert.ok(box.height >= 80, where);
          const wide = await view.page.locator('.option-list').evaluate((list) => list.scrollWidth - list.clientWidth);
          assert.equal(wide, 0, `${where} scrolls sideways`);
          for (const theme of size.height === 700 && name !== 'Thinking' ? THEMES : []) {
            await view.page.evaluate((theme) => window.playground.applyTheme(theme), theme);
            await view.painted();
            await keepPicture(view.page, path.join(folder, `${theme}-${size.width}-${name}.png`));
            if (size.width === 300) {
              assert.deepEqual(await brokenIn(theme, view), [], `${where} in ${theme}`);
            }
          }
          await view.page.keyboard.press('Escape');
        }
      }
      assert.deepEqual(view.offences, []);
    } finally {
      await view.close();
    }
  });

  for (const colorScheme of ['dark', 'light'] as const) {
    it(`have edges and a mark at the row that Enter takes in forced colours, ${colorScheme}`, async () => {
      const view = await View.open(`theme=${colorScheme}`, {
        forcedColors: 'active',
        colorScheme,
        deviceScaleFactor: 1,
      });
      try {
        await ready(view);
        await view.page.getByRole('combobox', { name: 'Model', exact: true }).click();
        await keepPicture(view.page, path.join(folder, `forced-${colorScheme}.png`));
        const styles = await view.page.evaluate(() =>
          ['.option-popup', '.option-filter'].map((selector) => {
            const { borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(document.querySelector(selector)!);
            return borderTopStyle !== 'none' && borderTopColor !== backgroundColor;
          }),
        );
        assert.deepEqual(styles, [true, true]);
        const marked = await view.page.locator('.option-row').evaluateAll((rows) =>
          rows.flatMap((row) => {
            const { outlineStyle, outlineWidth } = getComputedStyle(row);
            return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 ? row.querySelector('.option-label')!.textContent : [];
          }),
        );
        assert.deepEqual(marked, ['Model 7']);
      } finally {
        await view.close();
      }
    });
  }
});
