// The review of changes in the window, over a repository and a plain folder: the group in Source Control, the peek, all changes at once, comments on
// lines, and what is still there after a reload. Pictures go to test-results/changes/.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { script, scripted } from './agents.mjs';
import { changeSettings, clearWindow, opens, openWorkspace, theStage } from './stage.mjs';

const sessionCapabilities = { resume: {}, close: {}, additionalDirectories: {} };
const agents = { Writer: scripted({ initialize: { agentCapabilities: { sessionCapabilities } }, keeps: true }, 'writer') };
const lines = (...changed) =>
  Array.from({ length: 12 }, (_, index) => changed.find((line) => line.startsWith(`${index} `)) ?? `${index} same`).join('\n') + '\n';
const looks = {
  'dark modern': 'Default Dark Modern',
  'light modern': 'Default Light Modern',
  'dark high contrast': 'Default High Contrast',
  'light high contrast': 'Default High Contrast Light',
};

describe('changes to review', () => {
  let window;
  let folder;
  let conversation;

  opens(async () => {
    const files = ['shell.txt', 'deleted.txt', 'old.txt', 'early.txt'].map((name) => [name, name === 'shell.txt' ? lines() : `${name}\n`]);
    ({ window, folder } = await openWorkspace({
      files: Object.fromEntries(['repository', 'plain'].flatMap((place) => files.map(([name, text]) => [`${place}/${name}`, text]))),
      prepare: (workspace) => {
        const git = (...args) => execFileSync('git', args, { cwd: join(workspace, 'repository'), stdio: 'ignore' });
        git('init', '-q', '-b', 'main');
        git('config', 'user.email', 'user@example.com');
        git('config', 'user.name', 'User');
        git('add', '-A');
        git('commit', '-q', '-m', 'first');
        const file = join(workspace, 'both.code-workspace');
        writeFileSync(file, JSON.stringify({ folders: [{ path: 'repository' }, { path: 'plain' }] }));
        return file;
      },
    }));
    await changeSettings({ 'acpHost.agents': agents, 'acpHost.defaultAgent': 'Writer', 'git.enabled': false });
    await window.command('ACP: New Session');
    await window.pickRow(/Add Other Workspace Folders/);
    await window.pickRow('repository');
    await window.page.locator(quickRows).filter({ hasText: 'plain' }).first().click();
    await window.page.keyboard.press('Enter');
    await window.panel();
    conversation = new Conversation(window);
  });
  after(clearWindow);

  const rows = () =>
    window.page
      .locator('.scm-view .monaco-list-row')
      .evaluateAll((all) => all.filter((row) => row.querySelector('.resource')).map((row) => row.getAttribute('aria-label')));
  const rowsOf = async (pattern) => (await rows()).filter((row) => pattern.test(row));
  const rowsAre = async (what, holds) => {
    let seen = [];
    const look = async () => holds((seen = await rows()));
    await until(what, look, { timeoutMs: 20_000 }).catch((error) => assert.fail(`${error.message}\n${seen.join('\n')}`));
  };
  const run = async (...commands) => (await theStage()).neighbour.commands(...commands);
  const stored = (name) => readFileSync(join(folder, name), 'utf8');

  it('are listed with what became of each file, in a repository and in a plain folder', async () => {
    await run('workbench.view.scm');
    const edits = (place) => ({
      shell: [
        `cd '${join(folder, place)}'`,
        `sed -i 's/^2 same/2 changed/; s/^9 same/9 changed/' shell.txt`,
        'rm deleted.txt',
        place === 'repository' ? 'git mv old.txt new.txt' : 'mv old.txt new.txt',
        'echo made > made.txt',
        `printf '\\0\\1' > made.bin`,
      ].join(' && '),
    });
    await conversation.prompt(
      script({ shell: `echo more >> '${join(folder, 'repository', 'early.txt')}'` }, { sleep: 2000 }, edits('repository'), edits('plain'), {
        say: 'Done.',
      }),
    );
    await conversation.says('Done.');
    await conversation.turnEnd();
    await rowsAre('eleven rows', (all) => all.filter((row) => /was (changed|created|deleted|moved)/.test(row)).length === 11);
    for (const expected of [
      /shell\.txt was changed\. Changes: 2/,
      /deleted\.txt was deleted/,
      /new\.txt was moved from old\.txt/,
      /made\.txt was created\. Changes: 1/,
      /made\.bin was created/,
    ]) {
      assert.equal((await rowsOf(expected)).length, 2, String(expected));
    }
    assert.equal((await rowsOf(/early\.txt was changed; no earlier version was kept/)).length, 1);
    await window.screenshot('changes/group');
  });

  it('are kept and undone in the peek of the gutter', async () => {
    await window.openFile('../repository/shell.txt');
    const mark = window.page.locator('.part.editor .dirty-diff-modified').first();
    await mark.waitFor({ timeout: 15_000 });
    await window.screenshot('changes/gutter');
    await window.page.locator('.part.editor .codelens-decoration').first().waitFor();
    await mark.click();
    const peek = window.page.locator('.part.editor .peekview-widget');
    await peek.waitFor();
    await wait(500);
    await window.screenshot('changes/peek');
    await peek
      .getByRole('button', { name: /^Undo Change/ })
      .first()
      .click();
    await until('the change to be undone', () => stored('repository/shell.txt') === lines('9 changed'));
    await window.page.keyboard.press('Escape');
    await rowsAre('one change left', (all) => all.some((row) => /shell\.txt was changed\. Changes: 1/.test(row)));
  });

  it('are read all at once', async () => {
    await window.command('ACP: Review All Changes');
    await window.page.locator('.multiDiffEntry, .multi-diff-editor, .multiDiffEditor').first().waitFor();
    await wait(800);
    await window.screenshot('changes/all');
    await run('workbench.action.closeActiveEditor');
  });

  it('can be commented on a line: all comments are one chip of the next message, and are resolved by the answer', async () => {
    await window.openFile('../plain/shell.txt');
    const comment = async (line, text) => {
      await window.editor().locator('.view-line').nth(line).click();
      await run('workbench.action.addComment');
      const box = window.page.locator('.review-widget .comment-form .monaco-editor').last();
      await box.waitFor();
      await wait(300);
      await window.page.keyboard.insertText(text);
      await window.page.locator('.review-widget').getByRole('button', { name: 'Add to Message' }).last().click();
      await window.page.locator('.review-widget .comment-body', { hasText: text }).waitFor();
    };
    await comment(2, 'Say it in other words');
    await conversation.frame.getByRole('list', { name: 'Attachments' }).getByText('1 comment').waitFor();
    await comment(5, 'And this one');
    await conversation.frame.getByRole('list', { name: 'Attachments' }).getByText('2 comments').waitFor();
    await window.screenshot('changes/comments');
    assert.equal(await conversation.frame.getByRole('list', { name: 'Attachments' }).getByRole('listitem').count(), 1);
    await conversation.prompt(script({ sleep: 300 }, { say: 'Noted.' }));
    await conversation.says('Noted.');
    await conversation.turnEnd();
    await until(
      'the comments to be resolved',
      async () => (await window.page.locator('.review-widget').getByText('Not sent').count()) === 0,
    );
    await window.screenshot('changes/answered');
  });

  it('are there after a reload', async () => {
    await wait(1000);
    await window.reload();
    await run('workbench.view.scm');
    await rowsAre('the rows', (all) => all.some((row) => /shell\.txt was changed\. Changes: 1/.test(row)));
    assert.equal((await rowsOf(/was (changed|created|deleted|moved)/)).length, 11);
  });

  if (process.env.ACP_HOST_SCREENSHOTS) {
    it('look well in each theme', async () => {
      for (const [name, theme] of Object.entries(looks)) {
        await changeSettings({ 'acpHost.agents': agents, 'git.enabled': false, 'workbench.colorTheme': theme });
        await window.openFile('../plain/shell.txt');
        await window.page.locator('.part.editor .dirty-diff-modified').first().click();
        await window.page.locator('.part.editor .peekview-widget').waitFor();
        await wait(700);
        await window.screenshot(`changes/${name} peek`);
        await window.page.keyboard.press('Escape');
        await window.command('ACP: Review All Changes');
        await wait(1000);
        await window.screenshot(`changes/${name} all`);
        await window.closeEditors();
      }
    });
  }
});
