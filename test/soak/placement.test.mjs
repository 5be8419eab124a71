// The places of chats, for each `acpHost.chat.location`: every way to open one, every command, moving it between side bar, editor and
// window with its state, and moving the views themselves. Pictures go to test-results/placement/.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { chooseMenuItem } from '../harness/lib/see.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { results, root } from '../harness/lib/paths.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { clearWindow, openWorkspace, theStage } from '../e2e/stage.mjs';
import { chatIn, chatsIn, placesOf, sessionTabs } from './chats.mjs';
import { storeOf } from './recorded.mjs';

const capabilities = { agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {}, list: {} } } };
const stored = [{ sessionId: 'stored-1', title: 'Kept by the agent', updates: [] }];
const agents = {
  Talker: scripted({ initialize: capabilities, keeps: true, stored }, 'placement'),
  Other: scripted({ initialize: capabilities, keeps: true }, 'placement-other'),
};
/** The commands that end or move the session. */
const last = ['acpHost.openInNewWindow', 'acpHost.restartAgent', 'acpHost.endSession', 'acpHost.moveToSideBar', 'acpHost.moveToEditor'];
/** These commands show a chat elsewhere than the setting says. */
const places = {
  'acpHost.moveToSideBar': 'sideBar',
  'acpHost.moveToEditor': 'editor',
  'acpHost.openInNewWindow': 'editor',
  'acpHost.openSessionToSide': 'editor',
  'acpHost.openSessionToSideButton': 'editor',
};
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const ids = manifest.contributes.commands.map(({ command }) => command);

