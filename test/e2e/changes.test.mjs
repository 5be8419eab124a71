// The review of changes in the window, over a repository and a plain folder: the group in Source Control, gutter and peek. Pictures go to
// test-results/changes/.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { script, scripted } from './agents.mjs';
import { changeSettings, clearWindow, opens, openWorkspace, theStage } from './stage.mjs';

const sessionCapabilities = { resume: {}, close: {}, additionalDirectories: {} };
const agents = { Writer: scripted({ initialize: { agentCapabilities: { sessionCapabilities } }, keeps: true }, 'writer') };
const lines = (...changed) =>
  Array.from({ length: 12 }, (_, index) => changed.find((line) => line.startsWith(`${index} `)) ?? `${index} same`).join('\n') + '\n';
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

  it('are marked in the gutter, with Keep and Undo above each, and shown with their earlier text in its peek', async () => {
    await window.openFile('../repository/shell.txt');
    await window.page.locator('.part.editor .dirty-diff-modified').first().waitFor({ timeout: 15_000 });
    await window.page.locator('.part.editor .codelens-decoration').first().waitFor();
    await window.screenshot('changes/gutter');
    await window.editor().locator('.view-line').first().click();
    await run('editor.action.dirtydiff.next');
    await window.page.locator('.part.editor .peekview-widget').waitFor();
    await window.screenshot('changes/peek');
    await window.page.keyboard.press('Escape');
  });

  it('are commented on their lines: a chip that goes with the message, and is resolved by the answer', async () => {
    await run('workbench.action.moveEditorToNextGroup');
    const threads = window.page.locator('.review-widget');
    const form = threads.locator('.comment-form .monaco-editor.focused');
    // VS Code refuses until it knows which lines can be commented.
    await until('the form', async () => (await form.count()) > 0 || (await run('workbench.action.addComment'), appears(form, 1500)));
    await window.page.keyboard.insertText('Say it in other words');
    await threads.getByRole('button', { name: 'Add to Message' }).click();
    await conversation.frame.getByRole('list', { name: 'Attachments' }).getByText('1 comment').waitFor();
    await threads.getByText('Not sent').waitFor();
    assert.equal(await threads.getByText('Not sent').count(), 1);
    await conversation.prompt(script({ sayPrompt: true }));
    await conversation.turnEnd();
    await conversation.says(/shell\.txt:3[^]*> 2 changed[^]*Say it in other words/);
    await until('the comment to be resolved', async () => (await threads.getByText(/^(Not sent|Sent)$/).count()) === 0);
  });
});
