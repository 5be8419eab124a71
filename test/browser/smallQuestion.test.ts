/** A waiting request and the message box's buttons in small pages. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { chunk, initialized, message, toolCall, permissionRequest } from '../support/events';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';

const select = (configId: string, name: string, value: string) => ({
  type: 'select' as const,
  configId,
  name,
  category: configId,
  currentValue: value,
  groups: [{ choices: [{ value, name: value }] }],
});
const toggle = (configId: string, name: string) => ({ type: 'boolean' as const, configId, name, currentValue: false });
const footer = [
  {
    type: 'config_options',
    options: [
      select('mode', 'Mode', 'Ask before edits'),
      select('model', 'Model', 'Default (recommended)'),
      toggle('fast', 'Fast mode'),
      toggle('ultra', 'Ultracode'),
      select('effort', 'Effort', 'Effort: Default'),
    ],
  },
  { type: 'usage', usage: { used: 1100, size: 1_000_000, cost: { amount: 0.254, currency: 'USD' } } },
] as unknown as EventInput[];
const command = `touch ran.txt && ${Array.from({ length: 12 }, (_, part) => `rm -rf build/part-${part}`).join(' && ')}`;
const question = [
  toolCall('c', { status: 'pending', title: 'Remove the built parts', kind: 'execute' }),
  permissionRequest('c', 'Remove the built parts', {
    subject: { toolCallId: 'c', command },
    options: [
      { optionId: 'y', name: 'Yes', kind: 'allow_once' },
      { optionId: 'a', name: "Yes, and don't ask again for touch ran.txt and rm -rf build commands", kind: 'allow_always' },
      { optionId: 'd', name: 'Switch to Default Mode and allow once (recommended)', kind: 'allow_once' },
      { optionId: 'n', name: 'No', kind: 'reject_once' },
    ],
  }),
] as EventInput[];

describe('a small page with a waiting request', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const start = async (width: number, height: number) => {
    await view.tame();
    await view.page.setViewportSize({ width, height });
    await view.happen(initialized(), { type: 'session_ready', sessionId: 's' }, ...footer, message('go', 'u', 'user'));
    await view.happen({ type: 'turn_started', turnId: 't' }, chunk(Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join('\n\n')));
    await view.painted();
  };

  for (const [width, height] of [
    [640, 400],
    [583, 298],
    [300, 700],
    [320, 600],
    [243, 600],
    [200, 298],
    [170, 298],
  ] as const) {
    it(`shows Stop and Send at ${width} × ${height}, and options that can be read`, async () => {
      await start(width, height);
      await view.page.getByRole('textbox', { name: 'Message', exact: true }).fill('word');
      await view.painted();
      await keepPicture(view.page, `${root}/test-results/small-bar-${width}.png`);
      const outside = await view.page.locator('.composer-end > *').evaluateAll((all) =>
        all
          .filter((each) => {
            const { left, right, bottom } = each.getBoundingClientRect();
            const box = document.querySelector('.composer-box')!.getBoundingClientRect();
            return left < box.left || right > box.right || bottom > innerHeight;
          })
          .map((each) => each.className),
      );
      assert.deepEqual(outside, []);
      assert.equal(await view.page.locator('.composer-end > .send').count(), 2);
      for (const option of await view.page.locator('.composer-bar .option:not(.permission-mode)').all()) {
        assert.ok((await option.boundingBox())!.width >= 60, await option.innerText());
      }
    });

    it(`shows the heading, the command and the answers at ${width} × ${height}, and after the focus`, async () => {
      await start(width, height);
      await view.happen(...question);
      await view.page.locator('.tool-asked .question-foot').waitFor();
      await view.painted();
      await keepPicture(view.page, `${root}/test-results/small-question-${width}.png`);
      assert.deepEqual(await covered(), []);
      await view.page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
      await view.send({ type: 'focus', target: 'permission' });
      await view.page.waitForFunction(() => document.activeElement?.closest('.tool-asked'));
      await view.painted();
      await keepPicture(view.page, `${root}/test-results/small-focus-${width}.png`);
      assert.deepEqual(await covered(), []);
    });
  }

  const changes = {
    type: 'pending_changes',
    changes: { files: [{ path: '/w/beta.txt', operation: 'add', added: 1, removed: 0 }], added: 1, removed: 0 },
  } as EventInput;
  const server = [
    toolCall('m', { status: 'pending', title: 'mcp.wstwo.shout', kind: 'execute', rawInput: { server: 'wstwo', tool: 'shout' } }),
    permissionRequest('m', 'mcp.wstwo.shout', {
      subject: { toolCallId: 'm' },
      options: [
        { optionId: 'y', name: 'Allow', kind: 'allow_once' },
        { optionId: 's', name: 'Allow for this session', kind: 'allow_always' },
        { optionId: 'a', name: 'Always allow', kind: 'allow_always' },
        { optionId: 'n', name: 'Cancel', kind: 'reject_once' },
      ],
    }),
  ] as EventInput[];
  const short = [
    toolCall('c', { status: 'pending', title: 'Run command', kind: 'execute' }),
    permissionRequest('c', 'Run command', { subject: { toolCallId: 'c', command: 'echo alpha && touch beta.txt' } }),
  ] as EventInput[];

  for (const [width, height] of [
    [583, 298],
    [291, 298],
    [215, 560],
    [640, 400],
  ] as const) {
    for (const [name, events, part] of [
      ['command', short, '.subject-command'],
      ['arguments', server, '.tool-body .values, .tool-body .raw-text'],
    ] as const) {
      it(`shows the ${name} and all answers at ${width} × ${height} while changes wait`, async () => {
        await start(width, height);
        await view.happen(changes);
        await view.page.getByRole('button', { name: /1 file changed/ }).click();
        await view.page.getByRole('textbox', { name: 'Message', exact: true }).focus();
        await view.happen(...events);
        await view.page.locator('.tool-asked .question-foot').waitFor();
        await view.painted();
        await keepPicture(view.page, `${root}/test-results/small-changes-${name}-${width}.png`);
        const boxes = await view.page.evaluate((selector) => {
          const card = document.querySelector('.tool-asked')!;
          const rect = (element: Element) => element.getBoundingClientRect();
          const options = rect(card.querySelector('.options')!);
          const shown = rect(card.querySelector(selector)!);
          const log = rect(document.querySelector('.scroller')!);
          return {
            above: Math.round(Math.min(options.top, log.bottom) - Math.max(shown.top, log.top)),
            hidden: [...card.querySelectorAll('.options > .button')].filter((button) => {
              const { left, top, bottom } = rect(button);
              return (
                !button.contains(document.elementFromPoint(left + 8, top + 4)) ||
                !button.contains(document.elementFromPoint(left + 8, bottom - 4))
              );
            }).length,
            free: Math.round(log.bottom - rect(card).bottom),
          };
        }, part);
        // Four long answers scroll in the smallest page.
        assert.ok(boxes.hidden <= (width < 300 && height < 300 ? 2 : 0), JSON.stringify(boxes));
        assert.ok(boxes.above >= 22, JSON.stringify(boxes));
      });
    }
  }

  /** The parts of the card whose first line is not in sight. */
  const covered = () =>
    view.page.evaluate(() =>
      ['.tool-title', '.subject-command', '.options', '.options > .button'].filter((selector) => {
        const part = document.querySelector(`.tool-asked ${selector}`)!;
        const { left, top } = part.getBoundingClientRect();
        return [3, 16].some((below) => {
          const at = document.elementFromPoint(left + 20, top + below);
          return !(at && part.contains(at));
        });
      }),
    );
});
