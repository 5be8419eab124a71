/** The keys of a permission request: digits and Escape, where they count, and how the card shows them. */
import assert from 'node:assert/strict';
import { message, permissionRequest } from '../support/events';
import { asked, OPTIONS } from './support/asked';
import { eachInItsOwnView, type View } from './support/view';

describe('keys of a permission request', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView(
    (opened) => (view = opened),
    async (each) => {
      // The clock advances only explicitly.
      await each.page.clock.install({ time: 0 });
      await each.page.clock.pauseAt(1000);
      await each.ready();
      await each.tame();
    },
  );

  const make = { title: 'Make all', kind: 'execute', rawInput: { command: 'make all' } };
  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const group = () => view.page.getByRole('group', { name: 'Make all' });
  const press = (key: string) => view.page.keyboard.press(key);
  const pass = (ms: number) => view.page.clock.runFor(ms);
  const answers = async () => (await view.posted('answer_permission')).map(({ permissionId, optionId }) => `${permissionId} ${optionId}`);
  const stops = async () => (await view.posted('cancel')).length + (await view.posted('confirm_cancel')).length;
  const hasFocus = () => group().evaluate((element) => element === document.activeElement);
  const ask = async (id = 'q', options = OPTIONS) => {
    const [call, request] = asked({ call: make }, id);
    await view.happen({ type: 'turn_started', turnId: 't' }, call!, { ...request!, options } as typeof request & object);
    await pass(100);
    await group().getByRole('button').first().waitFor();
    await view.page.waitForFunction(() =>
      window.playground.stage.posted.some((message) => message.type === 'card_sight' && message.sight !== 'hidden'),
    );
  };

  for (const ms of [300, 800, 1500, 2500, 4000]) {
    it(`moves the focus to the request at an Escape after ${ms} ms, and rejects at the next one`, async () => {
      await box().focus();
      await ask();
      await pass(ms - 100);
      await press('Escape');
      await pass(50);
      assert.equal(await hasFocus(), true);
      await group().getByText('Press Escape again to reject.').waitFor();
      assert.deepEqual([await answers(), await stops()], [[], 0]);
      await pass(600);
      await press('Escape');
      assert.deepEqual([await answers(), await stops()], [['q n'], 0]);
      assert.equal(await box().evaluate((element) => element === document.activeElement), true);
    });
  }

  it('takes a digit right after the Escape that has moved the focus', async () => {
    await box().focus();
    await ask();
    await pass(1000);
    await press('Escape');
    await pass(50);
    assert.equal(await group().locator('.options').getAttribute('data-keys'), '');
    await press('2');
    assert.deepEqual(await answers(), ['q a']);
  });

  it('takes no digit right after an Escape while the card is new', async () => {
    await box().focus();
    await ask();
    await press('Escape');
    await pass(50);
    await press('2');
    assert.deepEqual(await answers(), []);
    assert.equal(await group().locator('.options').getAttribute('data-keys'), 'wait');
    await pass(600);
    assert.equal(await group().locator('.options').getAttribute('data-keys'), '');
    await press('2');
    assert.deepEqual(await answers(), ['q a']);
  });

  it('ignores Escapes that follow each other within half a second', async () => {
    await box().focus();
    await ask();
    await pass(2000);
    for (let times = 0; times < 8; times++) {
      await press('Escape');
      await pass(200);
    }
    assert.deepEqual([await answers(), await stops()], [[], 0]);
  });

  it('moves the focus from an empty message box to the request at Ctrl+Enter, and allows once at the next one', async () => {
    await box().focus();
    await ask();
    await pass(1000);
    await press('Control+Enter');
    await pass(50);
    assert.equal(await hasFocus(), true);
    await group().getByText('Press Ctrl+Enter again to allow once.').waitFor();
    await pass(300);
    await press('Control+Enter');
    assert.deepEqual(await answers(), []);
    await pass(600);
    await press('Control+Enter');
    assert.deepEqual(await answers(), ['q y']);
    assert.equal((await view.posted('prompt')).length, 0);
  });

  it('does not count an Escape as the second one after Ctrl+Enter has moved the focus', async () => {
    await box().focus();
    await ask();
    await pass(1000);
    await press('Control+Enter');
    await pass(700);
    await press('Escape');
    await group().getByText('Press Escape again to reject.').waitFor();
    assert.deepEqual(await answers(), []);
  });

  it('sends the text of the message box at Ctrl+Enter', async () => {
    await ask();
    await pass(1000);
    await box().fill('Then this');
    await press('Control+Enter');
    await pass(700);
    assert.deepEqual([(await view.posted('prompt')).length, await answers()], [1, []]);
  });

  it('announces what Escape does when the request got the focus in another way', async () => {
    await ask();
    await pass(2000);
    await group().getByRole('button', { name: 'Yes, once', exact: true }).focus();
    await pass(700);
    await press('Escape');
    await pass(700);
    assert.deepEqual(await answers(), []);
    await press('Escape');
    assert.deepEqual(await answers(), ['q n']);
  });

  it('forgets the first Escape when the focus leaves the request', async () => {
    await box().focus();
    await ask();
    await pass(1000);
    await press('Escape');
    await pass(700);
    await box().focus();
    await pass(700);
    await group().focus();
    await pass(700);
    await press('Escape');
    assert.deepEqual(await answers(), []);
  });

  it('answers at Enter only after the user has moved to an option', async () => {
    await box().focus();
    await ask();
    await pass(1000);
    await press('Escape');
    await pass(50);
    assert.equal(await hasFocus(), true);
    await pass(650);
    await press('Enter');
    await pass(700);
    assert.deepEqual([await answers(), await stops()], [[], 0]);
    // The first stop is the command, which may have to be scrolled.
    await press('Tab');
    await press('Enter');
    await press('Tab');
    await pass(700);
    assert.deepEqual(await answers(), []);
    assert.equal(
      await group()
        .getByRole('button', { name: 'Yes, once' })
        .evaluate((element) => element === document.activeElement),
      true,
    );
    await press('Enter');
    assert.deepEqual(await answers(), ['q y']);
  });

  it('asks whether to stop when no option rejects once, or one means something else', async () => {
    const odd = [
      [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
      [{ optionId: 'x', name: 'Never', kind: 'reject_always' }],
      [{ optionId: 'z', name: 'Yes, go on', kind: 'reject_once' }],
    ];
    for (const [index, options] of odd.entries()) {
      await ask(`q${index}`, options);
      await pass(1000);
      await box().focus();
      await press('Escape');
      await pass(700);
      await group().getByText('Press Escape again to stop.').waitFor();
      await press('Escape');
      assert.equal((await view.posted('confirm_cancel')).length, index + 1);
      assert.deepEqual(await answers(), []);
      await view.happen({ type: 'permission_resolved', permissionId: `q${index}`, outcome: 'withdrawn' });
      await pass(100);
    }
    assert.equal((await view.posted('cancel')).length, 0);
  });

  it('expands a request shown in a quick pick, and takes the second Escape there', async () => {
    await view.send({ type: 'page', folderName: 'sample', multiRoot: false, present: 'quickPick' });
    for (const [index, own] of [false, true].entries()) {
      const id = `closed${index}`;
      await view.happen(
        { type: 'turn_started', turnId: 't' },
        ...(own ? [permissionRequest(id, 'Make all', { options: OPTIONS, subject: { command: 'make all' } })] : asked({ call: make }, id)),
      );
      await pass(1000);
      await box().focus();
      await press('Escape');
      await pass(100);
      await view.page.locator('.options-hint', { hasText: 'reject' }).waitFor();
      await pass(700);
      await press('Escape');
      assert.deepEqual(
        await answers(),
        Array.from({ length: index + 1 }, (_, at) => `closed${at} n`),
      );
      await view.happen({ type: 'permission_resolved', permissionId: id, outcome: 'selected', optionId: 'n' });
      await pass(100);
    }
  });

  it('answers by a digit anywhere in the conversation, half a second after the focus came', async () => {
    await ask();
    await view.page.getByRole('log').focus();
    await press('2');
    await pass(400);
    await press('2');
    await pass(400);
    assert.deepEqual(await answers(), []);
    await pass(200);
    await press('2');
    assert.deepEqual(await answers(), ['q a']);
  });

  it('ignores digits in the composer, with a modifier, during composition, and while the answers are out of view', async () => {
    await ask();
    await pass(1000);
    await box().focus();
    await press('1');
    assert.equal(await box().inputValue(), '1');
    const log = view.page.getByRole('log');
    await log.focus();
    await pass(700);
    for (const key of ['Control+1', 'Alt+1', 'Meta+1']) {
      await press(key);
    }
    await log.dispatchEvent('keydown', { key: '1', isComposing: true, bubbles: true });
    await view.happen(
      ...Array.from({ length: 60 }, (_, index) => ({
        type: 'message' as const,
        role: 'agent' as const,
        messageId: `m${index}`,
        content: [{ type: 'text' as const, text: 'More words.\n\nAnd more.' }],
      })),
    );
    await pass(100);
    await view.page.waitForFunction(() => {
      const sights = window.playground.stage.posted.filter((message) => message.type === 'card_sight');
      return sights.at(-1)?.sight === 'hidden';
    });
    await press('1');
    assert.deepEqual(await answers(), []);
  });

  it('applies digits in the conversation to the oldest request', async () => {
    await ask('old');
    await view.happen(permissionRequest('new', 'Another', { options: OPTIONS }));
    await pass(1000);
    await view.page.getByRole('log').focus();
    await pass(700);
    await press('1');
    await press('1');
    assert.deepEqual(await answers(), ['old y']);
  });

  it('does not apply a digit meant for a request that is removed to another one', async () => {
    await ask('old');
    await view.happen(permissionRequest('new', 'Another', { options: OPTIONS }));
    await pass(1000);
    await view.page.getByRole('log').focus();
    await pass(700);
    await view.happen({ type: 'permission_resolved', permissionId: 'old', outcome: 'withdrawn' });
    await pass(100);
    await press('1');
    await pass(400);
    await press('1');
    assert.deepEqual(await answers(), []);
    await pass(600);
    await press('1');
    assert.deepEqual(await answers(), ['new y']);
  });

  it('shows the keys while they work, which the names of the buttons leave out', async () => {
    await ask();
    const buttons = group().locator('.options button');
    const keys = () =>
      buttons.evaluateAll((all) =>
        all.map((button) => {
          const { content } = getComputedStyle(button.querySelector('.key')!, '::before');
          return [content, button.ariaKeyShortcuts, getComputedStyle(button.querySelector('.key')!).visibility];
        }),
      );
    const shown = (visibility: string) => [
      ['"1"', '1 Control+Enter Meta+Enter', visibility],
      ['"2"', '2', visibility],
      ['"3"', '3', visibility],
    ];
    const widths = () => buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().width));
    await box().focus();
    assert.deepEqual(await keys(), shown('hidden'), 'digits are text in the composer');
    for (const { name } of OPTIONS) {
      assert.equal(await group().getByRole('button', { name, exact: true }).count(), 1);
    }
    const before = await widths();
    await group().focus();
    assert.deepEqual(await keys(), shown('visible'));
    assert.deepEqual(await widths(), before);
    await box().focus();
    assert.deepEqual(await keys(), shown('hidden'));
    await view.page.getByRole('log').focus();
    assert.deepEqual(await keys(), shown('visible'), 'the first request takes digits of the whole conversation');
  });

  it('shows the keys of the first request alone while the conversation has the focus', async () => {
    await ask('old');
    await view.happen(permissionRequest('new', 'Another', { options: OPTIONS }));
    await pass(1000);
    const shown = () => view.page.locator('.options').evaluateAll((all) => all.map((each) => each.hasAttribute('data-keys')));
    await view.page.getByRole('log').focus();
    assert.deepEqual(await shown(), [true, false]);
    await view.page.locator('[data-entry-id="permission:new"]').focus();
    assert.deepEqual(await shown(), [false, true], 'each question has its own keys');
    await view.page.getByRole('log').focus();
    await view.happen({ type: 'permission_resolved', permissionId: 'old', outcome: 'withdrawn' });
    await pass(100);
    assert.deepEqual(await shown(), [true]);
  });

  it('reports answers that fill the screen or more', async () => {
    const options = Array.from({ length: 20 }, (_, index) => ({ optionId: `o${index}`, name: 'Yes '.repeat(100), kind: 'allow_once' }));
    await view.page.setViewportSize({ width: 400, height: 500 });
    await ask('many', options);
    assert.ok(
      await group()
        .locator('.options')
        .evaluate((element) => element.scrollHeight > 2 * innerHeight),
    );
  });

  it('reports how much of the card is in view', async () => {
    await ask();
    const sights = async () => (await view.posted('card_sight')).map(({ permissionId, sight }) => `${permissionId} ${sight}`);
    assert.deepEqual(await sights(), ['q seen']);
    await group().focus();
    await pass(50);
    await box().focus();
    await pass(50);
    await view.happen({ type: 'permission_resolved', permissionId: 'q', outcome: 'selected', optionId: 'y' });
    await pass(50);
    assert.deepEqual(await sights(), ['q seen', 'q focused', 'q seen', 'q hidden']);
  });

  it('reports a card that stays out of sight, once the conversation had time to scroll to it', async () => {
    const words = Array.from({ length: 40 }, (_, index) => message('More words.\n\nAnd more.', `m${index}`));
    await view.happen(...words);
    await pass(1000);
    const log = view.page.getByRole('log');
    await log.evaluate((element) => element.closest('.scroller')!.scrollBy(0, -400));
    await pass(500);
    await view.happen({ type: 'turn_started', turnId: 't' }, permissionRequest('away', 'Make all', { options: OPTIONS }));
    const sights = async () => (await view.posted('card_sight')).map(({ permissionId, sight }) => `${permissionId} ${sight}`);
    await pass(100);
    assert.deepEqual(await sights(), []);
    await pass(500);
    assert.deepEqual(await sights(), ['away hidden']);
  });
});
