/** A request whose command is longer than its card: its warnings, the lines below, and the keys. Pictures go to test-results/long-command/. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { permissionRequest } from '../support/events';
import { asked, OPTIONS } from './support/asked';
import { brokenIn } from './support/axe';
import { eachInItsOwnView, keepPicture, root, type View } from './support/view';

const PICTURES = path.join(root, 'test-results/long-command');
const THEMES = ['dark', 'light', 'hc', 'hc-light'];
const LINES = Array.from({ length: 40 }, (_, line) => `echo part ${line} of the script`);
const LONG = [...LINES, 'rm -rf ~/everything'].join('\n');
const RISKS = 'Uses the network · Deletes · Runs as administrator';
const SIZES = [
  [900, 800],
  [300, 700],
  [640, 400],
  [583, 298],
] as const;

/** True when the first and the last line of the element are on the screen, and no other element covers them. */
const isInSight = (element: Locator, part: 'whole' | 'start' | 'end' = 'whole'): Promise<boolean> =>
  element.evaluate((each, wanted) => {
    const { left, top, bottom } = each.getBoundingClientRect();
    const heights = { start: [top + 6], end: [bottom - 6], whole: [top + 6, bottom - 6] }[wanted];
    return heights.every((at) => each.contains(document.elementFromPoint(left + 10, at)));
  }, part);

describe('a command that is longer than its card', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());
  before(() => mkdir(PICTURES, { recursive: true }));

  const card = () => view.page.getByRole('group', { name: 'Clean up' });
  const command = () => card().getByRole('group', { name: 'Command' });
  const rest = () => card().getByRole('button', { name: /^\d+ more lines?$/ });
  const answer = (name: string) => card().getByRole('button', { name, exact: true });
  const ask = async (text = LONG, own = false) => {
    const call = { title: 'Clean up', kind: 'execute' };
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      ...(own
        ? [permissionRequest('q', 'Clean up', { options: OPTIONS, subject: { command: text } })]
        : asked({ call, subject: { command: text } }, 'q')),
    );
    await view.happen({ type: 'permission_advised', permissionId: 'q', advice: { risks: ['network', 'deletes', 'administrator'] } });
    await card().getByText(RISKS).waitFor();
    await view.painted();
  };
  for (const [width, height] of SIZES) {
    for (const own of [false, true]) {
      it(`shows the warnings and the lines below at ${width} × ${height}${own ? ', on a card of its own' : ''}`, async () => {
        await view.page.setViewportSize({ width, height });
        await ask(LONG, own);
        await rest().waitFor();
        for (const part of [card().getByText(RISKS), rest(), answer('Yes, once')]) {
          assert.equal(await isInSight(part), true, await part.innerText());
        }
        assert.equal(await isInSight(command(), 'start'), true);
        assert.equal(await isInSight(command(), 'end'), false);
        for (const theme of THEMES) {
          await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
          await keepPicture(view.page, path.join(PICTURES, `${own ? 'own' : 'call'}-${width}-${theme}.png`));
          assert.deepEqual(await brokenIn(theme, view), [], theme);
        }
      });
    }
  }

  it('can be read to its end by the button alone, which leaves the focus in the request', async () => {
    await ask();
    const count = async () => Number.parseInt(await rest().innerText(), 10);
    await rest().focus();
    let left = await count();
    for (let times = 0; times < 20 && (await rest().count()) > 0; times++) {
      await view.page.keyboard.press('Enter');
      await view.painted();
      await view.painted();
      const now = (await rest().count()) > 0 ? await count() : 0;
      assert.ok(now < left, `${now} of ${left}`);
      left = now;
    }
    assert.equal(left, 0);
    assert.equal(await isInSight(command(), 'end'), true);
    assert.equal(await card().evaluate((each) => each === document.activeElement), true);
    await card().locator('.options[data-keys=""]').waitFor();
    await view.page.keyboard.press('1');
    assert.deepEqual(
      (await view.postedAtLeast('answer_permission')).map(({ optionId }) => optionId),
      ['y'],
    );
  });
});

