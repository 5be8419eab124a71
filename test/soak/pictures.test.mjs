// Pictures for people, under test-results/pictures/: the Sessions view and the Chat view at 300, 420 and 900 px in four themes. They are
// empty, have sessions in every state, or show search results. The test itself checks that no row and no button leaves its view.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { results } from '../harness/lib/paths.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { openWorkspace, theStage } from '../e2e/stage.mjs';
import { storeOf } from './recorded.mjs';

const themes = ['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'];
/** The themes' names in the setting. */
const settingOf = { 'Dark High Contrast': 'Default High Contrast', 'Light High Contrast': 'Default High Contrast Light' };
const widths = [300, 420, 900];
const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };

describe('pictures of the side bars', function () {
  this.timeout(600_000);
  let window;
  let neighbour;
  let userSettings;
  const view = '.part.sidebar';
  const chat = '.part.auxiliarybar';

  before(async () => {
    const agents = { Heron: scripted(resumes, 'pictures-heron'), 'An agent with quite a long name': scripted(resumes, 'pictures-long') };
    userSettings = { 'acpHost.agents': agents, 'acpHost.chat.location': 'sideBar', 'acpHost.permissions.present': 'card' };
    ({ window } = await openWorkspace({
      userSettings,
      prepare: async (workspace) => {
        const { dir } = await theStage();
        rmSync(storeOf(dir), { recursive: true, force: true, maxRetries: 5 });
        return workspace;
      },
    }));
    ({ neighbour } = await theStage());
    await window.page.setViewportSize({ width: 1400, height: 860 });
    await window.command('ACP Host: Focus on Sessions View');
    await window.command('ACP Host: Focus on Chat View');
  });
  after(() => window.page.setViewportSize({ width: 1400, height: 900 }));

  /** Drags the edge of a side bar until it has this width in px. */
  async function widen(part, width) {
    const isLeft = part === view;
    await until(`${part} to be ${width} wide`, async () => {
      const box = await window.page.locator(part).boundingBox();
      if (Math.abs(box.width - width) < 3) return true;
      // The sash is between the parts, a few pixels off.
      const sashes = await window.page
        .locator('.monaco-sash.vertical:not(.disabled)')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x + each.getBoundingClientRect().width / 2));
      const edge = isLeft ? box.x + box.width : box.x;
      const from = sashes.sort((a, b) => Math.abs(a - edge) - Math.abs(b - edge))[0];
      const to = isLeft ? from + width - box.width : from - (width - box.width);
      await window.page.mouse.move(from, 400);
      await window.page.mouse.down();
      await window.page.mouse.move((from + to) / 2, 400);
      await window.page.mouse.move(to, 400);
      await window.page.mouse.up();
      return false;
    });
  }

  async function pictures(name) {
    for (const theme of themes) {
      await neighbour.settings({ ...userSettings, 'workbench.colorTheme': settingOf[theme] ?? theme });
      await until('the theme', async () => (await window.page.locator('.monaco-workbench').getAttribute('class')).includes(classOf(theme)));
      for (const width of widths) {
        for (const part of [view, chat]) {
          await widen(part === view ? chat : view, 300);
          await widen(part, width);
          await window.page.waitForTimeout(300);
          await window.page.mouse.move(700, 850);
          const what = part === view ? 'sessions' : 'chat';
          await window.page
            .locator(part)
            .screenshot({ path: join(results, 'pictures', `${name}-${what}-${width}-${theme.replaceAll(' ', '-')}.png`) });
          if (part === chat) await fits();
        }
      }
    }
  }

  /** Starts a session in the existing page. */
  async function newSession(agent) {
    await window.command('ACP: New Session');
    await window.pickRow(agent);
    await window.panel();
    const conversation = new Conversation(window);
    await until(
      `an empty session of ${agent}`,
      async () => (await conversation.log.innerText()) === '' && (await conversation.composer.getAttribute('placeholder')).includes(agent),
    );
    return conversation;
  }

  const classOf = (theme) =>
    ({ 'Dark Modern': 'vs-dark', 'Light Modern': 'vs ', 'Dark High Contrast': 'hc-black', 'Light High Contrast': 'hc-light' })[theme];

  /** Asserts that nothing in the chat is wider than the chat. */
  async function fits() {
    const over = await window
      .frame()
      .locator('body')
      .evaluate((body) => body.ownerDocument.documentElement.scrollWidth - body.ownerDocument.documentElement.clientWidth);
    assert.ok(over <= 1, `the chat is ${over} px wider than its view`);
  }

  it('without a session', async () => {
    await window.page.locator(view).getByRole('button', { name: 'New Session' }).first().waitFor();
    await pictures('welcome');
  });

  it('with sessions in every state', async () => {
    const finished = await newSession('Heron');
    await finished.prompt(
      `Count the files of the till and say what each is for ${script({ say: 'There are **four** files.\n\n| file | for |\n|---|---|\n| calc.js | sums |\n' })}`,
    );
    await finished.turnEnd();
    const working = await newSession('An agent with quite a long name');
    await working.prompt(`Take your time with a title that is longer than any side bar is wide ${script({ waitCancel: true })}`);
    const failing = await newSession('Heron');
    await failing.prompt(`Fail ${script({ error: { code: -32603, message: 'It broke' } })}`);
    await failing.turnEnd();
    const asking = await newSession('Heron');
    const toolCall = {
      toolCallId: 'ask',
      title: 'Run the build',
      kind: 'execute',
      rawInput: { command: 'make all --with-a-flag-that-is-long=yes' },
    };
    await asking.prompt(`Build it ${script({ say: 'I need to run a command first.' }, { permission: { toolCall } })}`);
    await asking.permission('Run the build').first().waitFor();
    await until('the rows', async () => (await window.page.locator(`${view} .monaco-list-row`).count()) >= 7);
    await pictures('sessions');
  });

  it('with search results', async () => {
    await window.command('ACP: Search Sessions…');
    await window.page.locator('.quick-input-widget:visible input').first().fill('files');
    await window.page.locator(quickRows).filter({ hasText: 'four' }).first().waitFor();
    await window.page.screenshot({ path: join(results, 'pictures', 'search.png') });
    await window.dismiss();
    await neighbour.endSessions();
    await neighbour.settings({ 'workbench.colorTheme': null });
  });
});
