/** All boxes above the message box at once, in small pages. Pictures go to test-results/crowded/. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { commentsUri } from '../../src/core/model/attachment';
import type { EventInput } from '../../src/core/model/event';
import { chunk, message, notice } from '../support/events';
import { eachInItsOwnView, keepPicture, root, type View } from './support/view';

const FOLDER = '/home/ada/sample';
const folder = path.join(root, 'test-results', 'crowded');

const option = (configId: string, name: string, value: string) => ({
  type: 'select' as const,
  configId,
  name,
  category: configId,
  currentValue: value,
  groups: [{ choices: [{ value, name: value }] }],
});
const crowd = [
  message('go', 'u', 'user'),
  { type: 'turn_started', turnId: 't' },
  { type: 'config_options', options: [option('mode', 'Mode', 'Ask before edits'), option('model', 'Model', 'Opus 4.5 (1M context)')] },
  chunk(Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join('\n\n')),
  { type: 'plan_update', planId: 'p', plan: { type: 'items', entries: steps() } },
  { type: 'background_task', taskId: 'b', patch: { name: 'Dev server', canStop: true, summary: 'It listens.' } },
  ...['one', 'two'].map((queueId) => ({ type: 'message_queued', queueId, content: [{ type: 'text', text: queueId }], size: 3 })),
  {
    type: 'pending_changes',
    changes: {
      files: Array.from({ length: 5 }, (_, file) => ({ path: `${FOLDER}/src/${file}.ts`, operation: 'modify', added: 7, removed: 2 })),
      added: 9,
      removed: 4,
    },
  },
  {
    type: 'change_report',
    files: Array.from({ length: 4 }, (_, file) => ({ path: `${FOLDER}/src/reported${file}.ts`, undone: 1 })),
  },
  notice('warning', 'warning', 'The index is old', 'It is from last week.'),
] as unknown as EventInput[];

function steps() {
  return Array.from({ length: 6 }, (_, step) => ({ content: `Step ${step}`, priority: 'low', status: 'pending' }));
}

describe('a page with all boxes at once', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  before(() => mkdirSync(folder, { recursive: true }));
  beforeEach(async () => {
    await view.tame();
    await view.happen(...crowd);
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts' }] });
    await view.send({ type: 'attach', blocks: [{ type: 'resource', uri: commentsUri('c', [1, 2]), text: 'Two comments' }] });
    await view.page.getByRole('list', { name: 'Queued messages' }).waitFor();
    await view.page.getByRole('group', { name: 'Changes to review' }).waitFor();
    await view.page.getByRole('group', { name: 'Background tasks' }).waitFor();
    await view.page.locator('.dock .plan').waitFor();
    await view.page.evaluate(() =>
      document.querySelectorAll<HTMLElement>('.dock-boxes [aria-expanded=false]').forEach((button) => button.click()),
    );
    await view.page.getByRole('region', { name: 'Notifications' }).waitFor();
    await view.painted();
  });

  const boxOf = async (selector: string) => (await view.page.locator(selector).first().boundingBox())!;
  /** The message box, its text and its buttons are in the page, and no other element covers them. */
  const hidden = () =>
    view.page.evaluate(() =>
      ['.header', '.composer-box', '.composer-text', '.composer-bar', '.composer-end > .send:last-child', '.composer .attachments'].filter(
        (selector) => {
          const element = document.querySelector(selector)!;
          const { top, bottom, left, right } = element.getBoundingClientRect();
          const isInside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
          const at = document.elementFromPoint((left + right) / 2, bottom - 3);
          return !isInside || !(element.contains(at) || at?.contains(element));
        },
      ),
    );

  for (const [width, height, least] of [
    [900, 640, 140],
    [640, 400, 70],
    [640, 297, 36],
    [300, 640, 110],
    [300, 400, 50],
    [300, 297, 24],
  ] as const) {
    it(`shows the whole message box and a part of the rest at ${width} × ${height}`, async () => {
      await view.page.setViewportSize({ width, height });
      await view.page.getByRole('textbox', { name: 'Message', exact: true }).fill('word\n'.repeat(20));
      await view.painted();
      await keepPicture(view.page, path.join(folder, `${width}x${height}.png`));
      assert.deepEqual(await hidden(), []);
      assert.ok((await boxOf('.scroller')).height >= least, `the conversation has ${(await boxOf('.scroller')).height} px`);
      assert.ok((await boxOf('.dock-boxes')).height >= least, `the boxes have ${(await boxOf('.dock-boxes')).height} px`);
      assert.equal(await view.page.evaluate(() => document.documentElement.scrollHeight), height);
    });
  }

  it('reaches each box by the keyboard', async () => {
    await view.page.setViewportSize({ width: 640, height: 297 });
    for (const name of ['Remove', 'Keep', 'Stop Dev server']) {
      const button = view.page.locator('.dock-boxes').getByRole('button', { name, exact: true }).first();
      await button.focus();
      const [box, boxes] = [(await button.boundingBox())!, await boxOf('.dock-boxes')];
      assert.ok(box.y >= boxes.y - 1 && box.y + box.height <= boxes.y + boxes.height + 1, name);
    }
  });

  it('shrinks no box to nothing', async () => {
    await view.page.setViewportSize({ width: 300, height: 400 });
    await view.painted();
    const boxes = await view.page
      .locator('.dock-boxes > *')
      .evaluateAll((all) => all.map((each) => [each.className, each.getBoundingClientRect().height] as const));
    assert.ok(boxes.length >= 6, JSON.stringify(boxes));
    assert.deepEqual(
      boxes.filter(([, height]) => height < 24),
      [],
    );
  });

  it('gives the boxes what they need, and the rest to the conversation, in a high page', async () => {
    await view.page.setViewportSize({ width: 900, height: 1400 });
    await view.painted();
    assert.ok(await view.page.locator('.dock-boxes').evaluate(({ scrollHeight, clientHeight }) => scrollHeight === clientHeight));
    const [header, scroller, dock] = [await boxOf('.header'), await boxOf('.scroller'), await boxOf('.dock')];
    assert.ok(Math.abs(header.height + scroller.height + dock.height - 1400) < 1);
  });
});
