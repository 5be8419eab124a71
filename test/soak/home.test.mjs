// Working with many sessions in the real window: inline actions, grouping, unread marks over a restart and search that opens a location.
// Also following an agent, notifications and sounds, and a workspace of several folders. Pictures go to test-results/home/.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { chooseMenuItem } from '../harness/lib/see.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { changeSettings, clearWindow, openWorkspace, theStage } from '../e2e/stage.mjs';
import { chatIn, sessionTabs } from './chats.mjs';
import { storeOf } from './recorded.mjs';

const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };
const long = `${'Of no interest.\n\n'.repeat(80)}The kingfisher dives.\n\n${'Of no interest either.\n\n'.repeat(80)}The end.`;
const agents = {
  Heron: scripted(resumes, 'home-heron'),
  Otter: scripted(resumes, 'home-otter'),
  Teller: scripted({ ...resumes, script: [{ say: long }] }, 'home-teller'),
};
const goOn = tempDir('home-go-on');

describe('many sessions', function () {
  this.timeout(240_000);
  let window;
  let folder;
  let neighbour;
  const picture = (name) => window.screenshot(`home/${process.env.ACP_HOST_E2E_VSCODE || 'newest'}/${name}`);
  const rows = () => window.page.locator('.sidebar .monaco-list-row');
  const row = (text) => rows().filter({ hasText: text }).first();
  const rowTexts = async () => (await rows().allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  const shows = (what, ask) => until(what, async () => ask(await rowTexts()));
  const inline = async (text, name) => {
    await row(text).hover();
    await row(text).getByRole('button', { name }).first().click();
  };
  const rowMenu = async (text, name) => {
    await row(text).click({ button: 'right' });
    await chooseMenuItem(window.page.getByRole('menuitem', { name, exact: true }));
  };
  /** The row of a session that has ended unseen. */
  const unread = (text = '') => rows().filter({ hasText: text, has: window.page.locator('.codicon-circle-filled') });
  const viewMenu = async (...names) => {
    // A container with one view has its menu in the title; a container with several views has a menu at each.
    const header = window.page.locator('.sidebar .pane-header', { hasText: 'Sessions' }).first();
    if (await header.isVisible()) await header.hover();
    const more = (where) => where.getByRole('button', { name: /More Actions/ });
    const buttons = (await header.isVisible()) ? more(header) : more(window.page.locator('.sidebar .composite.title'));
    await buttons.first().click();
    for (const name of names) {
      const item = window.page.getByRole('menuitem', { name, exact: true }).last();
      await item.hover();
      if (name === names.at(-1)) await chooseMenuItem(item);
    }
  };
  const said = async (agent, words, ...steps) => {
    const conversation = await newSession(window, agent);
    await conversation.prompt(`${words} ${script(...steps)}`);
    return conversation;
  };

  async function open(settings = {}, prepare = (workspace) => workspace) {
    ({ window, folder } = await openWorkspace({
      userSettings: { 'acpHost.agents': agents, 'acpHost.permissions.present': 'card', ...settings },
      prepare: async (workspace) => {
        const { dir } = await theStage();
        rmSync(storeOf(dir), { recursive: true, force: true, maxRetries: 5 });
        return prepare(workspace);
      },
    }));
    ({ neighbour } = await theStage());
    await window.command('ACP Host: Focus on Sessions View');
  }

  describe('in one folder', () => {
    before(() => open());
    after(() => clearWindow());

    it('stops, archives and pins by a row’s buttons, and renames, opens to the side and deletes by its menu @minimum', async () => {
      const one = await said('Heron', 'Work on it', { say: 'Working.' }, { waitCancel: true });
      await one.says('Working.');
      await shows('it to work', (all) => all.some((text) => text.startsWith('Work on it')));
      await inline('Work on it', 'Stop Agent');
      await one.turnEnd();
      await rowMenu('Work on it', 'Rename Session…');
      const input = window.page.locator('.quick-input-widget:visible input').first();
      await input.fill('Herons');
      await input.press('Enter');
      await shows('its name', (all) => all.some((text) => text.startsWith('Herons')));
      await until('its tab', () => window.tab('Herons').isVisible());
      await said('Otter', 'Count them', { say: 'Four of them.' }).then((two) => two.says('Four of them.'));
      await inline('Herons', 'Pin Session');
      await inline('Herons', 'Archive Session');
      await shows('a closed group', (all) => all.some((text) => text.startsWith('Archived')));
      await row('Archived').click();
      await inline('Herons', 'Unarchive Session');
      await inline('Herons', 'Unpin Session');
      await rowMenu('Herons', 'Open to the Side');
      await until('two groups', async () => (await window.page.locator('.part.editor .editor-group-container').count()) === 2);
      await picture('beside');
      await rowMenu('Count them', 'Delete Session…');
      await window.page
        .locator('.monaco-dialog-box')
        .getByText(/Count them/)
        .first()
        .waitFor();
      await window.pressButton('Delete');
      await shows('it to be gone', (all) => !all.some((text) => text.startsWith('Count them')));
      await until('its tab to be closed', async () => (await sessionTabs()).length === 1);
    });

    it('groups by folder, by agent and by state, from the view’s menu @minimum', async () => {
      await said('Otter', 'Dive', { say: 'Deep.' }).then((two) => two.says('Deep.'));
      const groups = async () => (await rowTexts()).filter((text) => /\d$/.test(text)).map((text) => text.replace(/\s*\d+$/, ''));
      for (const [name, wanted] of [
        ['Agent', ['Otter', 'Heron']],
        ['Folder', [folder.split('/').at(-1)]],
        ['State', ['Recent']],
      ]) {
        await viewMenu('Group By', name);
        await until(`groups by ${name}`, async () => (await groups()).join() === wanted.join());
        await picture(`group-${name}`);
      }
    });

    it('offers the recent agents first @minimum', async () => {
      await window.command('ACP: New Session With…');
      const names = await window.quickPickRows();
      assert.deepEqual(names.slice(0, 2), ['Otter', 'Heron']);
      await picture('new-session-with');
      await window.dismiss();
    });

    it('opens a search result at its location', async () => {
      const long = await newSession(window, 'Teller');
      await long.prompt('Tell me all');
      await long.says('The end.');
      await long.turnEnd();
      await window.closeEditors();
      await window.command('ACP: Search Sessions…');
      await window.page.locator('.quick-input-widget:visible input').first().fill('kingfisher dives');
      await picture('search');
      await window.page.locator(quickRows).filter({ hasText: 'kingfisher' }).first().click();
      const chat = await until('the conversation', () => chatIn(window.page, 'Of no interest.'));
      await until('the place', () =>
        chat.log
          .getByText('The kingfisher dives.')
          .last()
          .evaluate((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return top >= 0 && bottom <= element.ownerDocument.defaultView.innerHeight;
          }),
      );
      await picture('found');
      await window.page.keyboard.press('Escape');
    });

    it('follows the agent in one preview tab, and leaves the focus in the message box', async () => {
      for (const name of ['one', 'two', 'three']) writeFileSync(join(folder, `${name}.txt`), `${'line\n'.repeat(100)}`);
      const conversation = await newSession(window, 'Heron');
      await window.command('ACP: Toggle Follow Agent');
      await conversation.composer.focus();
      const read = (name) => ({
        tool: {
          toolCallId: name,
          title: `Read ${name}`,
          kind: 'read',
          status: 'completed',
          locations: [{ path: join(folder, `${name}.txt`), line: 50 }],
        },
      });
      await conversation.say(
        `Look ${script(read('one'), { sleep: 700 }, read('two'), { sleep: 700 }, read('three'), { sleep: 700 }, { say: 'Seen all.' })}`,
      );
      await until('the last file', async () => (await neighbour.tabs()).some(({ label }) => label === 'three.txt'));
      const files = (await neighbour.tabs()).filter(({ label }) => label.endsWith('.txt')).map(({ label }) => label);
      assert.deepEqual(files, ['three.txt']);
      await picture('followed');
      const again = await until('the chat', () => chatIn(window.page, 'Read three'));
      assert.ok(
        await again.composer.evaluate((box) => box === box.ownerDocument.activeElement && box.ownerDocument.hasFocus()),
        'the focus',
      );
      await window.command('ACP: Toggle Follow Agent');
      await again.turnEnd();
    });

    it('reports sessions that end unseen, with a sound if that is on, and shows them from there', async () => {
      await changeSettings({ 'acpHost.agents': agents, 'acpHost.notifications': 'hidden', 'acpHost.notificationSound': true });
      const hidden = await said('Otter', 'In the back', { waitFile: join(goOn, 'unseen') }, { say: 'Unseen.' });
      await hidden.stopButton.waitFor();
      const front = await said('Heron', 'In front', { say: 'In sight.' });
      await front.says('In sight.');
      await front.turnEnd();
      // The sound is checked in the page, because there is no loudspeaker here.
      const page = await until('the chat in front', () => chatIn(window.page, 'In sight.'));
      await page.frame.locator('body').evaluate(() => {
        const { createOscillator } = AudioContext.prototype;
        window.tones = 0;
        AudioContext.prototype.createOscillator = function () {
          window.tones++;
          return createOscillator.call(this);
        };
      });
      writeFileSync(join(goOn, 'unseen'), '');
      await window.notification('Otter finished: In the back');
      await picture('notification');
      await until('two tones', () => page.frame.locator('body').evaluate(() => window.tones === 2));
      await unread().first().waitFor();
      await neighbour.commands('notifications.showList');
      await window.pressButton('Show Session');
      await until('it', () => chatIn(window.page, 'Unseen.'));
      await until('it to be seen', async () => (await unread().count()) === 0);
      await changeSettings({ 'acpHost.agents': agents });
    });

    it('knows after a restart which sessions are unread @minimum', async () => {
      const hidden = await said('Otter', 'Read me later', { waitFile: join(goOn, 'later') }, { say: 'For later.' });
      await hidden.stopButton.waitFor();
      await newSession(window, 'Heron');
      writeFileSync(join(goOn, 'later'), '');
      await unread().first().waitFor();
      await window.closeEditors();
      await window.reload();
      await window.command('ACP Host: Focus on Sessions View');
      await unread('Read me later').first().waitFor();
      await picture('unread');
      await row('Read me later').dblclick();
      await until('it', () => chatIn(window.page, 'For later.'));
      await until('it to be read', async () => (await unread().count()) === 0);
    });
  });

  describe('in several folders', () => {
    before(() =>
      open({}, (workspace) => {
        for (const name of ['one', 'two']) {
          mkdirSync(join(workspace, name), { recursive: true });
          writeFileSync(join(workspace, name, `${name}.txt`), name);
        }
        const file = join(workspace, 'both.code-workspace');
        writeFileSync(file, JSON.stringify({ folders: [{ path: 'one', name: 'First' }, { path: 'two' }] }));
        return file;
      }),
    );
    after(() => clearWindow());

    it('asks for the folder, shows it, and groups by it @minimum', async () => {
      for (const [name, others] of [
        ['two', /First/],
        ['First', /two/],
      ]) {
        await window.command('ACP: New Session');
        await window.pickRow('Heron');
        await window.pickRow(name);
        // Additional folders, if the agent accepts more than one.
        if (await appears(window.page.locator(quickRows).filter({ hasText: others }), 1500)) await window.page.keyboard.press('Enter');
        const frame = await window.panel();
        await frame.getByText(name, { exact: true }).first().waitFor();
        const conversation = new Conversation(window);
        await conversation.prompt(`Here in ${name} ${script({ say: `At ${name}.` })}`);
        await conversation.says(`At ${name}.`);
        await window.closeEditors();
      }
      await picture('folders');
      await shows('both folders', (all) => all.some((text) => /two/.test(text)) && all.some((text) => /First/.test(text)));
      await viewMenu('Group By', 'Folder');
      await shows('both groups', (all) => {
        const groups = all.filter((text) => /^(First|two)\s*\d+$/.test(text)).map((text) => text.replace(/\s*\d+$/, ''));
        return groups.join() === 'First,two';
      });
      await picture('folders-grouped');
      await viewMenu('Group By', 'State');
    });
  });
});