describe('the keys of a command that is longer than its card', function () {
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

  const card = () => view.page.getByRole('group', { name: 'Clean up' });
  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const rest = () => card().getByRole('button', { name: /^\d+ more lines?$/ });
  const press = (key: string) => view.page.keyboard.press(key);
  const pass = (ms: number) => view.page.clock.runFor(ms);
  const answers = async () => (await view.posted('answer_permission')).map(({ optionId }) => optionId);
  const ask = async (text = LONG) => {
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      ...asked({ call: { title: 'Clean up', kind: 'execute' }, subject: { command: text } }, 'q'),
    );
    await view.happen({ type: 'permission_advised', permissionId: 'q', advice: { risks: ['deletes'] } });
    await pass(100);
    await view.page.waitForFunction(() =>
      window.playground.stage.posted.some((message) => message.type === 'card_sight' && message.sight !== 'hidden'),
    );
    await card().getByText('Deletes').waitFor();
    await pass(1000);
  };

  const command = () => card().getByRole('group', { name: 'Command' });
  const END = 'This is the end of the command. Press the key again to answer.';

  it('shows the end of the command at a digit that allows, and answers at the next one', async () => {
    await ask();
    await view.page.getByRole('log').focus();
    await pass(700);
    await press('1');
    await card().getByText(END).waitFor();
    assert.equal(await isInSight(command(), 'end'), true);
    await pass(300);
    await press('1');
    assert.deepEqual(await answers(), [], 'in the first half second');
    await pass(700);
    await press('1');
    assert.deepEqual(await answers(), ['y']);
  });

  it('shows the end of the command at Ctrl+Enter in the request, and allows at the next one', async () => {
    await ask();
    await box().focus();
    await press('Control+Enter');
    await pass(700);
    await press('Control+Enter');
    await card().getByText(END).waitFor();
    await pass(700);
    assert.deepEqual(await answers(), []);
    await press('Control+Enter');
    assert.deepEqual(await answers(), ['y']);
  });

  it('takes a digit that rejects at once', async () => {
    await ask();
    await view.page.getByRole('log').focus();
    await pass(700);
    await press('3');
    assert.deepEqual(await answers(), ['n']);
  });

  for (const [width, height] of SIZES) {
    it(`covers nothing with the hint of the second Escape, which rejects, at ${width} × ${height}`, async () => {
      await view.page.setViewportSize({ width, height });
      await ask();
      await box().focus();
      await press('Escape');
      await pass(100);
      const hint = card().getByText('Press Escape again to reject.');
      await hint.waitFor();
      for (const part of [hint, card().getByText('Deletes'), rest(), ...(await card().locator('.options > .button').all())]) {
        assert.equal(await isInSight(part), true, await part.innerText());
      }
      assert.equal(await isInSight(command(), 'start'), true);
      await keepPicture(view.page, path.join(PICTURES, `escape-${width}.png`));
      await pass(700);
      await press('Escape');
      assert.deepEqual(await answers(), ['n']);
    });
  }

  it('needs one digit when the whole command is in sight', async () => {
    await ask('rm -rf build\nmake');
    assert.equal(await rest().count(), 0);
    await view.page.getByRole('log').focus();
    await pass(700);
    await press('1');
    assert.deepEqual(await answers(), ['y']);
  });

  it('needs one digit for a long content that is no command', async () => {
    const text = LINES.join('\n');
    const call = {
      title: 'Clean up',
      kind: 'edit',
      content: [{ type: 'diff', changes: [{ operation: 'add', path: '/w/a', newText: text }] }],
    };
    await view.happen(...asked({ call: call as never }, 'q'));
    await pass(1500);
    await rest().waitFor();
    await view.page.getByRole('log').focus();
    await pass(700);
    await press('1');
    assert.deepEqual(await answers(), ['y']);
  });
});
