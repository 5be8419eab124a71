// Where chats are, for each `acpHost.chat.location`: every way to open one, every command, moving it between side bar, editor and window with all that is
// its own, moving the views themselves, and the keyboard alone. Pictures go to test-results/placement/.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { root } from '../harness/lib/paths.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { clearWindow, openWorkspace, theStage } from '../e2e/stage.mjs';

const agents = {
  Talker: scripted({ initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true }, 'placement'),
};
/** What opens a window or a program of its own, or asks the system: nothing that an Escape would take back. */
const notHere = new Set(['acpHost.revealSessionFolder', 'acpHost.openInNewWindow', 'acpHost.exportSession', 'acpHost.exportConversation']);
/** What ends or moves the session on purpose. */
const last = ['acpHost.restartAgent', 'acpHost.endSession', 'acpHost.moveToSideBar', 'acpHost.moveToEditor'];
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const ids = manifest.contributes.commands.map(({ command }) => command).filter((id) => !notHere.has(id));

describe('where chats are', function () {
  this.timeout(600_000);
  let window;
  let neighbour;
  const picture = (name) => window.screenshot(`placement/${name}`);
  const tabs = () => window.page.locator('.part.editor .tabs-container').getByRole('tab').count();
  const webviews = (page = window.page) => page.locator('iframe.webview.ready:visible');
  /** The conversation with a message box among the webviews on a page; undefined when there is none. */
  const chatIn = async (page) => {
    for (let index = 0; index < (await webviews(page).count()); index++) {
      const frame = page.frameLocator(`iframe.webview.ready:visible >> nth=${index}`).frameLocator('iframe#active-frame');
      if ((await frame.getByRole('textbox', { name: 'Message', exact: true }).count()) === 1)
        return new Conversation({ frame: () => frame });
    }
    return undefined;
  };

  async function open(location) {
    ({ window } = await openWorkspace({
      userSettings: { 'acpHost.agents': agents, 'acpHost.chat.location': location, 'acpHost.permissions.present': 'card' },
      prepare: async (workspace) => workspace,
    }));
    ({ neighbour } = await theStage());
  }

  for (const location of ['editor', 'sideBar']) {
    describe(location, () => {
      before(() => open(location));
      after(() => clearWindow());

      const isThere = async () => {
        await until(
          `the chat in the ${location}`,
          async () => (await chatIn(window.page)) !== undefined && (await tabs()) === (location === 'editor' ? 1 : 0),
        );
      };

      it('is where each way to open a session leads @minimum', async () => {
        let conversation = await newSession(window, 'Talker');
        await conversation.prompt(`The otter session ${script({ say: 'An otter was here.' })}`);
        await until('the answer', async () => (await conversation.log.innerText()).split('An otter was here.').length === 3);
        await conversation.turnEnd();
        await isThere();
        const ways = {
          'the last agent': async () => window.page.keyboard.press('Control+Alt+n'),
          'the list of sessions': async () => {
            await window.command('ACP: Open Session…');
            await window.pickRow('The otter session');
          },
          search: async () => {
            await window.command('ACP: Search Sessions…');
            await window.page.locator('.quick-input-widget:visible input').first().fill('otter was');
            await window.pickRow(/otter/);
          },
          'the view': async () => {
            await window.command('ACP Host: Focus on Sessions View');
            await window.page.locator('.sidebar .monaco-list-row', { hasText: 'The otter session' }).first().click();
          },
        };
        for (const [name, go] of Object.entries(ways)) {
          await neighbour.commands('workbench.action.closeAllEditors', 'workbench.view.explorer');
          await go();
          await isThere().catch((error) => {
            throw new Error(`${name}: ${error.message}`);
          });
        }
        await picture(location);
        conversation = await chatIn(window.page);
        await until('the otter', async () => (await conversation.log.innerText()).includes('An otter was here.'));
      });

      it('has every command, none of which fails', async () => {
        const failed = [];
        const conversation = await chatIn(window.page);
        for (const id of [...ids.filter((each) => !last.includes(each)), ...last]) {
          let over = false;
          let error;
          void neighbour.commands(id).then(
            () => (over = true),
            (reason) => {
              over = true;
              error = reason;
            },
          );
          // What asks is answered by Escape, as often as it asks.
          for (const end = Date.now() + 15_000; !over && Date.now() < end; await wait(150)) {
            await window.page.keyboard.press('Escape');
          }
          const notice = (await window.page.locator('.notification-list-item-message').allInnerTexts()).filter((text) =>
            /resulted in an error|Running the contributed command|Cannot read|undefined|is not a function/.test(text),
          );
          if (!over || error || notice.length > 0)
            failed.push(`${id}: ${over ? (error?.message.split('\n')[0] ?? notice.join('; ')) : 'does not end'}`);
          if (notice.length > 0) await neighbour.commands('notifications.clearAll');
        }
        await window.dismiss();
        assert.deepEqual(failed, []);
        assert.ok(conversation);
      });
    });
  }

  describe('moving', () => {
    before(() => open('editor'));
    beforeEach(async () => {
      await clearWindow();
      // The chat view, empty now, would be taken for the panel of the session that comes.
      await neighbour.commands('workbench.action.closeAuxiliaryBar', 'workbench.view.explorer');
    });

    it('takes draft, place and folds from an editor to a window, the side bar and back @minimum', async () => {
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
      await check('at first');

      const opened = window.page.context().waitForEvent('page');
      await window.command('ACP: Open Chat in New Window');
      const other = await opened;
      conversation = await until('the chat in the new window', () => chatIn(other), { timeoutMs: 45_000 });
      await check('in the new window');
      await other.screenshot({ path: join(root, 'test-results', 'placement', 'window.png') });
      assert.equal(await tabs(), 0);

      // By its tab bar: every page of this browser has the focus, so VS Code's palette is always that of the first window, where no chat is in front.
      await other
        .locator('.editor-actions')
        .getByRole('button', { name: /^More Actions/ })
        .click();
      await other.getByRole('menuitem', { name: 'Move Chat to Side Bar' }).click();
      conversation = await until('the chat in the side bar', () => chatIn(window.page), { timeoutMs: 45_000 });
      await check('in the side bar');
      await picture('moved-side-bar');
      await window.command('ACP: Move Chat to Editor');
      await until('a tab', async () => (await tabs()) === 1);
      conversation = await until('the chat in the editor', () => chatIn(window.page));
      await check('in the editor');
      await window.command('ACP: End Session');
      await clearWindow();
    });

    it('of the views themselves takes them to the other side bar and back @minimum', async () => {
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
      await until('its chat', async () => (await chatIn(window.page)) !== undefined);
      await window.command('View: Reset View Locations');
      await window.command('ACP Host: Focus on Sessions View');
      await row('.part.sidebar').waitFor();

      // The same by hand: the icon is dragged over.
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
      await window.command('ACP: End Session');
    });
  });

  describe('the keyboard alone', () => {
    before(() => open('sideBar'));
    after(() => clearWindow());

    it('opens, renames, finds and answers @minimum', async () => {
      const { keyboard } = window.page;
      const type = async (text) => {
        await keyboard.press('F1');
        await until('the palette', () => window.quickInputOpen());
        await keyboard.insertText(text);
      };
      const run = async (title) => {
        for (let tries = 1; ; tries++) {
          await type(title);
          const row = window.page.locator('.quick-input-widget:visible .monaco-list-row.focused');
          if (await appears(row.filter({ hasText: title }), 3000)) return keyboard.press('Enter');
          await keyboard.press('Escape');
          if (tries === 10) throw new Error(`the palette never offered ${title}`);
        }
      };
      await run('ACP: New Session With…');
      await until('the agents', async () => (await window.quickPickRows()).includes('Talker'));
      await keyboard.insertText('Talker');
      await until('it to be the first', async () => (await window.quickPickRows())[0] === 'Talker');
      await keyboard.press('Enter');
      const conversation = await until('the chat', () => chatIn(window.page), { timeoutMs: 45_000 });
      const hasFocus = (locator) => locator.evaluate((element) => element === element.ownerDocument.activeElement);
      await until('the focus in the box', () => hasFocus(conversation.composer));
      const toolCall = { toolCallId: 'ask', title: 'Ask first', kind: 'execute', rawInput: { command: 'make' } };
      await keyboard.insertText(`By keys ${script({ permission: { toolCall } })}`);
      await keyboard.press('Enter');
      await conversation.permission('Ask first').first().waitFor();
      await run('ACP Host: Focus on Sessions View');
      await until(
        'the row to be there',
        async () => (await window.page.locator('.sidebar .monaco-list-row', { hasText: 'By keys' }).count()) > 0,
      );
      await keyboard.press('Control+Alt+j');
      await wait(800);
      await run('ACP: Answer Permission Request');
      await until('the question to have the focus', async () => hasFocus(conversation.permission('Ask first').first()).catch(() => false));
      await wait(700);
      await keyboard.press('Control+Enter');
      await until('the answer', async () => (await conversation.log.innerText()).includes('permission: selected allow'));
      await conversation.turnEnd();
      await run('ACP Host: Focus on Sessions View');
      const focused = () => window.page.locator('.sidebar .monaco-list-row.focused').first();
      for (
        let presses = 0;
        presses < 12 &&
        !(
          await focused()
            .innerText()
            .catch(() => '')
        ).includes('By keys');
        presses++
      )
        await keyboard.press('ArrowDown');
      await keyboard.press('F2');
      await until('the name to be asked for', () => window.quickInputOpen());
      await keyboard.press('Control+a');
      await keyboard.insertText('Keys alone');
      await keyboard.press('Enter');
      await until('its name', async () => (await window.page.locator('.sidebar .monaco-list-row', { hasText: 'Keys alone' }).count()) > 0);
      await keyboard.press('Enter');
      await until('the focus in the box again', () => hasFocus(conversation.composer));
      await picture('keyboard');
      await run('ACP: End Session');
    });
  });
});
