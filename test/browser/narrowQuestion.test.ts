/** A waiting request with a long command, four answers and risks, in narrow and low pages. Pictures go to test-results/narrow-question/. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import type { EventInput } from '../../src/core/model/event';
import { chunk, initialized, message, notice, permissionRequest, toolCall } from '../support/events';
import { eachInItsOwnView, keepPicture, root, type View } from './support/view';

const PICTURES = `${root}/test-results/narrow-question`;
const COMMAND = `touch ran.txt && ${Array.from({ length: 12 }, (_, part) => `rm -rf build/part-${part}`).join(' && ')}`;
const OPTIONS = [
  { optionId: 'y', name: 'Yes', kind: 'allow_once' },
  { optionId: 's', name: 'Yes, allow all edits during this session', kind: 'allow_always' },
  { optionId: 'a', name: "Yes, and don't ask again for touch ran.txt and rm -rf build commands in /home/ada/sample", kind: 'allow_always' },
  { optionId: 'n', name: 'No, and tell the agent what to do differently', kind: 'reject_once' },
];
const SHORT = [OPTIONS[0]!, { optionId: 'n', name: 'No', kind: 'reject_once' }];
const config = ['Mode', 'Model', 'Effort'].map((name) => ({
  type: 'select',
  configId: name,
  name,
  category: name.toLowerCase(),
  currentValue: 'x',
  groups: [{ choices: [{ value: 'x', name: `${name}: Default` }] }],
}));

const warning = (index: number) =>
  notice(
    `${index}`,
    'warning',
    `MCP server "files-${index}" failed to start`,
    'Its tools are unavailable in this session. Run /mcp for the error.',
  );

describe('a request with four long answers in a narrow page', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  before(() => mkdir(PICTURES, { recursive: true }));

  const ask = async (
    width: number,
    height: number,
    own: boolean,
    { options = OPTIONS, command = COMMAND, notices = 0 } = {},
  ): Promise<void> => {
    await view.tame();
    await view.page.setViewportSize({ width, height });
    await view.happen(initialized(), { type: 'session_ready', sessionId: 's' }, {
      type: 'config_options',
      options: config,
    } as unknown as EventInput);
    await view.happen(message('Clean the build', 'u', 'user'), { type: 'turn_started', turnId: 't' });
    await view.happen(chunk(Array.from({ length: 40 }, (_, line) => `Line ${line}.`).join('\n\n')));
    await view.happen({ type: 'pending_changes', changes: { files: [{ path: '/w/a', operation: 'modify' }], added: 1, removed: 0 } });
    for (let index = 0; index < notices; index++) {
      await view.happen(warning(index));
    }
    await view.painted();
    await view.happen(
      ...(own ? [] : [toolCall('c', { status: 'pending', title: 'Remove the built parts of the project', kind: 'execute' })]),
      permissionRequest('c', 'Remove the built parts of the project', {
        subject: { ...(!own && { toolCallId: 'c' }), command, cwd: '/home/ada/sample' },
        options,
      }),
    );
    await view.happen({ type: 'permission_advised', permissionId: 'c', advice: { risks: ['network', 'deletes', 'administrator'] } });
    await view.page.locator('.advice-risks').waitFor();
    await view.painted();
  };

  /** Px of the command in sight, and the names of the answers of which a part is covered. */
  const sight = () =>
    view.page.evaluate(() => {
      const card = document.querySelector('.tool-asked, .permission-waiting')!;
      const rows = (element: Element): number => {
        const { left, top, bottom } = element.getBoundingClientRect();
        let seen = 0;
        for (let at = Math.ceil(top); at < bottom; at++) {
          seen += element.contains(document.elementFromPoint(left + 12, at)) ? 1 : 0;
        }
        return seen;
      };
      const title = card.querySelector('.tool-title, .permission-title')!;
      return {
        command: rows(card.querySelector('.subject-command')!),
        line: Number.parseFloat(getComputedStyle(card.querySelector('.subject-command')!).lineHeight),
        title: rows(title),
        covered: [...card.querySelectorAll('.options > .button')]
          .filter((button) => rows(button) < button.getBoundingClientRect().height - 2)
          .map((button) => button.textContent),
      };
    });

  for (const own of [false, true]) {
    for (const [width, height] of [
      [280, 480],
      [280, 560],
      [290, 520],
      [300, 560],
      [340, 600],
      [400, 480],
      [640, 400],
    ] as const) {
      it(`shows the title, two lines of the command and all answers at ${width} × ${height}${own ? ', on a card of its own' : ''}`, async () => {
        await ask(width, height, own);
        await keepPicture(view.page, `${PICTURES}/${own ? 'own-' : ''}${width}-${height}.png`);
        const { command, line, title, covered } = await sight();
        assert.deepEqual(covered, [], JSON.stringify({ command, line, title }));
        assert.ok(command >= 2 * line, `${command} of ${line}`);
        assert.ok(title >= 14, `${title}`);
      });
    }
  }

  it('covers no answer with the button for the end when a warning comes after the request', async () => {
    await ask(289, 454, true, { options: SHORT, command: COMMAND.repeat(3) });
    await view.happen(warning(0));
    await view.painted();
    await view.page.locator('.permission-waiting').focus();
    await view.page.locator('.permission-waiting').evaluate((card) => card.scrollIntoView({ block: 'end' }));
    await view.painted();
    await keepPicture(view.page, `${PICTURES}/warned-later.png`);
    assert.deepEqual((await sight()).covered, []);
  });

  for (const own of [false, true]) {
    for (const [answers, options] of [
      ['two', SHORT],
      ['four long', OPTIONS],
    ] as const) {
      for (const [width, height, notices] of [
        [289, 454, 1],
        [289, 454, 3],
        [400, 480, 1],
        [640, 400, 1],
      ] as const) {
        const place = `${width} × ${height}${own ? ', on a card of its own' : ''}`;
        it(`shows ${answers} answers beside ${notices} warnings and each hint at ${place}`, async () => {
          const picture = (name: string) =>
            keepPicture(view.page, `${PICTURES}/${own ? 'own-' : ''}${options.length}-${width}-${height}-warnings-${notices}-${name}.png`);
          await ask(width, height, own, { options, notices, command: COMMAND.repeat(3) });
          await view.painted();
          await picture('before');
          const { command, line, covered } = await sight();
          assert.deepEqual(covered, []);
          assert.ok(command >= 2 * line, `${command} of ${line}`);
          const banner = (await view.page.locator('.toasts').boundingBox())?.height ?? 0;
          assert.ok(options === SHORT ? banner > 20 && banner <= 36 : banner === 0, `${banner} px of warnings`);
          const hint = view.page.locator('.options-hint');
          const rest = view.page.locator('.question-rest');

          await view.page.locator('.composer textarea, .composer [contenteditable]').first().focus();
          await view.page.keyboard.press('Escape');
          await hint.getByText('Press Escape again to reject.').waitFor();
          await view.painted();
          await picture('escape');
          assert.deepEqual((await sight()).covered, []);
          assert.equal(await rest.isVisible(), width > 480);

          await view.page.waitForTimeout(600);
          await view.page.keyboard.press('1');
          await hint.getByText('This is the end of the command').waitFor();
          await view.painted();
          await picture('end');
          assert.deepEqual((await sight()).covered, []);
          assert.equal(await rest.isVisible(), false);
        });
      }
    }
  }
});
