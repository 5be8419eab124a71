// A comment on a line: no commenting range in the user's own files, a thread that names the session, and no Comments view that opens
// unasked. Pictures go to test-results/comments/.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { setTimeout as pause } from 'node:timers/promises';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { notesAtLineEnds, openWorkspace, opens, runCommands, startCommand } from './stage.mjs';

const text = Array.from({ length: 12 }, (_, index) => `line ${index}\n`).join('');

const agents = {
  Reader: scripted({ initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true }, 'comments'),
};

describe('a comment for the agent', () => {
  let window;
  let folder;
  opens(async () => {
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
  });

  const threads = () => window.page.locator('.review-widget');
  const glyphs = () => window.page.locator('.part.editor .comment-range-glyph').count();
  const commentsView = () => window.page.locator('.comments-panel:visible').count();
  it('is written on the line, names its session, and is sent with the next message', async () => {
    writeFileSync(join(folder, 'own.txt'), text);
    writeFileSync(join(folder, 'changed.txt'), text);
    const conversation = await newSession(window, 'Reader');
    await conversation.prompt(script({ say: 'Nothing yet.' }));
    await conversation.turnEnd();
    await conversation.prompt(script({ sleep: 1500 }, { shell: `echo more >> '${join(folder, 'changed.txt')}'` }, { say: 'Changed.' }));
    await conversation.says('Changed.');

    await window.openFile('own.txt');
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.press('ArrowDown');
    assert.equal(await glyphs(), 0, 'a file without changes of an agent has no ranges');
    await window.command('ACP: Comment for the Agent');
    assert.match(await window.page.locator('.quick-input-widget:visible .quick-input-title').innerText(), /^Comment for .*Nothing yet/);
    await window.screenshot('comments/box');
    await window.page.keyboard.insertText('Say it in other words');
    await window.page.keyboard.press('Enter');
    const chips = conversation.frame.getByRole('list', { name: 'Attachments' });
    await window.page.locator('.part.statusbar').getByText('Comment added to the next message for').waitFor();
    const hasFile = async () =>
      (await window.tab('own.txt').getAttribute('aria-selected')) === 'true' &&
      (await window.page.locator('.part.editor .monaco-editor.focused').count()) > 0;
    await until('the focus in the file', hasFile);
    await pause(1000);
    assert.ok(await hasFile(), 'the chat, a tab of the same group, stays behind the file');
    await window.screenshot('comments/file');
    await window.page
      .locator('.part.editor .tabs-container')
      .getByRole('tab', { name: /^@script/ })
      .click();
    await chips.getByText('1 comment on own.txt:2').waitFor();
    assert.equal(await commentsView(), 0, 'the Comments view opens only for the user');
    await window.screenshot('comments/chat');

    await window.openFile('changed.txt');
    await runCommands('workbench.action.moveEditorToNextGroup');
    await window.page.locator('.part.editor .comment-range-glyph').first().waitFor();
    await startCommand('acpHost.commentForAgent');
    await threads().locator('.comment-form .monaco-editor.focused').waitFor();
    assert.equal(await threads().locator('.review-actions .codicon-trash, .review-actions .codicon-trashcan').count(), 1);
    await window.screenshot('comments/thread');
    await window.page.keyboard.insertText('And this');
    await threads().getByRole('button', { name: 'Add to Message' }).click();
    await threads().waitFor({ state: 'detached' });
    await chips.getByText('2 comments').waitFor();
    const marks = async () => (await notesAtLineEnds(window)).filter((note) => note.includes('comment for'));
    await until('the mark', async () => /And this \(comment for .*Nothing yet.*, not sent\)/.test((await marks()).join()));
    assert.equal(await commentsView(), 0, 'the Comments view opens only for the user');
    await window.screenshot('comments/mark');
    await chips.getByRole('button', { name: 'Remove 2 comments' }).click();
    await until('no mark', async () => (await marks()).length === 0);
    await runCommands('acpHost.endSession');
  });
});

describe('a comment without a session', () => {
  let window;
  let folder;
  opens(async () => {
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'acpHost.defaultAgent': 'Reader' } }));
  });

  it('starts one, and leaves the user in the file', async () => {
    writeFileSync(join(folder, 'first.txt'), text);
    await window.openFile('first.txt');
    await startCommand('acpHost.commentForAgent');
    const box = window.page.locator('.quick-input-widget:visible');
    await box
      .locator('.quick-input-title')
      .getByText(/^Comment for /)
      .waitFor();
    assert.equal(await window.tab('first.txt').getAttribute('aria-selected'), 'true');
    // The page of the new chat has loaded by then, and must not take what the user types.
    await pause(3000);
    await window.page.keyboard.type('Typed after a while');
    assert.equal(await box.locator('input.input').inputValue(), 'Typed after a while');
    await window.page.keyboard.press('Enter');
    await until('the mark', async () => (await notesAtLineEnds(window)).some((note) => note.includes('Typed after a while')));
    assert.equal(await window.tab('first.txt').getAttribute('aria-selected'), 'true');
    await window.screenshot('comments/new');
    await runCommands('acpHost.endSession');
  });
});
