import assert from 'node:assert/strict';
import { message as said, permissionRequest } from '../support/events';
import { eachInItsOwnDocument, eachInItsOwnView, type View } from './support/view';

describe('Escape', function () {
  this.timeout(30_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    await view.happen({ type: 'turn_started', turnId: 't' });
    await view.page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  });

  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const cancels = async () => {
    await view.painted();
    return (await view.posted('cancel')).length;
  };

  it('stops the turn once, from the box and from the conversation, as the Stop button’s label says', async () => {
    assert.equal(await view.page.getByRole('button', { name: 'Stop', exact: true }).getAttribute('title'), 'Stop (Escape)');
    await box().fill('half a thou');
    await box().press('Escape');
    assert.equal(await cancels(), 1);
    await box().press('Escape');
    assert.equal(await cancels(), 1, 'it is being stopped');
    assert.equal(await box().inputValue(), 'half a thou');
    await view.happen({ type: 'turn_ended', turnId: 't', stopReason: 'cancelled' });
    await box().press('Escape');
    assert.equal(await cancels(), 1, 'nothing runs');
    await view.happen({ type: 'turn_started', turnId: 'u' });
    await view.page.getByRole('log').focus();
    await view.page.keyboard.press('Escape');
    assert.equal(await cancels(), 2);
  });

  it('is ignored while it repeats, with another key, or while an input method composes', async () => {
    await box().focus();
    await box().dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true });
    await box().dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true });
    await box().dispatchEvent('keydown', { key: 'Escape', repeat: true, bubbles: true });
    await view.page.keyboard.press('Shift+Escape');
    await view.page.keyboard.press('Control+Escape');
    assert.equal(await cancels(), 0);
  });

  it('closes what is open first: a popup, the suggestions, the find bar, the usage, a menu, a notice', async () => {
    await view.happen(
      {
        type: 'config_options',
        options: [{ type: 'select', configId: 'm', name: 'Mode', currentValue: 'a', groups: [{ choices: [{ value: 'a', name: 'A' }] }] }],
      },
      { type: 'available_commands', commands: [{ name: 'plan', description: 'Plans' }] },
      { type: 'usage', usage: { used: 1, size: 2 } },
      { type: 'notice', noticeId: 'n', severity: 'error', title: 'Careful' },
    );
    const takes: [what: string, open: () => Promise<void>][] = [
      ['popup', () => view.page.getByRole('combobox', { name: 'Mode', exact: true }).click()],
      ['suggestions', () => box().pressSequentially('/')],
      ['find bar', () => view.page.keyboard.press('Control+f').then(() => view.page.getByRole('searchbox').waitFor())],
      ['usage', () => view.page.locator('.usage').click()],
      ['menu', () => view.page.getByRole('button', { name: 'Demo Agent', exact: true }).click()],
      ['notice', () => view.page.getByRole('button', { name: 'Dismiss "Careful"' }).focus()],
    ];
    for (const [what, open] of takes) {
      await open();
      await view.page.keyboard.press('Escape');
      assert.equal(await cancels(), 0, what);
    }
    await box().focus();
    await view.page.keyboard.press('Escape');
    assert.equal(await cancels(), 1);
  });

  const find = () => view.page.getByRole('searchbox');
  const openFind = async () => {
    await view.page.keyboard.press('Control+f');
    await find().waitFor();
  };
  const hasFocus = () => box().evaluate((element) => element === document.activeElement);

  for (const where of ['Message', 'Conversation'] as const) {
    it(`closes find first, from ${where === 'Message' ? 'the message box' : 'the conversation'}, where the focus stays`, async () => {
      await openFind();
      const element = where === 'Message' ? box() : view.page.getByRole('log');
      await element.focus();
      await view.page.keyboard.press('Escape');
      await find().waitFor({ state: 'detached' });
      assert.equal(await cancels(), 0);
      assert.equal(await element.evaluate((each) => each === document.activeElement), true);
      assert.deepEqual((await view.posted('find')).at(-1)?.text, '');
      await view.page.keyboard.press('Escape');
      assert.equal(await cancels(), 1);
    });
  }

  it('closes find that a search over all sessions opened', async () => {
    await view.happen(said('A needle.', 'm'));
    await view.send({ type: 'open_find', at: { entryId: 'agent:m', text: 'needle' } });
    await find().waitFor();
    await box().click();
    await view.page.keyboard.press('Escape');
    await find().waitFor({ state: 'detached' });
    assert.deepEqual([await cancels(), await hasFocus()], [0, true]);
  });

  it('closes find, then leads to a pending question, and stops nothing', async () => {
    await view.happen(permissionRequest('p', 'Do it', { options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }));
    await view.page.getByRole('button', { name: 'Yes' }).waitFor();
    await openFind();
    await box().focus();
    await view.page.keyboard.press('Escape');
    await find().waitFor({ state: 'detached' });
    assert.equal(await hasFocus(), true);
    await view.page.keyboard.press('Escape');
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('data-entry-id') === 'permission:p');
    assert.equal(await cancels(), 0);
  });

  it('closes suggestions before find', async () => {
    await view.happen({ type: 'available_commands', commands: [{ name: 'plan', description: 'Plans' }] });
    await openFind();
    await box().pressSequentially('/');
    await view.page.getByRole('listbox').waitFor();
    await view.page.keyboard.press('Escape');
    await view.page.getByRole('listbox').waitFor({ state: 'detached' });
    assert.equal(await find().count(), 1);
    await view.page.keyboard.press('Escape');
    await find().waitFor({ state: 'detached' });
    assert.equal(await cancels(), 0);
  });

  it('leads to a pending question, and stops nothing before the question is answered', async () => {
    await view.happen(permissionRequest('p', 'Do it', { options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }));
    await view.page.getByRole('button', { name: 'Yes' }).focus();
    await view.page.keyboard.press('Escape');
    assert.equal(await cancels(), 0);
    assert.equal(await view.page.getByRole('button', { name: 'Stop', exact: true }).getAttribute('title'), 'Stop');
    await box().focus();
    await view.page.keyboard.press('Escape');
    assert.equal(await cancels(), 0);
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('data-entry-id') === 'permission:p');
    await view.happen({ type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' });
    await box().focus();
    await view.page.keyboard.press('Escape');
    assert.equal(await cancels(), 1);
  });

  it('leads to a pending form, and stops nothing', async () => {
    await view.happen({
      type: 'elicitation_requested',
      requestKey: 'f',
      message: 'Who?',
      body: { mode: 'form', fields: [{ type: 'string', name: 'who', title: 'Name', required: false }] },
    });
    await view.page.getByRole('textbox', { name: 'Name' }).waitFor();
    await box().focus();
    for (let times = 0; times < 3; times++) {
      await view.page.keyboard.press('Escape');
    }
    assert.equal(await cancels(), 0);
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('data-entry-id')), 'elicitation:f');
  });
});

