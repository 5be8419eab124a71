// The Sessions view, as a person meets it: the icon, the welcome, groups, names, what is unread, what needs the user, search. Pictures go to
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

/** Made when a session that works shall end. */
const goOn = join(tempDir('sessions-view-'), 'go-on');
const agents = {
  Quick: scripted({ script: [{ say: 'The heron has counted four files.' }] }, 'view-quick'),
  Asking: scripted(
    { script: [{ permission: { toolCall: { toolCallId: 'ask', title: 'Ask first', kind: 'execute', rawInput: { command: 'make' } } } }] },
    'view-asking',
  ),
  Later: scripted({ script: [{ waitFile: goOn }, { say: 'Done, later.' }] }, 'view-later'),
};
const settings = { 'acpHost.agents': agents, 'acpHost.permissions.present': 'card' };
/** With the class that the window has in each. */
const themes = {
  'Dark Modern': 'vs-dark',
  'Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
};

describe('the Sessions view', function () {
  // Each goes on where the one before it ended.
  this.retries(0);
  let window;
  const icon = () => window.page.locator('.activitybar .action-item').filter({ has: window.page.locator('[aria-label^="ACP Host"]') });
  const view = () => window.page.locator('.sidebar .pane', { has: window.page.locator('[aria-label^="Sessions Section"], .pane-header') });
  const row = (text) => window.page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
  const rows = async () =>
    (await window.page.locator('.sidebar .monaco-list-row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  const picture = (name) => window.screenshot(`sessions-view/${name}`);
  const shows = (text) => until(`a row "${text}"`, async () => (await rows()).some((each) => each.includes(text)));

  const forgetAll = async (workspace) => {
    const { dir } = await theStage();
    rmSync(join(dir, 'data', 'User', 'globalStorage', 'acp-host.acp-host', 'store'), { recursive: true, force: true, maxRetries: 5 });
    return workspace;
  };

  opens(async () => {
    ({ window } = await openWorkspace({
      userSettings: settings,
      // Nobody has had a session, in no folder: so it is in the first window of all, see test/harness/e2e.mjs.
      ...((await isUntouched()) ? {} : { prepare: forgetAll }),
    }));
  });

  after(async () => {
    await runCommands('workbench.view.explorer');
    await window.closeEditors();
  });

  it('is behind an icon, and says without sessions what to do', async () => {
    await icon().first().click();
    await view().getByText('Chat with coding agents').first().waitFor();
    for (const name of ['New Session', 'Try the Demo Agent', 'Add Agent', 'Browse Agent History']) {
      assert.ok(await appears(view().getByRole('button', { name }).or(view().getByRole('link', { name })).first()), name);
    }
    await picture('welcome');
  });

  it('lists what runs, what needs the user with a number on the icon, and what has ended unseen', async () => {
    const quick = await newSession(window, 'Quick');
    await quick.prompt('Count the files');
    await quick.says('four files');
    await newSession(window, 'Later').then((later) => later.prompt('Take your time'));
    await shows('Take your time');
    // Another session is in front when it ends.
    const asking = await newSession(window, 'Asking');
    await asking.prompt('Build it');
    await asking.permission('Ask first').first().waitFor();
    await shows('Needs You');
    await shows('Build it');
    await until('the badge', async () => (await icon().locator('.badge-content').innerText()) === '1');
    writeFileSync(goOn, '');
    await shows('Done');
    const all = await rows();
    assert.deepEqual(
      all.flatMap((each) => /^(?:Needs You|Working|Done|Idle)/.exec(each)?.[0] ?? []),
      ['Needs You', 'Done', 'Idle'],
    );
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
    // Seen, it is read.
    await row('Take your time').dblclick();
    await until('nothing to be done', async () => !(await rows()).some((each) => each.startsWith('Done')));
  });

  it('renames a session, its tab and its header', async () => {
    await row('Count the files').click();
    await row('Count the files').press('F2');
    const input = window.page.locator('.quick-input-widget:visible input').first();
    await input.fill('The heron session');
    await input.press('Enter');
    await shows('The heron session');
    await until('the tab', () => window.tab('The heron session').isVisible());
    await row('The heron session').hover();
    await picture('actions');
  });

  it('finds a session by what was said, and opens it', async () => {
    await window.command('ACP: Search Sessions…');
    await window.page.locator('.quick-input-widget:visible input').first().fill('Count the');
    const found = window.page.locator(quickRows).filter({ hasText: 'heron' });
    await found.first().waitFor();
    await picture('search');
    await found.last().click();
    await until('the conversation', async () => (await window.page.getByRole('tab', { name: /heron session/ }).count()) > 0);
  });

  it('goes to what needs the user', async () => {
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

  it('ends with its sessions', async () => {
    for (const name of ['heron', 'Take your time', 'Build it']) {
      await row(name).click({ button: 'right' });
      await chooseMenuItem(window.page.getByRole('menuitem', { name: 'End Session' }));
    }
    for (const tag of ['view-quick', 'view-asking', 'view-later']) await noneLeft(`scripted-agent.mjs ${tag}`);
  });
});
