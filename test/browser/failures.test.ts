/**
 * A failure in the page: its actions are visible at any size, the output is collapsed when the sentence covers it, and the free height is
 * used.
 */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { FAILURES } from '../../webview/playground/galleryFailures';
import { chunk, initialized, message } from '../support/events';
import { brokenIn } from './support/axe';
import { themesOf } from './support/themesOf';
import { View, keepPicture, root } from './support/view';

const OPENED: EventInput = { type: 'session_opened', agentName: 'Acme Agent', cwd: '/home/ada/sample' };
const WIDTHS = [300, 420, 900];

describe('a failure in the page', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'failures');
  let view: View;

  before(() => mkdir(folder, { recursive: true }));

  afterEach(async () => {
    const { offences } = view;
    await view.close();
    assert.deepEqual(offences, []);
  });

  const show = async ({ failure, isTurn }: (typeof FAILURES)[number]): Promise<void> => {
    if (isTurn) {
      await view.happen(OPENED, { type: 'session_ready', sessionId: 'S' }, { type: 'turn_started', turnId: 't' }, chunk('I begin.', 'a'), {
        type: 'turn_ended',
        turnId: 't',
        stopReason: 'error',
        failure,
      });
    } else {
      await view.happen(OPENED, { type: 'start_progress', command: 'agent' }, { type: 'session_failed', failure });
    }
    await view.page.locator('.failure').waitFor();
  };

  /** Buttons of the card that are not completely in the window, or are covered. */
  const hidden = (card = '.failure'): Promise<readonly string[]> =>
    view.page.evaluate(
      (selector) =>
        [...document.querySelectorAll<HTMLElement>(`${selector} .options button`)].flatMap((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
          const hits = [
            [left + 3, top + 3],
            [right - 3, bottom - 3],
          ].map(([x, y]) => document.elementFromPoint(x!, y!));
          return isInside && hits.every((hit) => hit === button) ? [] : [`${button.innerText} ${Math.round(top)}–${Math.round(bottom)}`];
        }),
      card,
    );

  for (const theme of themesOf(['dark', 'light', 'hc', 'hc-light'], ['dark', 'hc-light'])) {
    it(`is a sentence with the buttons that help, at 300, 420 and 900 pixels, in ${theme}`, async () => {
      view = await View.open(`theme=${theme}`, { viewport: { width: 300, height: 400 } });
      for (const each of FAILURES) {
        await view.page.evaluate(() => window.playground.stage.restart());
        await show(each);
        for (const width of WIDTHS) {
          await view.page.setViewportSize({ width, height: 400 });
          await view.painted();
          assert.deepEqual(await hidden(), [], `${each.name} at ${width}`);
          await keepPicture(view.page, path.join(folder, `${theme}-${width}-${each.name.replaceAll(' ', '-')}.png`));
        }
        assert.deepEqual(await brokenIn(theme, view), [], each.name);
      }
    });
  }

  it('keeps its buttons in sight with all of its output open, at any height, and shows the end of it', async () => {
    view = await View.open('', { viewport: { width: 300, height: 400 } });
    await show(FAILURES.find(({ name }) => name === 'something else')!);
    const output = view.page.getByRole('group', { name: 'Details' });
    await output.waitFor();
    for (const width of [300, 900]) {
      for (const height of [280, 345, 400, 500, 700, 1000]) {
        await view.page.setViewportSize({ width, height });
        await view.painted();
        assert.deepEqual(await hidden(), [], `${width} x ${height}`);
      }
    }
    const [lines, card] = await output.evaluate(
      (pre) => [pre.scrollTop + pre.clientHeight >= pre.scrollHeight - 1, pre.clientHeight] as const,
    );
    assert.ok(lines, 'the last line is in sight');
    assert.ok(card > 500, `of 1000 pixels the output has ${card}`);
  });

  it('shows its first sentence below the user’s message in a narrow page, at any height', async () => {
    view = await View.open('', { viewport: { width: 300, height: 420 } });
    const isInSight = () =>
      view.page.evaluate(() => {
        const [body, words] = ['.failure-body', '.failure-heading + *, .failure-heading'].map((each) => document.querySelector(each)!);
        const text = [...words!.parentElement!.childNodes].find((node) => node.nodeType === Node.TEXT_NODE)!;
        const range = document.createRange();
        const { data } = text as Text;
        range.setStart(text, 0);
        range.setEnd(text, /[.:](?= |$)/.exec(data)?.index ?? data.length);
        return range.getBoundingClientRect().bottom <= body!.getBoundingClientRect().bottom + 1;
      });
    for (const each of FAILURES.filter(({ isTurn }) => !isTurn)) {
      await view.page.evaluate(() => window.playground.stage.restart());
      await view.happen(OPENED, message('fix the tests', 'u', 'user'), { type: 'session_failed', failure: each.failure });
      await view.page.locator('.failure').waitFor();
      for (const height of [420, 560, 700]) {
        await view.page.setViewportSize({ width: 300, height });
        await view.painted();
        assert.ok(await isInSight(), `${each.name} at ${height}`);
        assert.deepEqual(await hidden(), [], `${each.name} at ${height}`);
      }
    }
    await view.page.evaluate(() => window.playground.stage.restart());
    const { failure } = FAILURES.find(({ name }) => name === 'something else')!;
    await view.happen(OPENED, message('fix the tests', 'u', 'user'), { type: 'session_failed', failure });
    await view.painted();
    const output = await view.page.getByRole('group', { name: 'Details' }).boundingBox();
    assert.ok(output!.height > 60, `the output has ${output!.height} of 700 pixels`);
  });

  it('can be ended while the agent still starts, however long its command is', async () => {
    view = await View.open('', { viewport: { width: 300, height: 345 } });
    await view.page.evaluate((then) => {
      window.playground.stage.restart();
      const command = `npx ${'--with=another-long-argument '.repeat(40)}`;
      window.playground.stage.events([
        { type: 'session_opened', agentName: 'Slow', cwd: '/x', at: then },
        { type: 'start_progress', command, at: then },
        { type: 'start_progress', command, line: 'still waiting '.repeat(40), at: Date.now() },
      ]);
    }, Date.now() - 10_000);
    await view.page.getByRole('button', { name: 'Cancel' }).waitFor();
    for (const [width, height] of [
      [300, 345],
      [420, 400],
      [900, 700],
    ] as const) {
      await view.page.setViewportSize({ width, height });
      await view.painted();
      assert.deepEqual(await hidden('.starting'), [], `${width} x ${height}`);
    }
  });

  it('can be ended while a program that is no agent prints its usage', async () => {
    view = await View.open('', { viewport: { width: 300, height: 345 } });
    const usage = [
      'Usage: tool [options]',
      ...Array.from({ length: 7 }, (_, index) => `  --option-${index}   ${'does something '.repeat(10)}`),
    ];
    await view.page.evaluate(
      ([line, then]) => {
        window.playground.stage.restart();
        window.playground.stage.events([
          { type: 'session_opened', agentName: 'Tool', cwd: '/x', at: then },
          { type: 'start_progress', command: 'tool', at: then },
          { type: 'start_progress', command: 'tool', line, at: Date.now() },
        ]);
      },
      [usage.join('\n'), Date.now() - 10_000] as const,
    );
    await view.page.getByText('Usage: tool [options]').waitFor();
    for (const [width, height] of [
      [300, 345],
      [900, 700],
    ] as const) {
      await view.page.setViewportSize({ width, height });
      await view.painted();
      assert.deepEqual(await hidden('.starting'), [], `${width} x ${height}`);
    }
    await view.page.getByText('--option-6').waitFor();
  });

  it('leaves the conversation its space', async () => {
    view = await View.open('', { viewport: { width: 900, height: 800 } });
    const { failure } = FAILURES.find(({ name }) => name === 'something else')!;
    await view.happen(OPENED, { type: 'session_ready', sessionId: 'S' }, { type: 'turn_started', turnId: 't' }, chunk('I begin.', 'a'), {
      type: 'disconnected',
      failure: { ...failure, code: 'agent.exited' },
    });
    await view.page.getByRole('group', { name: 'Disconnected' }).waitFor();
    await view.painted();
    assert.deepEqual(await hidden(), []);
    const height = await view.page.evaluate(() => document.querySelector('.transcript')!.clientHeight);
    assert.ok(height > 130, `the conversation has ${height}`);
  });

  it('collapses the output that the sentence covers, and expands it with the keyboard', async () => {
    view = await View.open('', { viewport: { width: 420, height: 600 } });
    await show(FAILURES[0]!);
    const card = view.page.getByRole('group', { name: "Couldn't start the agent" });
    await card.getByText("registry.npmjs.org couldn't be reached: check your network connection, then retry.").waitFor();
    assert.equal(await card.getByText('npm error code ENOTFOUND').count(), 0);
    const fold = card.getByRole('button', { name: 'Show output' });
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    await fold.focus();
    await view.page.keyboard.press('Enter');
    await card.getByText('npm error code ENOTFOUND').waitFor();
    assert.equal(await card.getByRole('button', { name: 'Hide output' }).getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await card.locator('.options').getByRole('button').allInnerTexts(), ['Retry', 'Open Settings', 'Show Log']);
    await card.getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual((await view.postedAtLeast('action'))[0]?.action, 'retry');
  });

  it("shows the last of the agent's own words beside the collapsed output, but none of npm's", async () => {
    view = await View.open('', { viewport: { width: 420, height: 600 } });
    await show(FAILURES[0]!);
    const card = view.page.locator('.failure');
    const output = card.getByRole('group', { name: 'Details' });
    await card.getByRole('button', { name: 'Show output' }).waitFor();
    assert.equal(await output.count(), 0);
    await view.page.evaluate(() => window.playground.stage.restart());
    await show({ name: '', failure: { code: 'agent.exited', params: { cause: 'sign_in' }, detail: 'Booting\nQuota used up: buy more\n' } });
    await output.waitFor();
    assert.equal(await output.innerText(), 'Quota used up: buy more');
    await card.getByRole('button', { name: 'Show output' }).click();
    assert.equal(await output.innerText(), 'Booting\nQuota used up: buy more');
  });

  it('leaves to the host the actions that only the host can do', async () => {
    view = await View.open();
    await show(FAILURES.find(({ name }) => name === 'no Node.js')!);
    await view.page.getByRole('button', { name: 'Install Node.js' }).click();
    assert.equal((await view.postedAtLeast('action'))[0]?.action, 'install_node');
    await view.page.evaluate(() => window.playground.stage.restart());
    const { failure } = FAILURES.find(({ name }) => name === 'nobody is signed in')!;
    const authMethods = [{ type: 'agent', methodId: 'browser', name: 'Browser' }] as const;
    await view.happen(OPENED, initialized({ authMethods }), { type: 'session_failed', failure });
    await view.page.locator('.failure .options').getByRole('button').first().click();
    assert.deepEqual(
      (await view.postedAtLeast('action', 2)).map(({ action }) => action),
      ['install_node', 'sign_in'],
    );
  });

  it('shows nothing but its sentence: an agent’s text is plain text', async () => {
    view = await View.open();
    await show({
      name: '',
      failure: { code: 'agent.exited', params: { cause: 'network', host: '<img src=x onerror=alert(1)>' }, detail: '<b>x</b>' },
    });
    await view.page.locator('.failure').getByText("<img src=x onerror=alert(1)> couldn't be reached").waitFor();
    assert.equal(await view.page.locator('.failure img, .failure b').count(), 0);
  });
});
