// The Sessions view: the icon, the welcome content, groups, names, unread marks, pending requests, search. Pictures go to
// test-results/sessions-view/.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { chooseMenuItem } from '../harness/lib/see.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { noneLeft, scripted } from './agents.mjs';
import { changeSettings, isUntouched, openWorkspace, opens, runCommands, theStage } from './stage.mjs';

/** Created when the working session should end. */
const goOn = join(tempDir('sessions-view-'), 'go-on');
const agents = {
  Quick: scripted({ script: [{ say: 'The heron has counted four files.' }] }, 'view-quick'),
  Asking: scripted(
    { script: [{ permission: { toolCall: { toolCallId: 'ask', title: 'Ask first', kind: 'execute', rawInput: { command: 'make' } } } }] },
    'view-asking',
  ),
  Missing: { command: 'no-such-program-of-a-view' },
  Later: scripted({ script: [{ waitFile: goOn }, { say: 'Done, later.' }] }, 'view-later'),
};
const settings = { 'acpHost.agents': agents, 'acpHost.permissions.present': 'card' };
/** Each with the class of the window in it. */
const themes = {
  'Dark Modern': 'vs-dark',
  'Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
};

describe('the Sessions view', function () {
  // Each test continues from the state of the one before it.
  this.retries(0);
  let window;
  const icon = () => window.page.locator('.activitybar .action-item').filter({ has: window.page.locator('[aria-label^="ACP Host"]') });
  const view = () => window.page.locator('.sidebar .pane', { has: window.page.locator('[aria-label^="Sessions Section"], .pane-header') });
  const row = (text) => window.page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
  const rows = async () =>
    (await window.page.locator('.sidebar .monaco-list-row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  const picture = (name) => window.screenshot(`sessions-view/${name}`);
  const working = () => window.page.locator('.sidebar .monaco-list-row .codicon-loading');
  const iconOf = async (text) => {
    const classes = (await row(text).locator('.custom-view-tree-node-item-icon').first().getAttribute('class')) ?? '';
    return /codicon-[a-z-]+/.exec(classes.replace('codicon-modifier-spin', ''))?.[0];
  };
  const shows = (text) => until(`a row "${text}"`, async () => (await rows()).some((each) => each.includes(text)));

  const forgetAll = async (workspace) => {
    const { dir } = await theStage();
    rmSync(join(dir, 'data', 'User', 'globalStorage', 'acp-host.acp-host', 'store'), { recursive: true, force: true, maxRetries: 5 });
    return workspace;
  };

  opens(async () => {
    ({ window } = await openWorkspace({
      userSettings: settings,
      // A state without any session in any folder: the very first window has it, see test/harness/e2e.mjs.
      ...((await isUntouched()) ? {} : { prepare: forgetAll }),
    }));
  });

  after(async () => {
    await runCommands('workbench.view.explorer');
    await window.closeEditors();
  });

  const composerHasFocus = () =>
    new Conversation(window).composer.evaluate((box) => box.ownerDocument.hasFocus() && box === box.ownerDocument.activeElement);

  it('is behind an icon, and explains itself without sessions', async () => {
    await icon().first().click();
    await view().getByText('Chat with coding agents').first().waitFor();
    for (const name of ['New Session', 'Try the Demo Agent', 'Add Agent', 'Browse Agent History']) {
      assert.ok(await appears(view().getByRole('button', { name }).or(view().getByRole('link', { name })).first()), name);
    }
    await picture('welcome');
  });

  it('lists running sessions, pending requests with a number on the icon, and unread ones', async () => {
    const quick = await newSession(window, 'Quick');
    await quick.prompt('Count the files');
    await quick.says('four files');
    await newSession(window, 'Later').then((later) => later.prompt('Take your time'));
    await shows('Take your time');
    // Another session is active when it ends.
    const asking = await newSession(window, 'Asking');
    await asking.prompt('Build it');
    await asking.permission('Ask first').first().waitFor();
    await shows('In Progress');
    await shows('Build it');
    await until('the badge', async () => (await icon().locator('.badge-content').innerText()) === '1');
    writeFileSync(goOn, '');
    await until('nothing to work', async () => !(await working().count()));
    const all = await rows();
    assert.deepEqual(
      all.flatMap((each) => /^(?:In Progress|Recent|Archived)/.exec(each)?.[0] ?? []),
      ['In Progress', 'Recent'],
    );
    // Each state has a shape of its own: high contrast themes drop the colors.
    assert.equal(await iconOf('Build it'), 'codicon-question');
    assert.equal(await iconOf('Take your time'), 'codicon-circle-filled');
    assert.equal(await iconOf('Count the files'), 'codicon-circle-outline');
    assert.ok(
      all.some((each) => /^Take your time.*now/.test(each)),
      all.join('\n'),
    );
    await until('the tab to say so', () =>
      window.page
        .getByRole('tab', { name: /Take your time \(done\)/ })
        .first()
        .isVisible(),
    );
    await picture('groups');
    // A click moves the focus into the chat. The session is then read, and keeps its position.
    await row('Take your time').click();
    await until('the composer to have the focus', composerHasFocus);
    await until('it to be read', async () => (await iconOf('Take your time')) === 'codicon-circle-outline');
    assert.deepEqual(
      (await rows()).map((each) => each.split(' ')[0]),
      all.map((each) => each.split(' ')[0]),
    );
  });

  it('selects the row of the active chat, and follows its tabs', async () => {
    const selected = () => window.page.locator('.sidebar .monaco-list-row.selected').allInnerTexts();
    const isSelected = async (title) => (await selected()).length === 1 && (await selected())[0].includes(title);
    for (const title of ['Count the files', 'Build it', 'Take your time']) {
      // The session's state follows its name.
      await window.page
        .getByRole('tab', { name: new RegExp(`^${title}`) })
        .first()
        .click();
      await until(`the row "${title}"`, () => isSelected(title));
    }
    await picture('selected');
  });

  it('archives and pins by the buttons of a row, and deletes only by its menu', async () => {
    const button = (name) => row('Take your time').getByRole('button', { name });
    await row('Take your time').hover();
    await button('Pin Session').click();
    await until('the button to unpin', async () => (await row('Take your time').hover(), button('Unpin Session').isVisible()));
    assert.equal(
      await row('Take your time')
        .getByRole('button', { name: /Delete/ })
        .count(),
      0,
    );
    await button('Archive Session').click();
    await until('a closed group', async () => (await rows()).some((each) => each.startsWith('Archived')));
    await runCommands('acpHost.unarchiveSession', 'acpHost.unpinSession');
    await shows('Take your time');
  });

  it('drops the row of a session without messages once its chat is closed, also when it failed', async () => {
    const titles = async () => (await rows()).filter((each) => each.startsWith('Missing') || each.startsWith('Quick'));
    await newSession(window, 'Quick');
    await window.command('ACP: New Session With…');
    await window.pickRow('Missing');
    await until('the failure', async () => (await titles()).length === 2);
    await runCommands('workbench.action.closeActiveEditor', 'workbench.action.closeActiveEditor');
    await until('no row', async () => (await titles()).length === 0);
  });

  it('renames a session, its tab and its header', async () => {
    await row('Count the files').click();
    // The click moves the focus into the chat, which would close the input box of a quick F2.
    await until('the composer to have the focus', composerHasFocus);
    await runCommands('acpHost.sessions.focus');
    await window.page.keyboard.press('F2');
    const input = window.page.locator('.quick-input-widget:visible input').first();
    await input.fill('The heron session');
    await input.press('Enter');
    await shows('The heron session');
    await until('the tab', () => window.tab('The heron session').isVisible());
    await row('The heron session').click();
    await until('the composer to have the focus', composerHasFocus);
    await window.page.keyboard.press('F2');
    await input.fill('The grey heron session');
    await input.press('Enter');
    await shows('The grey heron session');
    await row('The grey heron session').click();
    await window.page.keyboard.press('F2');
    await input.fill('The heron session');
    await input.press('Enter');
    await shows('The heron session');
    await row('The heron session').hover();
    await picture('actions');
  });

  it('finds a session by a message’s text, and opens it', async () => {
    const search = window.page.locator('.quick-input-widget:visible input').first();
    // The page of the renamed session may take the focus late, which closes the search.
    await window.command('ACP: Search Sessions…');
    await search.fill('Count the', { timeout: 5000 }).catch(async () => {
      await window.command('ACP: Search Sessions…');
      await search.fill('Count the');
    });
    const found = window.page.locator(quickRows).filter({ hasText: 'heron' });
    await found.first().waitFor();
    // VS Code marks the words in a result.
    await until('the marked words', async () =>
      (await found.locator('.highlight').allInnerTexts()).some((words) => /count the/i.test(words)),
    );
    await picture('search');
    await found.last().click();
    await until('the conversation', async () => (await window.page.getByRole('tab', { name: /heron session/ }).count()) > 0);
  });

  it('goes to the pending request', async () => {
    await window.page.keyboard.press('Control+Alt+j');
    const asking = new Conversation(window);
    await asking.permission('Ask first').first().waitFor();
  });

  it('is readable at any width and in any theme', async () => {
    for (const [theme, name] of Object.entries(themes)) {
      await changeSettings({ ...settings, 'workbench.colorTheme': theme });
      await window.page.locator(`.monaco-workbench.${name}`).waitFor();
      assert.equal(await row('Build it').isVisible(), true);
      await picture(`theme-${theme.replaceAll(' ', '-')}`);
    }
    await changeSettings(settings);
  });

  it('ends the agents with their sessions', async () => {
    for (const name of ['heron', 'Take your time', 'Build it']) {
      await row(name).click({ button: 'right' });
      await chooseMenuItem(window.page.getByRole('menuitem', { name: 'End Session' }));
    }
    for (const tag of ['view-quick', 'view-asking', 'view-later']) await noneLeft(`scripted-agent.mjs ${tag}`);
  });
});
