// The review of changes in one window, step by step: comments, peek, diff, checkpoints, and the state after a reload. Pictures go to
// test-results/changes/; with ACP_HOST_SCREENSHOTS they are taken in four themes.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { script, scripted } from '../e2e/agents.mjs';
import { changeSettings, clearWindow, notesAtLineEnds, openWorkspace, theStage } from '../e2e/stage.mjs';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';

const sessionCapabilities = { resume: {}, close: {} };
const promptCapabilities = { embeddedContext: true };
const agents = {
  Writer: scripted({ initialize: { agentCapabilities: { sessionCapabilities, promptCapabilities } }, keeps: true }, 'soak'),
};
const settings = { 'acpHost.agents': agents, 'acpHost.defaultAgent': 'Writer', 'git.enabled': false };
const lines = (...changed) =>
  Array.from({ length: 30 }, (_, index) => changed.find((line) => line.startsWith(`${index} `)) ?? `${index} same`).join('\n') + '\n';
const looks = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'dark high contrast': 'Default High Contrast',
  'light high contrast': 'Default High Contrast Light',
};

describe('changes, step by step', function () {
  this.retries(0);
  let window;
  let folder;
  let conversation;
  let broken;
  const step = (title, work) =>
    it(title, async () => {
      assert.equal(broken, undefined, 'a step before it failed');
      broken = title;
      await work();
      broken = undefined;
    });

  before(async () => {
    ({ window, folder } = await openWorkspace({ userSettings: settings, files: { 'a.txt': lines(), 'b.txt': lines() } }));
    await window.page.setViewportSize({ width: 1500, height: 1000 });
    conversation = await newSession(window);
  });
  after(clearWindow);

  const stored = (name) => readFileSync(join(folder, name), 'utf8');
  const storedIs = (name, text) =>
    until(`${name} on disk`, () => stored(name) === text).catch((error) => assert.fail(`${error.message}\n${stored(name)}`));
  const run = async (...commands) => (await theStage()).neighbour.commands(...commands);
  const rows = () =>
    window.page
      .locator('.scm-view .monaco-list-row')
      .evaluateAll((all) => all.filter((row) => row.querySelector('.resource')).map((row) => row.getAttribute('aria-label')));
  const rowsAre = async (...patterns) => {
    let seen = [];
    const holds = async () => {
      seen = await rows();
      return seen.length === patterns.length && patterns.every((pattern) => seen.some((row) => pattern.test(row)));
    };
    await until(`rows ${patterns}`, holds, { timeoutMs: 20_000 }).catch((error) => assert.fail(`${error.message}\n${seen.join('\n')}`));
  };
  /** Makes the agent change files by a shell command once copies are taken. */
  const changes = async (...commands) => {
    await conversation.prompt(
      script(
        { info: { title: 'Review of changes' } },
        { sleep: 800 },
        { shell: commands.map((each) => `cd '${folder}' && ${each}`).join(' && ') },
        { say: 'Changed.' },
      ),
    );
    await conversation.turnEnd();
  };
  const editor = () =>
    window.page.locator('.part.editor .editor-instance .monaco-editor:not(.review-widget .monaco-editor):visible').last();
  const peek = () => window.page.locator('.part.editor .peekview-widget');
  /** Presses a button of the peek. Assistive technology reaches them as the commands of the same names. */
  const inPeek = async (name) => peek().locator(`.action-label[aria-label^="${name}"]`).first().click();
  const cursorAt = async (line) => {
    await editor().locator('.view-line').first().click();
    await window.page.keyboard.press('Control+g');
    await window.page.locator('.quick-input-widget:visible .quick-input-box input').fill(`:${line + 1}`);
    await window.page.keyboard.press('Enter');
    await window.page
      .locator('.part.statusbar')
      .getByText(`Ln ${line + 1}, `)
      .waitFor();
    // The extension host is notified a moment later.
    await wait(300);
  };
  const chips = () => conversation.frame.getByRole('list', { name: 'Attachments' });
  const threads = () => window.page.locator('.review-widget');
  const notes = () => notesAtLineEnds(window);
  const comment = async (line, text) => {
    await cursorAt(line);
    await run('workbench.action.addComment');
    await threads().locator('.comment-form .monaco-editor.focused').waitFor();
    await window.page.keyboard.insertText(text);
    await threads().getByRole('button', { name: 'Add to Message' }).last().click();
    await until('the mark', async () => (await notes()).some((note) => note.includes(text)));
  };
  const inFourThemes = async (name) => {
    await window.screenshot(`changes/${name}`);
    for (const [look, theme] of process.env.ACP_HOST_SCREENSHOTS ? Object.entries(looks) : []) {
      await changeSettings({ ...settings, 'workbench.colorTheme': theme });
      await wait(700);
      await window.screenshot(`changes/${name} ${look}`);
    }
  };

  step('are undone and kept by the buttons of the peek', async () => {
    await changes(
      `sed -i 's/^3 same/3 changed/; s/^12 same/12 changed/; s/^20 same/20 changed/; s/^27 same/27 changed/' a.txt`,
      'echo made > made.txt',
    );
    await run('workbench.view.scm');
    await rowsAre(/a\.txt was changed\. Changes: 4/, /made\.txt was created/);
    // Opens the file beside the conversation, whose chips must be visible.
    await run('workbench.action.newGroupRight');
    await window.openFile('a.txt');
    await window.page.locator('.part.editor .dirty-diff-modified').first().waitFor({ timeout: 15_000 });
    await window.page.locator('.part.editor .codelens-decoration').first().waitFor();
    await inFourThemes('gutter');
    await cursorAt(0);
    await run('editor.action.dirtydiff.next');
    await peek().waitFor();
    await inFourThemes('peek');
    await inPeek('Undo Change');
    await storedIs('a.txt', lines('12 changed', '20 changed', '27 changed'));
    await until('the tab to say that it is saved', async () => !(await window.isDirty('a.txt')));
    await window.page.keyboard.press('Escape');
    await cursorAt(5);
    await run('editor.action.dirtydiff.next');
    await peek().waitFor();
    await inPeek('Keep Change');
    await rowsAre(/a\.txt was changed\. Changes: 2/, /made\.txt was created/);
    await storedIs('a.txt', lines('12 changed', '20 changed', '27 changed'));
    await window.page.keyboard.press('Escape');
  });

  step('are applied again from the chip', async () => {
    const chip = chips().getByRole('button', { name: '1 change undone in a.txt', exact: true });
    await chip.waitFor();
    await conversation.frame.getByRole('button', { name: 'Apply Again: 1 change undone in a.txt' }).click();
    await chip.waitFor({ state: 'detached' });
    await storedIs('a.txt', lines('3 changed', '12 changed', '20 changed', '27 changed'));
    await rowsAre(/a\.txt was changed\. Changes: 3/, /made\.txt was created/);
  });

  step("are taken back by the diff editor's own arrow", async () => {
    await cursorAt(0);
    await run('acpHost.openFileChanges');
    const diff = window.page.locator('.part.editor .monaco-diff-editor:visible');
    await diff.locator('.line-insert, .char-insert').first().waitFor();
    await inFourThemes('diff');
    const arrow = diff.locator('.arrow-revert-change, .gutterItem .monaco-action-bar .action-label').first();
    await diff.locator('.editor.modified .view-line').nth(3).hover();
    await arrow.click();
    await until('the change to be reverted', async () => /Changes: 2/.test((await rows()).join()));
    await run('workbench.action.files.save');
    await storedIs('a.txt', lines('12 changed', '20 changed', '27 changed'));
    await run('workbench.action.closeActiveEditor');
  });

  step('are read all at once', async () => {
    await cursorAt(0);
    await run('acpHost.reviewAllChanges');
    await window.page.locator('.multiDiffEntry, .multi-diff-editor, .multiDiffEditor').first().waitFor();
    await wait(800);
    await inFourThemes('all');
    await run('workbench.action.closeActiveEditor');
  });

  step('are marked as reviewed, and commented', async () => {
    await cursorAt(20);
    await run('acpHost.markChangeReviewed');
    await rowsAre(/a\.txt was changed\. Changes: 2, reviewed: 1/, /made\.txt was created/);
    await comment(20, 'Say it in other words');
    await chips().getByText('1 comment').waitFor();
    await comment(25, 'And this one');
    await chips().getByText('2 comments').waitFor();
    await inFourThemes('comments');
  });

  step('are there after a reload, with their marks, comments and chips', async () => {
    await window.reload();
    await run('workbench.view.scm');
    await rowsAre(/a\.txt was changed\. Changes: 2, reviewed: 1/, /made\.txt was created/);
    await window.showTab('a.txt');
    await until(
      'both to wait',
      async () => (await notes()).filter((note) => /(?:Say it in other words|And this one).*not sent/.test(note)).length === 2,
    );
    await chips().getByText('2 comments').waitFor();
    await inFourThemes('comments after a reload');
  });

  step('comments join the chip that is there, follow their lines, and go as one prompt', async () => {
    await cursorAt(0);
    await window.page.keyboard.press('Home');
    await window.page.keyboard.insertText('first\nsecond\n');
    await comment(7, 'After the reload');
    await chips().getByText('3 comments').waitFor();
    assert.equal(await chips().getByRole('listitem').filter({ hasText: 'comment' }).count(), 1);
    await conversation.prompt(script({ sayPrompt: true }));
    await conversation.turnEnd();
    // The two earlier comments are at the current positions of their lines after the reload.
    for (const line of [23, 28, 8]) await conversation.says(`a.txt:${line}`);
    for (const text of ['> 20 changed', 'Say it in other words', '> 25 same', 'And this one', 'After the reload'])
      await conversation.says(text);
    await until('the comments to be answered', async () => (await notes()).every((note) => !note.includes('comment for')));
    await inFourThemes('answered');
  });

  step('a plan is opened and commented', async () => {
    const entries = ['Read it', 'Change it'].map((content) => ({ content, priority: 'medium', status: 'pending' }));
    await conversation.prompt(script({ plan: entries }, { say: 'Planned.' }));
    await conversation.turnEnd();
    await window.command('ACP: Open Plan');
    await window.tab('Plan.md').waitFor();
    await comment(1, 'Not this');
    await chips().getByText('1 comment').waitFor();
    await inFourThemes('plan');
    await run('acpHost.deleteComment');
    await chips().getByText('1 comment').waitFor({ state: 'detached' });
    await cursorAt(0);
    await run('workbench.action.closeActiveEditor');
  });

  step('go back with the conversation, and forward again', async () => {
    await window.showTab('a.txt');
    await run('workbench.action.files.revert');
    const before = stored('b.txt');
    await changes(`sed -i 's/^9 same/9 later/' b.txt`);
    await rowsAre(/a\.txt/, /made\.txt/, /b\.txt was changed\. Changes: 1/);
    await window.command('ACP: Restore Checkpoint…');
    await window.page.locator(quickRows).first().click();
    await window.page.locator(quickRows).filter({ hasText: 'Restore Files and Conversation' }).waitFor();
    await inFourThemes('restore');
    await window.page.locator('.quick-input-widget:visible').getByText('b.txt – will be changed').first().waitFor();
    await window.pickRow('Restore Files and Conversation');
    await storedIs('b.txt', before);
    await until('the message to be in the composer', async () => (await conversation.composer.inputValue()).includes('9 later'));
    await inFourThemes('restored');
    await window.command('ACP: Undo Restore');
    await until('b.txt to be as the agent left it', () => stored('b.txt').includes('9 later'));
    await conversation.says('Changed.');
  });

  step('the conversation alone goes back, and the agent is told which files did not', async () => {
    await window.command('ACP: Restore Checkpoint…');
    await window.page.locator(quickRows).first().click();
    await window.pickRow(/^\s*Restore Conversation/);
    await until('the message to be in the composer', async () => (await conversation.composer.inputValue()).includes('9 later'));
    await chips()
      .getByText(/b\.txt/)
      .waitFor();
    assert.ok(stored('b.txt').includes('9 later'));
    await window.command('ACP: Undo Restore');
    await conversation.says('Changed.');
  });

  step('checkpoints are all deleted once that is confirmed', async () => {
    await window.command('ACP: Delete All Checkpoints…');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText(/They take [\d.]+ MB/).waitFor();
    await inFourThemes('delete checkpoints');
    await window.pressButton('Delete All Checkpoints');
    await window.notification('Deleted all checkpoints.');
    await window.command('ACP: Restore Checkpoint…');
    await wait(500);
    await window.screenshot('changes/no checkpoints');
    await window.dismiss();
    // A pending change can still be undone.
    await run('workbench.view.scm');
    await rowsAre(/a\.txt/, /made\.txt/, /b\.txt was changed\. Changes: 1/);
  });
});