describe('earlier messages in the box', function () {
  this.timeout(30_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  const LONG = `long ${'words that go on '.repeat(40)}end`;
  beforeEach(async () => {
    await view.tame();
    await view.happen(
      said('first', 'u1', 'user'),
      said('An answer', 'a1'),
      said('second\nof two lines', 'u2', 'user'),
      said(LONG, 'u3', 'user'),
      said('/plan it', 'u4', 'user'),
      { type: 'available_commands', commands: [{ name: 'plan', description: 'Plans' }] },
    );
    await box().focus();
  });

  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const shows = (text: string) =>
    view.page.waitForFunction((wanted) => document.querySelector<HTMLTextAreaElement>('.composer-text')!.value === wanted, text);
  const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => view.page.keyboard.press(key)), Promise.resolve());

  it('come with Up and go with Down, without sending the newest', async () => {
    await press('ArrowUp');
    await shows('/plan it');
    await press('ArrowUp');
    await shows(LONG);
    await press('ArrowUp');
    await shows('second\nof two lines');
    await press('ArrowUp');
    await shows('first');
    await press('ArrowUp');
    await shows('first');
    await press('ArrowDown');
    await shows('second\nof two lines');
    await press('ArrowDown');
    await shows(LONG);
    await press('ArrowDown');
    await shows('/plan it');
    await press('ArrowDown');
    await shows('');
    assert.equal((await view.posted('prompt')).length, 0);
  });

  it('keep the draft, which Escape brings back without stopping a turn', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' });
    await box().fill('half a thou');
    await press('ArrowUp', 'ArrowUp');
    await shows(LONG);
    await press('Escape');
    await shows('half a thou');
    assert.equal((await view.posted('cancel')).length, 0);
    assert.equal(await box().evaluate((area: HTMLTextAreaElement) => area.selectionStart), 'half a thou'.length);
    await press('ArrowUp');
    await view.page.reload();
    await view.started();
    await shows('half a thou');
  });

  it('leave Up and Down to the caret within lines, written and wrapped', async () => {
    await box().fill('one\ntwo\nthree');
    await press('ArrowUp');
    await shows('one\ntwo\nthree');
    await press('ArrowUp', 'ArrowUp', 'ArrowUp');
    await shows('/plan it');
    await press('ArrowUp');
    await shows(LONG);
    const rows = await box().evaluate((area: HTMLTextAreaElement) =>
      Math.round((area.scrollHeight - 13) / parseFloat(getComputedStyle(area).lineHeight)),
    );
    assert.ok(rows > 3, `${rows} rows`);
    await press('ArrowDown', 'ArrowDown');
    await view.painted();
    await shows(LONG);
    await press('Control+End', 'ArrowUp');
    await view.painted();
    await shows(LONG);
    await press('Control+End', 'ArrowDown');
    await shows('/plan it');
    await press('Shift+ArrowUp', 'Control+ArrowUp', 'Alt+ArrowUp');
    await shows('/plan it');
  });

  it('can be changed and sent; changes are kept until then', async () => {
    await press('ArrowUp');
    await press('End');
    await view.page.keyboard.type(' again');
    await press('ArrowUp');
    await shows(LONG);
    await press('Control+End', 'ArrowDown');
    await shows('/plan it again');
    await press('Enter');
    assert.deepEqual((await view.postedAtLeast('prompt'))[0]!.content, [{ type: 'text', text: '/plan it again' }]);
    await shows('');
    await press('ArrowUp');
    await shows('/plan it');
  });

  it('leave the keys to open suggestions, and to an input method while it composes', async () => {
    await box().fill('');
    await view.page.keyboard.type('/');
    await view.page.getByRole('listbox', { name: 'Commands' }).waitFor();
    await press('ArrowUp', 'ArrowDown');
    await shows('/');
    await box().fill('');
    await box().dispatchEvent('keydown', { key: 'ArrowUp', isComposing: true, bubbles: true });
    await view.painted();
    await shows('');
  });
});

describe('Control+A in a text field', function () {
  this.timeout(30_000);
  let view: View;
  eachInItsOwnDocument((opened) => (view = opened));

  it('selects the text, and is hidden from VS Code, which would select all once more after further typing', async () => {
    const box = view.page.getByRole('textbox', { name: 'Message', exact: true });
    await box.fill('a draft');
    await view.page.evaluate(() => {
      // The same listener as the one of VS Code.
      window.addEventListener('keydown', ({ key }) => key !== 'Control' && (document.title += `[${key}]`));
      document.title = '';
    });
    await box.press('Control+a');
    await view.page.keyboard.type('Count');
    assert.equal(await box.inputValue(), 'Count');
    await view.page.getByRole('log').focus();
    await view.page.keyboard.press('Control+a');
    assert.equal(await view.page.title(), '[C][o][u][n][t][a]');
  });
});
