/** Narrow and low pages: the visible part of the conversation and the message box. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import { chunk, initialized, message, toolDiff } from '../support/events';
import { asked, FOLDER } from './support/asked';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';

const words = Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join('\n\n');
const resumable = [
  { ...initialized(), offers: { ...NO_CAPABILITIES, resume: true } } as EventInput,
  { type: 'session_ready', sessionId: 's' } as const,
];
const reloaded: EventInput = { type: 'disconnected', failure: { code: 'session.interrupted' } };

const changed: EventInput = {
  type: 'pending_changes',
  changes: { files: [{ path: `${FOLDER}/src/cart.ts`, operation: 'modify', added: 7, removed: 2 }], added: 7, removed: 2 },
};

const option = (configId: string, name: string, value: string, category: string) => ({
  type: 'select' as const,
  configId,
  name,
  category,
  currentValue: value,
  groups: [{ choices: [{ value, name: value }] }],
});
const footer = [
  {
    type: 'config_options',
    options: [
      option('mode', 'Mode', 'Ask before edits', 'mode'),
      option('model', 'Model', 'Opus 4.5 (1M context)', 'model'),
      option('effort', 'Effort', 'Medium', 'thought_level'),
    ],
  } as EventInput,
  { type: 'usage', usage: { used: 158_000, size: 200_000, cost: { amount: 1.23, currency: 'USD' } } } as unknown as EventInput,
];

describe('a small page', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    await view.happen(...resumable, ...footer, message('go', 'u', 'user'), chunk(words));
  });

  const heightOf = async (selector: string): Promise<number> => (await view.page.locator(selector).boundingBox())!.height;
  const isInside = (selector: string) =>
    view.page.locator(selector).evaluate((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    });
  /** The conversation has half of the page, and Send is visible without scrolling. */
  const fits = async (width: number, height: number) => {
    await view.page.setViewportSize({ width, height });
    await view.painted();
    // A low and narrow page shows the message box first.
    assert.ok(
      (await heightOf('.scroller')) >= height / 2 - (height < 300 ? 8 : 1),
      `${await heightOf('.scroller')} of ${height} px at ${width}`,
    );
    assert.ok(await isInside('.send, .stop'), 'Send is outside');
    assert.ok(await isInside('.header'), 'the header is outside');
  };

  for (const [width, height] of [
    [300, 600],
    [300, 420],
    [640, 298],
    [320, 298],
  ] as const) {
    it(`gives the conversation half of ${width} × ${height}, after a reload, too`, async () => {
      await fits(width, height);
      await view.happen(reloaded);
      await view.page.getByRole('group', { name: 'Disconnected' }).waitFor();
      await fits(width, height);
      assert.ok((await heightOf('.resume-line')) <= 32, 'more than a line');
    });
  }

  for (const [width, height] of [
    [300, 600],
    [300, 420],
    [640, 400],
    [640, 298],
  ] as const) {
    it(`gives the conversation half of ${width} × ${height} while changes wait, after a reload, too`, async () => {
      await view.happen(changed);
      await view.page.getByRole('group', { name: 'Changes to review' }).waitFor();
      await fits(width, height);
      await view.happen(reloaded);
      const resume = view.page.getByRole('group', { name: 'Disconnected' }).getByRole('button', { name: 'Resume', exact: true });
      await resume.waitFor({ state: 'attached' });
      await fits(width, height);
      // The lowest page shows the line while it has the focus.
      await resume.focus();
      const { x, y, width: wide, height: high } = (await resume.boundingBox())!;
      assert.ok(wide >= 24 && high >= 16 && y >= 0 && y + high <= height && x + wide <= width, JSON.stringify({ x, y, wide, high }));
      assert.ok(
        await resume.evaluate((button, at) => document.elementFromPoint(at.x, at.y) === button, { x: x + wide / 2, y: y + high / 2 }),
      );
    });
  }

  it('never scrolls as a whole at 640 × 298', async () => {
    await view.page.setViewportSize({ width: 640, height: 298 });
    await view.painted();
    assert.equal(await view.page.evaluate(() => document.documentElement.scrollHeight), 298);
  });

  it('gives the conversation half beside an error, whose buttons are visible', async () => {
    const detail = Array.from({ length: 40 }, (_, line) => `stderr ${line}`).join('\n');
    await view.happen({ type: 'disconnected', failure: { code: 'agent.exited', params: { exitCode: 3 }, detail } });
    await view.page.getByRole('button', { name: 'Restart', exact: true }).waitFor();
    await fits(300, 640);
    await fits(900, 640);
    assert.ok(await isInside('.banner .button:not(.button-secondary)'));
  });

  it('keeps Send in view while a long message is written', async () => {
    for (const [width, height] of [
      [300, 600],
      [640, 298],
    ] as const) {
      await view.page.setViewportSize({ width, height });
      await view.page.getByRole('textbox', { name: 'Message', exact: true }).fill('word\n'.repeat(60));
      await view.painted();
      assert.ok(await isInside('.send'), `${width} × ${height}`);
    }
  });

  it('never shows "Jump to latest" over the header', async () => {
    // Until the conversation is rendered, the page scrolls to its end.
    await view.painted();
    await view.page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
    const jump = view.page.getByRole('button', { name: 'Jump to latest' });
    await jump.waitFor();
    for (const height of [600, 400, 345, 260, 200]) {
      await view.page.setViewportSize({ width: 300, height });
      await view.happen({ type: 'disconnected', failure: { code: 'agent.exited', detail: 'x\n'.repeat(30) } });
      await view.painted();
      const isOver = await view.page.evaluate(() => {
        const header = document.querySelector('.header')!.getBoundingClientRect();
        return Array.from({ length: 40 }, (_, step) => document.elementFromPoint((innerWidth * step) / 40, header.bottom - 4)).some(
          (element) => element?.closest('.jump'),
        );
      });
      assert.equal(isOver, false, `${height} px`);
    }
  });

  it('fits three options into a footer of two rows', async () => {
    await view.page.setViewportSize({ width: 300, height: 600 });
    await view.painted();
    const tops = await view.page
      .locator('.composer-bar > *')
      .evaluateAll((elements) => [...new Set(elements.map((element) => Math.round(element.getBoundingClientRect().top / 8)))].length);
    assert.ok(tops <= 2, `${tops} rows`);
    for (const button of await view.page.locator('.composer-bar .option:not(.permission-mode)').all()) {
      assert.ok((await button.boundingBox())!.width >= 40);
    }
  });

  it('shows the whole path of a file before the user allows its change', async () => {
    const path = `${FOLDER}/docs/really/deep/folder/config.production.md`;
    await view.page.setViewportSize({ width: 290, height: 700 });
    await view.happen(
      { type: 'session_opened', agentName: 'Fake', cwd: FOLDER },
      ...asked({ call: { title: 'Write', kind: 'edit', content: [toolDiff(path, null, '# Later\n')] } }),
    );
    const link = view.page.locator('.tool-asked .diff-path');
    await link.waitFor();
    await view.painted();
    assert.equal(await link.innerText(), 'docs/really/deep/folder/config.production.md');
    assert.ok(await link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'it is cut off');
    const [bar, page] = await Promise.all(['.tool-asked .diff-bar', '.scroller'].map((each) => view.page.locator(each).boundingBox()));
    assert.ok(bar!.x + bar!.width <= page!.x + page!.width);
    await keepPicture(view.page, `${root}/test-results/narrow-request.png`);
  });
});