describe('places of chats', function () {
  this.timeout(600_000);
  let window;
  let neighbour;
  const picture = (name) => window.screenshot(`placement/${process.env.ACP_HOST_E2E_VSCODE || 'newest'}/${name}`);
  const tabs = () => window.page.locator('.part.editor .tabs-container').getByRole('tab').count();
  const quickInput = () => window.page.locator('.quick-input-widget:visible input').first();

  async function open(location, { afresh = false } = {}) {
    ({ window } = await openWorkspace({
      userSettings: { 'acpHost.agents': agents, 'acpHost.chat.location': location, 'acpHost.permissions.present': 'card' },
      prepare: async (workspace) => {
        const { dir } = await theStage();
        if (afresh) rmSync(storeOf(dir), { recursive: true, force: true, maxRetries: 5 });
        return workspace;
      },
    }));
    ({ neighbour } = await theStage());
  }
  /** Closes everything that shows a chat. */
  async function hideChats() {
    await neighbour.commands('workbench.action.closeAllEditors', 'workbench.view.explorer', 'workbench.action.closeAuxiliaryBar');
    await until('no chat on the screen', async () => (await chatsIn(window.page)).length === 0);
  }

  describe('the first chat', () => {
    before(() => open('sideBar', { afresh: true }));

    it('is an icon with both views and a welcome, whose buttons lead on @minimum', async () => {
      const icon = window.page.locator('.activitybar .action-item').filter({ has: window.page.locator('[aria-label^="ACP Host"]') });
      await icon.first().click();
      await window.page.locator('.sidebar').getByText('Chat with coding agents').first().waitFor();
      const side = window.page.locator('.sidebar');
      for (const name of ['New Session', 'Try the Demo Agent', 'Add Agent', 'Browse Agent History']) {
        assert.ok(
          await appears(side.getByRole('button', { name, exact: true }).or(side.getByRole('link', { name, exact: true })), 5000),
          `the welcome offers ${name}`,
        );
      }
      await window.command('ACP Host: Focus on Chat View');
      await until('the start page of the chat view', async () => {
        const frame = window.page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
        return (await frame.getByRole('button', { name: 'Try the Demo Agent' }).count()) === 1;
      });
      await picture('welcome');
      await window.page.locator('.sidebar').getByRole('button', { name: 'Try the Demo Agent', exact: true }).click();
      await until('the demo in the chat view', async () => (await placesOf(window.page)).join() === 'sideBar', { timeoutMs: 45_000 });
      await picture('demo');
      await clearWindow();
    });
  });

  for (const location of ['editor', 'sideBar']) {
    describe(location, () => {
      before(() => open(location, { afresh: true }));
      after(() => clearWindow());

      /** Asserts that the chat with `text` is here, and not elsewhere. */
      const isThere = async (name, text = '') => {
        await until(
          `${name}: the chat in the ${location}`,
          async () => (await placesOf(window.page)).join() === location && (await chatIn(window.page, text)) !== undefined,
          { timeoutMs: 30_000 },
        );
        return chatIn(window.page, text);
      };

      it('opens at the same place in every way @minimum', async () => {
        await newSession(window, 'Talker');
        const conversation = await isThere('the first');
        await conversation.prompt(`The otter session ${script({ say: 'An otter was here.' })}`);
        await until('the answer', async () => (await conversation.log.innerText()).split('An otter was here.').length === 3);
        await conversation.turnEnd();
        const otter = 'An otter was here.';
        const ways = {
          'the list of sessions': [otter, () => window.command('ACP: Open Session…').then(() => window.pickRow('The otter session'))],
          search: [
            otter,
            async () => {
              await window.command('ACP: Search Sessions…');
              await quickInput().fill('otter was');
              await window.pickRow(/otter/);
            },
          ],
          'the view': [
            otter,
            async () => {
              await window.command('ACP Host: Focus on Sessions View');
              await window.page.locator('.sidebar .monaco-list-row', { hasText: 'The otter session' }).first().click();
            },
          ],
          'the last agent': ['', () => window.page.keyboard.press('Control+Alt+n')],
          'another agent': ['', () => window.command('ACP: New Session With…').then(() => window.pickRow('Other'))],
          'the demo': ['', () => window.command('ACP: Try the Demo Agent')],
          'a folder': [
            '',
            async () => {
              await window.command('ACP: New Session in Folder…');
              await window.pickRow('Talker');
              await window.pickRow(/No Folder|Continue Without a Folder/);
            },
          ],
          'the agent’s history': [
            '',
            async () => {
              await window.command('ACP: Browse Agent History…');
              await window.pickRow('Talker');
              await window.pickRow('Kept by the agent');
            },
          ],
          'what needs the user': [
            'Ask first',
            async () => {
              await newSession(window, 'Other');
              const asking = await isThere('one that asks');
              const toolCall = { toolCallId: 'ask', title: 'Ask first', kind: 'execute', rawInput: { command: 'make' } };
              await asking.prompt(`Ask me ${script({ permission: { toolCall } })}`);
              await asking.permission('Ask first').first().waitFor();
              await hideChats();
              await window.page.keyboard.press('Control+Alt+j');
            },
          ],
          'the status bar': [
            'Ask first',
            () => window.page.locator('.statusbar-item[id="acp-host.acp-host.acpHost.sessions"]').locator('a').first().click(),
          ],
          'answering a request': ['Ask first', () => window.command('ACP: Answer Permission Request')],
        };
        for (const [name, [text, go]] of Object.entries(ways)) {
          await hideChats();
          await go();
          await isThere(name, text);
        }
        await picture(location);
        // A chat that continues elsewhere is a session of its own, in the same place.
        const asking = await isThere('the last', 'Ask first');
        await asking.answer('Ask first', 'Allow');
        await asking.turnEnd();
        for (const go of [
          () => window.command('ACP: Continue with Another Agent…').then(() => window.pickRow('Talker')),
          () => window.command('ACP: Fork Session'),
        ]) {
          await window.command('ACP: Open Session…');
          await window.pickRow('Ask me');
          await isThere('the one to go on from', 'Ask first');
          await go();
          await isThere('the next', 'conversation.md');
          if (location === 'editor') assert.ok((await sessionTabs()).length > 1);
        }
      });

      it('has every command, none of which fails or shows a chat elsewhere @minimum', async () => {
        await neighbour.endSessions();
        await hideChats();
        const failed = [];
        const startOver = async () => {
          await window.dismiss();
          await hideChats();
          await newSession(window, 'Talker');
        };
        await startOver();
        for (const id of [...ids.filter((each) => !last.includes(each)), ...last]) {
          // These commands get one session only: others would stay where they are.
          if (places[id]) await startOver();
          const problems = await tried(id, places[id] ?? location);
          failed.push(...problems.map((problem) => `${id}: ${problem}`));
          if (places[id] || problems.length > 0) await startOver();
        }
        assert.deepEqual(failed, []);
      });
    });
  }

  /**
   * Runs a command, answers its questions with Escape, and returns the problems.
   * @param place the place where a chat may be afterwards
   */
  async function tried(id, place) {
    let over = false;
    let error;
    const opened = [];
    const note = (page) => opened.push(page);
    window.page.context().on('page', note);
    void neighbour.commands(id).then(
      () => (over = true),
      (reason) => ([over, error] = [true, reason]),
    );
    for (const end = Date.now() + 15_000; !over && Date.now() < end; await wait(150)) await window.page.keyboard.press('Escape');
    const problems = [...(over ? [] : ['does not end']), ...(error ? [error.message.split('\n')[0]] : [])];
    await window.dismiss();
    const items = window.page.locator('.notification-list-item');
    const errors = await items.filter({ has: window.page.locator('.codicon-error') }).allInnerTexts();
    const odd = (await items.allInnerTexts()).filter((text) => /undefined|is not a function|Cannot read|not found/.test(text));
    // VS Code 1.100 shows no dialog under test, and reports that.
    problems.push(...[...new Set([...errors, ...odd])].filter((text) => !text.includes('refused to show dialog in tests')));
    const shown = async () => (await placesOf(window.page)).filter((each) => each !== place);
    // A chat that is still moving gets a moment.
    if ((await shown()).length > 0 && !(await eventually(async () => (await shown()).length === 0)))
      problems.push(`shows a chat in the ${(await shown()).join(' and the ')}`);
    window.page.context().off('page', note);
    for (const page of opened) await page.close();
    await neighbour.commands('notifications.clearAll');
    return problems;
  }

  async function eventually(ask) {
    for (const end = Date.now() + 3000; Date.now() < end; await wait(200)) if (await ask()) return true;
    return false;
  }

  describe('moving', () => {
    before(() => open('editor', { afresh: true }));
    beforeEach(async () => {
      await clearWindow();
      await hideChats();
    });

    it('keeps draft, position and expanded parts from an editor to a window, the side bar and back @minimum', async () => {
      let conversation = await newSession(window, 'Talker');
      const tool = {
        toolCallId: 'fold',
        title: 'Fold me',
        kind: 'search',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'what is inside the fold' } }],
      };
      await conversation.prompt(
        `Move about ${script({ say: `First.\n\n${'Words of it.\n\n'.repeat(60)}` }, { tool }, { say: `${'More words of it.\n\n'.repeat(60)}Last.` })}`,
      );
      await until('the answer', async () => (await conversation.log.innerText()).split('Last.').length === 3);
      await conversation.turnEnd();
      const header = ({ frame }) =>
        frame
          .getByRole('log')
          .getByRole('article', { name: /^Fold me/ })
          .first()
          .locator('[aria-expanded]')
          .first();
      await header(conversation).scrollIntoViewIfNeeded();
      await header(conversation).click();
      await until('it to be unfolded', async () => (await header(conversation).getAttribute('aria-expanded')) === 'true');
      await conversation.composer.fill('half a thought');
      await header(conversation).scrollIntoViewIfNeeded();
      const check = async (where) => {
        await until(`the draft ${where}`, async () => (await conversation.composer.inputValue()) === 'half a thought');
        await until(`the fold ${where}`, async () => (await header(conversation).getAttribute('aria-expanded')) === 'true');
        await until(`the place ${where}`, () =>
          header(conversation).evaluate((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return bottom > 0 && top < element.ownerDocument.defaultView.innerHeight;
          }),
        );
      };
      const toWindow = async () => {
        const opened = window.page.context().waitForEvent('page');
        await window.command('ACP: Open Chat in New Window');
        const other = await opened;
        conversation = await until('the chat in the new window', () => chatIn(other), { timeoutMs: 45_000 });
        await check('in the new window');
        return other;
      };
      const isInSideBar = async () => {
        await until('no tab of it', async () => (await sessionTabs()).length === 0);
        conversation = await until('the chat in the side bar', () => chatIn(window.page, 'Last.'), { timeoutMs: 45_000 });
        await check('in the side bar');
      };
      await check('at first');

      const other = await toWindow();
      await other.screenshot({ path: join(results, 'placement', 'window.png') });
      assert.equal(await tabs(), 0);
      // The first window's palette has no active chat, so the command applies to the window that was clicked last.
      await window.page.locator('.part.sidebar .explorer-folders-view').click();
      await window.command('ACP: Move Chat to Side Bar');
      await isInSideBar();
      await picture('moved-side-bar');
      await window.command('ACP: Move Chat to Editor');
      await until('a tab', async () => (await tabs()) === 1);
      conversation = await until('the chat in the editor', () => chatIn(window.page, 'Last.'));
      await check('in the editor');

      // The menu of that window's own tab bar works too.
      const again = await toWindow();
      await again.screenshot({ path: join(results, 'placement', 'window-again.png') });
      await again
        .locator('.editor-actions')
        .getByRole('button', { name: /^More Actions/ })
        .or(again.locator('.part.editor .title .codicon-toolbar-more'))
        .first()
        .click();
      await chooseMenuItem(again.getByRole('menuitem', { name: 'Move Chat to Side Bar' }));
      await isInSideBar();
      await window.command('ACP: Move Chat to Editor');
      await until('a tab', async () => (await tabs()) === 1);
    });

    it('lets the Sessions view move to the other side bar and back @minimum', async () => {
      await newSession(window, 'Talker').then((conversation) => conversation.prompt(`Stay here ${script({ say: 'Staying.' })}`));
      await window.command('ACP Host: Focus on Sessions View');
      const row = (part) => window.page.locator(`${part} .monaco-list-row`, { hasText: 'Stay here' }).first();
      await row('.part.sidebar').waitFor();
      await window.command('View: Move View');
      await window.pickRow('Sessions');
      await picture('move-view');
      await window.pickRow(/^New Secondary Side Bar Entry/);
      await row('.part.auxiliarybar').waitFor();
      await picture('other-side-bar');
      await row('.part.auxiliarybar').click();
      await until('its chat', async () => (await chatIn(window.page, 'Staying.')) !== undefined);
      await window.command('View: Reset View Locations');
      await window.command('ACP Host: Focus on Sessions View');
      await row('.part.sidebar').waitFor();

      // The same by mouse: the icon is dragged.
      await neighbour.commands('workbench.action.focusAuxiliaryBar');
      const icon = window.page
        .locator('.activitybar .action-item')
        .filter({ has: window.page.locator('[aria-label^="ACP Host"]') })
        .first();
      await icon.dragTo(window.page.locator('.part.auxiliarybar .composite.title, .part.auxiliarybar .composite-bar').first());
      await until('the view on the other side', async () => (await row('.part.auxiliarybar').count()) > 0 || (await icon.count()) === 0);
      await picture('dragged');
      await window.command('View: Reset View Locations');
      await icon.waitFor();
    });

    it('lets the Chat view move with its session and draft @minimum', async () => {
      await newSession(window, 'Talker').then((conversation) => conversation.prompt(`Wander ${script({ say: 'Wandering.' })}`));
      await window.command('ACP: Move Chat to Side Bar');
      const chat = await until('the chat in the side bar', () => chatIn(window.page, 'Wandering.'), { timeoutMs: 45_000 });
      await chat.composer.fill('half a thought');
      const isIn = async (part) => {
        const at = await window.page.locator('iframe.webview.ready:visible').first().boundingBox();
        const box = await window.page.locator(part).boundingBox();
        return at !== null && box !== null && at.x >= box.x - 2 && at.x + at.width <= box.x + box.width + 2;
      };
      const check = async (part) => {
        await until(`the chat in the ${part}`, async () => (await chatIn(window.page, 'Wandering.')) && (await isIn(part)), {
          timeoutMs: 45_000,
        });
        const there = await chatIn(window.page, 'Wandering.');
        await until(`the draft in the ${part}`, async () => (await there.composer.inputValue()) === 'half a thought');
      };
      const home = (await isIn('.part.sidebar')) ? '.part.sidebar' : '.part.auxiliarybar';
      const [away, entry] =
        home === '.part.sidebar' ? ['.part.auxiliarybar', /^New Secondary Side Bar Entry/] : ['.part.sidebar', /^New Side Bar Entry/];
      await check(home);
      await window.command('View: Move View');
      await window.pickRow('Chat');
      await window.pickRow(entry);
      await check(away);
      await picture('chat-moved');
      await window.command('View: Reset View Locations');
      await window.command('ACP Host: Focus on Chat View');
      await check(home);
      await picture('chat-back');
      await window.command('ACP: Move Chat to Editor');
      await until('a tab', async () => (await tabs()) === 1);
    });
  });
});
