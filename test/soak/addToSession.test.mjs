// "Add to ACP Session" from VS Code's own menus, by mouse and by keyboard. Pictures go to test-results/addToSession/.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { chooseMenuItem } from '../harness/lib/see.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { scripted } from '../e2e/agents.mjs';
import { changeSettings, clearWindow, opens, openWorkspace, theStage } from '../e2e/stage.mjs';

const agents = { Adder: scripted({ initialize: { agentCapabilities: { promptCapabilities: { embeddedContext: true } } } }, 'adder') };
const settings = { 'acpHost.agents': agents, 'acpHost.defaultAgent': 'Adder' };

describe('Add to ACP Session', () => {
  let window;
  let conversation;
  let folder;
  let neighbour;

  opens(async () => {
    ({ window, folder } = await openWorkspace({ userSettings: settings, prepare: versioned }));
    ({ neighbour } = await theStage());
    conversation = new Conversation(window);
  });

  /** The sample workspace as a repository with a changed, a deleted and a new file. */
  function versioned(workspace) {
    const git = (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: workspace });
    mkdirSync(join(workspace, 'lib'));
    writeFileSync(join(workspace, 'lib', 'gone.js'), 'gone\n');
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    appendFileSync(join(workspace, 'src', 'calc.js'), '// changed\n');
    rmSync(join(workspace, 'lib', 'gone.js'));
    writeFileSync(join(workspace, 'broken.json'), '{ "a": 1,, }\n');
    return workspace;
  }

  const explorerRow = (name) => window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  const menuItem = (name) => window.page.locator('.monaco-menu').getByRole('menuitem', { name: new RegExp(`^${name}`) });
  const chips = async () => {
    const all = await conversation.frame.getByRole('list', { name: 'Attachments' }).getByRole('listitem').allInnerTexts();
    return all.map((text) => text.trim());
  };
  const chipsAre = (...names) =>
    until(`the chips ${names}`, async () => JSON.stringify((await chips()).toSorted()) === JSON.stringify(names.toSorted()), {
      timeoutMs: 30_000,
    });
  const choose = (name) => chooseMenuItem(menuItem(name));
  /** Opens the context menu of the focused element and moves down to an item, without the mouse. */
  const chooseByKeys = async (name) => {
    await window.page.keyboard.press('Shift+F10');
    await menuItem(name).waitFor({ timeout: 10_000 });
    await until(`the keys to reach ${name}`, async () => {
      const focused = window.page.locator('.monaco-menu .action-item.focused');
      if ((await focused.count()) > 0 && (await focused.first().innerText()).includes(name)) return true;
      await window.page.keyboard.press('ArrowDown');
      return false;
    });
    await window.page.keyboard.press('Enter');
  };
  const emptied = async () => {
    await until('the message box to be empty', async () => {
      await conversation.composer.click();
      await conversation.composer.press('Control+a');
      await conversation.composer.press('Delete');
      return (await conversation.composer.inputValue()) === '';
    });
  };
  const fresh = async () => {
    await clearWindow();
    await neighbour.commands('workbench.action.closePanel', 'workbench.view.explorer');
  };
  const boxHasFocus = () =>
    until('the message box to have the focus', () => conversation.composer.evaluate((box) => box === box.ownerDocument.activeElement));
  const picture = (name) => window.screenshot(`addToSession/${name}`);

  it('opens a session for a file of the explorer without one, and adds a folder to it @minimum', async () => {
    // A menu that was opened before the extensions are registered never shows their items.
    await until('the menu to have it', async () => {
      await explorerRow('package.json').click({ button: 'right' });
      if (await appears(menuItem('Add to ACP Session'), 2000)) return true;
      await window.page.keyboard.press('Escape');
      return false;
    });
    await picture('explorer');
    await choose('Add to ACP Session');
    await window.panel();
    await chipsAre('package.json');
    await boxHasFocus();
    await explorerRow('src').click({ button: 'right' });
    await choose('Add to ACP Session');
    await chipsAre('package.json', 'src/');
    assert.equal(await conversation.composer.inputValue(), '@package.json @src/ ');
    await picture('explorer-added');
  });

  it('adds several files of the explorer by keyboard alone', async () => {
    await emptied();
    // No file is opened: an editor that opens would select its own file alone.
    await neighbour.commands('workbench.files.action.focusFilesExplorer');
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('End');
    await until('two files to be selected', async () => {
      const count = await window.page.locator('.explorer-folders-view .monaco-list-row.selected').count();
      if (count < 2) await window.page.keyboard.press('Shift+ArrowUp');
      return count === 2;
    });
    await chooseByKeys('Add to ACP Session');
    await window.panel();
    await until('two chips', async () => (await chips()).length === 2);
    assert.ok((await chips()).includes('package.json'));
    await boxHasFocus();
  });

  it('adds the selection of an editor, its file, and an untitled one', async () => {
    await fresh();
    await window.openFile('src/calc.js');
    await window.editor().locator('.view-line').first().click();
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.press('Shift+ArrowDown');
    await window.page.keyboard.press('Shift+ArrowDown');
    await chooseByKeys('Add Selection to ACP Session');
    await window.panel();
    await chipsAre('calc.js:1-2');
    await window.showTab('calc.js');
    await window.editor().locator('.view-line').first().click();
    await window.editor().locator('.view-line').first().click({ button: 'right' });
    await picture('editor');
    await choose('Add to ACP Session');
    await chipsAre('calc.js', 'calc.js:1-2');
    await window.tab('calc.js').click({ button: 'right' });
    await menuItem('Add to ACP Session').waitFor();
    await window.page.keyboard.press('Escape');
    await emptied();
    await neighbour.commands('workbench.action.files.newUntitledFile');
    // The new editor has the focus, beside the editor of the file.
    await window.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await window.page.keyboard.insertText('never saved\n');
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.press('Control+Alt+a');
    await until('a chip', async () => (await chips()).length === 1);
    assert.match((await chips())[0], /^Untitled-1:1/);
    await conversation.composer.press('End');
    await window.page.keyboard.type('@script [{"sayPrompt":true}]');
    await window.page.keyboard.press('Enter');
    await conversation.says('never saved');
  });

  it('adds changes of source control: a file, several of them, a deleted one, a group', async () => {
    await fresh();
    await neighbour.commands('workbench.view.scm');
    const row = (name) => window.page.locator('.scm-view .monaco-list-row', { hasText: name }).first();
    await row('calc.js').click({ button: 'right' });
    await picture('scm');
    await choose('Add Changes to ACP Session');
    await window.panel();
    await chipsAre('changes:calc.js');
    await emptied();
    await row('calc.js').click();
    await row('gone.js').click({ modifiers: ['Control'] });
    await row('gone.js').click({ button: 'right' });
    await choose('Add Changes to ACP Session');
    await until('two chips', async () => (await chips()).length === 2);
    await chipsAre('changes:calc.js', 'changes:gone.js');
    await conversation.composer.press('End');
    await window.page.keyboard.type('@script [{"sayPrompt":true}]');
    await window.page.keyboard.press('Enter');
    await conversation.says('deleted file mode');
    await row(/^Changes/).click({ button: 'right' });
    await choose('Add Changes to ACP Session');
    await until('all of the group', async () => (await chips()).includes('changes:broken.json'));
  });

  it('adds a problem from the Problems view by its menu and by its keys', async () => {
    await fresh();
    await window.openFile('broken.json');
    await neighbour.commands('workbench.actions.view.problems');
    const problem = window.page.locator('.markers-panel .monaco-list-row', { hasText: /\[Ln 1/ }).first();
    await problem.waitFor({ timeout: 30_000 });
    // The quick fix exists from the first session on.
    await window.command('ACP: Add Problems from Active File');
    await window.panel();
    await until('a chip', async () => (await chips()).length === 1);
    await problem.click();
    await problem.click({ button: 'right' });
    await picture('problems');
    await choose('Add Problem to ACP Session');
    await until('the problem and its place', async () => (await chips()).some((name) => name.startsWith('Problem in broken.json')));
    await picture('problems-added');
  });

  it('adds the output of the last command in a terminal', async () => {
    await fresh();
    await neighbour.commands('workbench.action.terminal.new');
    const screen = window.page.locator('.terminal-wrapper.active .xterm-screen').first();
    await screen.waitFor();
    await screen.click();
    await window.page.keyboard.type('echo hello-$((6*7))\n');
    await until('the output of the first command', async () => {
      await screen.click({ button: 'right' });
      await choose('Add Last Command Output to ACP Session');
      return (await chips()).some((name) => name.includes('hello'));
    });
    await picture('terminal');
    await window.panel();
    await conversation.composer.press('End');
    await window.page.keyboard.type('@script [{"sayPrompt":true}]');
    await window.page.keyboard.press('Enter');
    await conversation.says('hello-42');
    await screen.click();
    await neighbour.commands('workbench.action.terminal.clearSelection', 'workbench.action.terminal.focus');
    await window.page.keyboard.type('echo later-$((6*7))\n');
    await until('the output', async () => {
      await screen.click({ button: 'right' });
      await choose('Add Last Command Output to ACP Session');
      return (await chips()).some((name) => name.includes('later'));
    });
  });

  it('adds to the chat in the side bar, even before it shows a session', async () => {
    await fresh();
    await changeSettings({ ...settings, 'acpHost.chat.location': 'sideBar' });
    await explorerRow('package.json').click({ button: 'right' });
    await choose('Add to ACP Session');
    await window.panel();
    await chipsAre('package.json');
    await boxHasFocus();
    await explorerRow('README.md').click({ button: 'right' });
    await choose('Add to ACP Session');
    await chipsAre('README.md', 'package.json');
    await boxHasFocus();
    await picture('side-bar');
    await changeSettings(settings);
  });
});

