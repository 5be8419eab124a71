// The texts of agents, files and settings are plain text in VS Code's notifications, questions and lists. They create no links or icons
// there, and a click in place of a link runs nothing. Pictures go to test-results/foreign-text/.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { openWorkspace, opens, runCommands, startCommand, theStage } from '../e2e/stage.mjs';

const mark = join(tempDir('foreign-text'), 'was-run');
/** Created from the terminal afterwards. */
const later = join(tempDir('foreign-text'), 'later');
/** The command that would run in the open terminal if VS Code took the text for a link. */
const COMMAND = `command:workbench.action.terminal.sendSequence?${encodeURIComponent(JSON.stringify({ text: `touch ${mark}\r` }))}`;
const LINK = `[run](${COMMAND})`;
const NAME = `${LINK} $(flame) agent`;

describe('third-party text in VS Code’s own places', () => {
  let window;
  let conversation;
  let folder;
  let sensitive;

  opens(async () => {
    ({ window, folder } = await openWorkspace({
      userSettings: { 'acpHost.agents': { [NAME]: scripted({}, 'hostile') }, 'terminal.integrated.defaultProfile.linux': 'bash' },
    }));
    sensitive = join(tempDir('foreign-text-outside'), 'notes.txt');
    writeFileSync(sensitive, 'not yours');
    mkdirSync(join(folder, 'kept'), { recursive: true });
    writeFileSync(join(folder, 'kept', 'plain.txt'), 'yours');
    await runCommands('workbench.action.terminal.new');
    await window.page.locator('.terminal-wrapper.active .xterm-helper-textarea').waitFor({ state: 'attached' });
  });

  /** Asserts that there is no link and no third-party icon, and that two clicks on the link's text run nothing. */
  async function isOnlyText(place, picture) {
    await window.screenshot(`foreign-text/${picture}`);
    const text = await place.innerText();
    assert.ok(text.replaceAll('\u2060', '').includes('[run](command:workbench.action.terminal.'), `the text is shown as it is: ${text}`);
    assert.deepEqual(
      await place.locator('a').evaluateAll((links) => links.map((link) => link.textContent).filter((words) => words === 'run')),
      [],
      'no link',
    );
    assert.equal(await place.locator('.codicon-flame').count(), 0, 'no icon');
    const spot = await place.evaluate((element) => {
      const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent.indexOf('run');
        if (at >= 0) {
          const range = element.ownerDocument.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 3);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
      }
      return undefined;
    });
    assert.ok(spot, 'the words of the link are there');
    return async (clicks = 2) => {
      for (let click = 0; click < clicks; click++) await window.page.mouse.click(spot.x, spot.y);
      // This input to the terminal comes after any input from the link.
      rmSync(later, { force: true });
      await runCommands(['workbench.action.terminal.sendSequence', { text: `touch ${later}\r` }]);
      await until('the terminal to have run what was typed later', () => existsSync(later));
      assert.ok(!existsSync(mark), 'nothing ran');
    };
  }

  const click = (name) => conversation.frame.getByRole('link', { name, exact: true }).last().click();
  const message = (text) => window.page.locator('.notification-list-item-message', { hasText: text }).first();

  it('is checked with this VS Code’s own expressions', async () => {
    const { install } = await theStage();
    const source = '/\\[([^\\]]+)\\]\\(((?:https?:\\/\\/|command:|file:)[^\\)\\s]+)(?: (["\'])(.+?)(\\3))?\\)/gi';
    const icons = ['"[A-Za-z0-9-]+"', '"~[A-Za-z]+"', '"[A-Za-z0-9~-]"'];
    const code = readFileSync(join(dirname(install.server), 'vs/code/browser/workbench/workbench.js'), 'utf8');
    assert.ok(code.includes(source), 'links are found by the expression that the unit tests use');
    for (const icon of icons) assert.ok(code.includes(icon), `icons are found by the expression that the unit tests use: ${icon}`);
  });

  it('is a name in the list of agents', async () => {
    await startCommand('acpHost.newSession');
    const row = window.page.locator('.quick-input-widget .quick-input-list .monaco-list-row', { hasText: 'run' }).first();
    await row.waitFor();
    await isOnlyText(row, 'agents');
    const other = await window.frameName();
    await row.click();
    await window.panel({ other });
    conversation = new Conversation(window);
    assert.ok(!existsSync(mark));
  });

  it('is a title with links from an agent', async () => {
    const twice = LINK.replaceAll('%', '%25');
    const outside = `/tmp/${LINK}`.replaceAll('%', '%25');
    await conversation.prompt(
      script(
        { update: { sessionUpdate: 'session_info_update', title: NAME } },
        { chunks: [`[missing](<./${twice}>), [outside](<${outside}>) and [mail](mailto:a@example.com?attach=/etc/passwd).`] },
      ),
    );
    await conversation.turnEnd();
  });

  it('is a mail address with a file parameter', async () => {
    await click('mail');
    await runCommands('notifications.showList');
    await message('would attach a file').waitFor();
    await window.screenshot('foreign-text/mail');
    await runCommands('notifications.clearAll');
  });

  it('is a file that does not exist, in a notification', async () => {
    await click('missing');
    await runCommands('notifications.showList');
    const place = message("doesn't exist");
    await place.waitFor();
    await (await isOnlyText(place, 'missing'))();
    await runCommands('notifications.clearAll');
  });

  it('is a file outside the folders, in a question', async () => {
    await click('outside');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await (await isOnlyText(dialog, 'outside'))();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('is the title of a session, in a list and in a question', async () => {
    await startCommand('acpHost.openSession');
    const row = window.page.locator('.quick-input-widget .quick-input-list .monaco-list-row', { hasText: 'run' }).first();
    await row.waitFor();
    await (await isOnlyText(row, 'sessions'))(1);
    await conversation.composer.waitFor();
    await startCommand('acpHost.deleteSession');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await (await isOnlyText(dialog, 'delete'))();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('are dropped files: a question comes when they are elsewhere', async () => {
    const drop = (...files) =>
      conversation.composer.evaluate(
        (element, uris) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData('text/uri-list', uris.join('\r\n'));
          element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        files.map((file) => `file://${file}`),
      );
    const attached = (name) => conversation.frame.getByText(name, { exact: false }).first();
    await drop(join(folder, 'kept', 'plain.txt'));
    await attached('plain.txt').waitFor();
    await drop(sensitive);
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText(sensitive).waitFor();
    await window.screenshot('foreign-text/dropped');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await attached('notes.txt').count(), 0, 'nothing comes in without an answer');
    await drop(sensitive);
    await dialog.getByRole('button', { name: 'Attach' }).click();
    await attached('notes.txt').waitFor();
    await until('nothing ran', () => !existsSync(mark));
  });
});
