/**
 * Pictures for people, under test-results/composerPictures/: the message box and each of its popups at 300, 420 and 900 px in four themes.
 * The test itself checks that nothing leaves the page. Neither the gate nor VS Code runs it:
 *
 *   node esbuild.mjs --playground
 *   ACP_HOST_PLAYGROUND=built npx mocha --timeout 120000 --require ./test/support/tsx.cjs test/soak/composerPictures.test.ts
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Mention } from '../../src/core/mentions/mention';
import type { EventInput } from '../../src/core/model/event';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import { type View, eachInItsOwnView, keepPicture, root } from '../browser/support/view';
import { initialized, message as said } from '../support/events';

const THEMES = ['dark', 'light', 'hc', 'hc-light'];
const WIDTHS = [300, 420, 900];
const HEIGHT = 640;

const select = (configId: string, name: string, category: string, names: readonly string[], description?: string) => ({
  type: 'select' as const,
  configId,
  name,
  category,
  currentValue: names[0]!,
  groups: [{ name: '', choices: names.map((each) => ({ value: each, name: each, ...(description !== undefined && { description }) })) }],
});
const models = ['Sonnet 5.5', 'Opus 5.1', 'Haiku 5', ...Array.from({ length: 12 }, (_, index) => `A model with a long name ${index}`)];
const setUp: EventInput[] = [
  initialized({ promptCapabilities: { image: true, audio: true, embeddedContext: true }, offers: { ...NO_CAPABILITIES, steer: true } }),
  {
    type: 'config_options',
    options: [
      select('mode', 'Mode', 'mode', ['Ask', 'Plan', 'Code'], 'Asks before each change'),
      select('model', 'Model', 'model', models, 'For everyday work, quick and thorough'),
      { type: 'boolean', configId: 'fast', name: 'Fast mode', currentValue: true },
    ],
  },
  {
    type: 'available_commands',
    commands: [
      { name: 'review', description: 'Reviews what has changed since the last commit, file by file', inputHint: 'what to look at' },
      { name: 'plan', description: 'Makes a plan' },
      { name: 'compact', description: 'Summarizes the conversation' },
    ],
  },
  said('Why is the total of the basket wrong?', 'a', 'user'),
  said('Because `add` subtracts. I can fix it.', 'b'),
];
const usage = (used: number): EventInput => ({
  type: 'usage',
  usage: { used, size: 200_000, cost: { amount: used / 100_000, currency: 'USD' } },
});
const mention = (name: string, ref: Mention['ref']): Mention => ({ type: 'mention', token: `@${name}`, name, about: `src/${name}`, ref });
const fileMention = (name: string): Mention => mention(name, { kind: 'file', uri: `file:///home/ada/sample/src/${name}` });
const queued = (queueId: string, text: string): EventInput => ({
  type: 'message_queued',
  queueId,
  content: [
    { type: 'text', text },
    { type: 'resource_link', uri: `file:///w/${queueId}.ts`, name: `${queueId}.ts` },
  ],
  size: 9,
});

describe('pictures of the message box', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'composerPictures');
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    mkdirSync(folder, { recursive: true });
    await view.page.setViewportSize({ width: 900, height: HEIGHT });
    await view.happen(...setUp, usage(120_000));
    await view.send({
      type: 'page',
      folderName: 'sample',
      multiRoot: false,
      preferences: { recentCommands: ['plan'], favorites: { model: ['Opus 5.1', 'A model with a long name 7'] } },
    });
    await view.whole();
    await box().focus();
  });

  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const press = (key: string) => view.page.keyboard.press(key);
  const type = (text: string) => view.page.keyboard.type(text);

  /**
   * Takes pictures of the current scene, in all themes and widths.
   * @param places the elements that must be on the page completely
   */
  async function take(scene: string, ...places: string[]): Promise<void> {
    for (const width of WIDTHS) {
      await view.page.setViewportSize({ width, height: HEIGHT });
      for (const theme of THEMES) {
        await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
        await view.painted();
        await keepPicture(view.page, path.join(folder, `${scene}-${width}-${theme}.png`));
      }
      const wide = await view.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${scene} is ${wide} px wide at ${width}`);
      for (const place of ['.composer-box', ...places]) {
        const rectangle = await view.page.locator(place).first().boundingBox();
        const { x, y, width: across, height } = rectangle ?? assert.fail(`${scene}: no ${place}`);
        assert.ok(x >= 0 && y >= 0 && x + across <= width + 0.5 && y + height <= HEIGHT + 0.5, `${place} of ${scene} at ${width}`);
      }
    }
  }

  it('mentions', async () => {
    await type('Look at @');
    await view.page.getByRole('option').first().waitFor();
    await press('ArrowDown');
    await take('mentions', '.suggestions');
  });

  it('commands', async () => {
    await type('/');
    await view.page.getByRole('option').first().waitFor();
    await take('commands', '.suggestions');
  });

  it('a command’s argument', async () => {
    await type('/review');
    await press('Tab');
    await take('argument');
  });

  it('options', async () => {
    await view.page.getByRole('combobox', { name: 'Model', exact: true }).press('Enter');
    await view.page.getByRole('combobox', { name: 'Filter' }).waitFor();
    await take('options', '.option-popup');
  });

  it('modes', async () => {
    await view.page.getByRole('combobox', { name: 'Mode', exact: true }).press('Enter');
    await view.page.getByRole('listbox', { name: 'Mode' }).waitFor();
    await take('modes', '.option-popup');
  });

  it('the context meter', async () => {
    const turns = [40_000, 150_000, 184_000].flatMap((used, index): EventInput[] => [
      { type: 'turn_started', turnId: `t${index}` },
      said('More', `u${index}`, 'user'),
      usage(used),
      { type: 'turn_usage', usage: { input: used, output: 1200, total: used + 1200 } },
      { type: 'turn_ended', turnId: `t${index}`, stopReason: 'end_turn' },
    ]);
    await view.happen(...turns);
    await view.page.getByRole('button', { name: /^Context: / }).press('Enter');
    await view.page.getByRole('group', { name: 'Usage' }).waitFor();
    await take('meter', '.usage-details');
  });

  it('the queue, with its Send Now', async () => {
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      said('Go on', 't', 'user'),
      queued('one', 'Then add a test for it, and for what happens with an empty basket'),
      queued('two', 'And say so in the changelog'),
    );
    await view.page.getByRole('button', { name: 'Send Now' }).first().press('Enter');
    await view.page.getByRole('menuitem').first().waitFor();
    await take('queue', '.menu-popup');
  });

  it('the send menu', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' }, said('Go on', 't', 'user'));
    await type('Look left first');
    await view.page.getByRole('button', { name: 'Send Options' }).press('Enter');
    await view.page.getByRole('menuitem').first().waitFor();
    await take('send', '.menu-popup');
  });

  it('chips', async () => {
    await view.send({ type: 'live_context', mentions: [{ context: 'activeFile', mention: fileMention('active.ts') }] });
    await view.send({
      type: 'attach',
      blocks: [
        fileMention('calc.ts'),
        { ...fileMention('a-file-with-a-very-long-name-that-does-not-fit.component.test.ts') },
        mention('src/', { kind: 'folder', uri: 'file:///home/ada/sample/src' }),
        mention('changes', { kind: 'changes', uri: 'file:///home/ada/sample' }),
        mention('https://example.com/x', { kind: 'url', uri: 'https://example.com/x' }),
        { type: 'image', data: 'AQID', mimeType: 'image/png', uri: 'file:///home/ada/shot.png' },
      ],
    });
    await type('and why?');
    await take('chips');
  });

  it('a long pasted text', async () => {
    await type('Sum up: ');
    await box().evaluate((area) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n'));
      area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    });
    await view.page.getByRole('button', { name: /^Pasted text, 60 lines/ }).waitFor();
    await take('pasted');
  });

  it('dragged files, and one that is too large', async () => {
    await box().evaluate((area) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.txt'));
      area.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }));
    });
    await view.page.locator('.composer-hint').getByText('Hold Shift to drop files here').waitFor();
    await take('drag', '.composer-hint');
    await box().evaluate((area) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(
        new File(['x'.repeat(300 * 1024)], 'a-text-with-a-long-name-about-the-whole-screen.txt', { type: 'text/plain' }),
      );
      area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    });
    await view.page
      .locator('.composer-hint')
      .getByText(/too large/)
      .waitFor();
    await take('refused', '.composer-hint');
  });

  it('an earlier message in the box', async () => {
    await view.page.getByRole('button', { name: 'Message Actions…' }).first().press('Enter');
    await press('Enter');
    await view.page.getByRole('group', { name: 'Editing an earlier message' }).waitFor();
    await take('edit', '.edit-bar');
  });
});