describe('Add to ACP Session with several folders', () => {
  let window;
  opens(async () => {
    ({ window } = await openWorkspace({ userSettings: settings, prepare: twoFolders }));
  });

  function twoFolders() {
    const base = realpathSync(tempDir('folders'));
    for (const name of ['one', 'two']) {
      mkdirSync(join(base, name, 'src'), { recursive: true });
      writeFileSync(join(base, name, 'src', 'same.js'), `// of ${name}\n`);
    }
    const file = join(base, 'both.code-workspace');
    writeFileSync(file, JSON.stringify({ folders: [{ path: 'one' }, { path: 'two' }] }));
    return file;
  }

  it('distinguishes files of the same name', async () => {
    const { neighbour } = await theStage();
    for (const [index, name] of ['one', 'two'].entries()) {
      await window.typeInPalette('same.js');
      await window.page
        .locator(quickRows, { hasText: `${name} ` })
        .first()
        .click();
      await window.tab('same.js').waitFor();
      await neighbour.commands('workbench.files.action.showActiveFileInExplorer');
      // The first folder is above the second, and expanded by now.
      const row = window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'same.js' }).nth(index);
      const item = window.page.locator('.monaco-menu').getByRole('menuitem', { name: 'Add to ACP Session', exact: true });
      // The Explorer, which is still revealing the file, may close the menu again.
      await until('the menu to take it', async () => {
        await row.click({ button: 'right' });
        const isOver = await item.hover({ timeout: 2000 }).then(
          () => true,
          () => false,
        );
        if (isOver) await window.page.keyboard.press('Enter');
        return isOver;
      });
      if (index === 0) {
        await window.pickRow('one');
      }
      await window.panel();
      const box = new Conversation(window).composer;
      await until('the chip', async () => (await box.inputValue()).split('@').length === index + 2);
    }
    assert.match(await new Conversation(window).composer.inputValue(), /^@same\.js @two\/src\/same\.js $/);
    await window.screenshot('addToSession/folders');
  });
});
