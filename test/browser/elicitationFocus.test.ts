/** An agent's form while the user works in it: its keys, the focus, its position, and the typed values. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { elicitations, form, list, text } from './support/elicitation';
import { eachInItsOwnView, type View } from './support/view';

describe('elicitation form', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const { ask, submit, answers, focused } = elicitations(() => view);

  it('is filled in and sent with the keyboard alone', async () => {
    const card = await ask(
      form(
        text('long', { title: 'Long' }),
        { name: 'log', title: 'Log', type: 'boolean', required: false },
        { name: 'how', title: 'How', type: 'choice', required: true, choices: list('One', 'Two') },
        { name: 'many', title: 'Many', type: 'choices', required: false, choices: list('P', 'Q') },
        text('short', { title: 'Short', maxLength: 20 }),
      ),
    );
    const { keyboard } = view.page;
    await view.send({ type: 'focus', target: 'permission' });
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'group');
    await keyboard.press('Tab');
    await keyboard.type('first');
    await keyboard.press('Shift+Enter');
    await keyboard.type('second');
    await keyboard.press('Escape');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Tab');
    await keyboard.type('last');
    assert.equal((await view.posted('answer_elicitation')).length, 0);
    await keyboard.press('Enter');
    const content = { long: 'first\nsecond', log: true, how: 'Two', many: ['Q'], short: 'last' };
    assert.deepEqual((await answers())[0]!.content, content);
    await view.happen({ type: 'elicitation_resolved', requestKey: 'e1', outcome: 'accepted', content });
    await card.getByText('You answered').waitFor();
    assert.equal(await focused(), 'elicitation:e1', 'the focus stays with what was answered');
  });

  it('takes Enter in a text of several lines as in the composer, but not from a key held down', async () => {
    const card = await ask(form(text('a', { title: 'A' })));
    await card.getByLabel('A').focus();
    await view.page.keyboard.type('yes');
    await view.page.evaluate(() =>
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true })),
    );
    assert.equal((await view.posted('answer_elicitation')).length, 0);
    await view.page.keyboard.press('Enter');
    assert.deepEqual((await answers())[0]!.content, { a: 'yes' });
  });

  it('never takes the focus', async () => {
    const composer = view.page.getByRole('textbox', { name: 'Message', exact: true });
    await composer.fill('half a sentence');
    const card = await ask(form(text('a')));
    await submit(card).waitFor();
    await view.page.keyboard.press('End');
    await view.page.keyboard.type('!');
    assert.equal(await composer.inputValue(), 'half a sentence!');
    assert.equal((await view.posted('answer_elicitation')).length, 0);
  });

  it('keeps typed values when other events arrive, when it is far away, and when the page is reloaded', async () => {
    const fields = [
      text('a', { title: 'A' }),
      { name: 'c', title: 'C', type: 'choices', required: false, choices: list('P', 'Q') } as const,
    ];
    const card = await ask(form(...fields));
    await card.getByLabel('A').fill('typed');
    await card.getByLabel('Q').check();
    const others = (from: number) =>
      Array.from(
        { length: 80 },
        (_, index) =>
          ({
            type: 'message',
            role: 'agent',
            messageId: `m${from + index}`,
            content: [{ type: 'text', text: `Line ${from + index}.\n\n`.repeat(4) }],
          }) as const,
      );
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await view.happen(...others(0));
    await view.page.locator('[data-slot="agent:m79"]').waitFor();
    await view.page.locator('[data-slot="agent:m20"]').waitFor({ state: 'detached' });
    await view.page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 0));
    assert.equal(await card.getByLabel('A').inputValue(), 'typed');
    await view.page.reload();
    await view.started();
    await view.ready();
    const again = await ask(form(...fields));
    assert.equal(await again.getByLabel('A').inputValue(), 'typed');
    assert.equal(await again.getByLabel('Q').isChecked(), true);
  });

  it('is shown from its beginning when it is higher than the screen, unless the user reads elsewhere', async () => {
    const long = (requestKey: string, message: string) =>
      ask(form(...Array.from({ length: 30 }, (_, index) => text(`f${index}`))), message, requestKey);
    const top = (card: Locator) =>
      card.evaluate((element) => Math.abs(element.getBoundingClientRect().top - element.closest('.scroller')!.getBoundingClientRect().top));
    const first = await long('e1', 'First');
    await view.page.waitForFunction(() => document.querySelector('.scroller')!.scrollTop < 200);
    assert.ok((await top(first)) < 2);
    assert.equal(
      await view.page.locator('.header').evaluate((header) => header.getBoundingClientRect().top),
      0,
      'the page itself has moved',
    );
    await view.page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 300));
    await view.painted();
    await long('e2', 'Second');
    await view.painted();
    await view.painted();
    assert.equal(await view.page.evaluate(() => document.querySelector('.scroller')!.scrollTop), 300);
  });

  it('can be reached again from anywhere', async () => {
    await ask(form(text('a')));
    await view.happen(
      ...Array.from(
        { length: 200 },
        (_, index) =>
          ({
            type: 'message',
            role: 'agent',
            messageId: `m${index}`,
            content: [{ type: 'text', text: `Line ${index}.\n\n`.repeat(4) }],
          }) as const,
      ),
    );
    await view.page.waitForFunction(() => document.querySelector('[data-entry-id="elicitation:e1"]')!.getBoundingClientRect().bottom < 0);
    await view.send({ type: 'focus', target: 'permission' });
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('data-entry-id') === 'elicitation:e1');
    assert.ok(await view.page.getByRole('button', { name: 'Submit' }).isVisible());
  });
});
