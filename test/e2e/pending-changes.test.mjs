// Changes that wait for review: editors tint their lines, and a reload of the window keeps them in sight although no chat is open.
// Pictures go to test-results/pending-changes/.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace, runCommands, startCommand } from './stage.mjs';

const earlier = Array.from({ length: 12 }, (_, index) => `line ${index}\n`).join('');
const after = earlier.replace('line 2\n', 'LINE 2\n').replace('line 6\n', '');
const agents = {
  Writer: scripted({ initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true }, 'pending'),
};

describe('changes that wait for review', function () {
  this.timeout(180_000);
  let window;
  let file;

  const lenses = () => window.page.locator('.part.editor .codelens-decoration').filter({ hasText: 'Keep' }).count();
  /** The decorations of lines. */
  const tints = () =>
    window.page.evaluate(() => {
      const styles = [...document.querySelectorAll('.part.editor .view-overlays .cdr[class*="TextEditorDecorationType"]')].map((each) =>
        getComputedStyle(each),
      );
      const isVisible = (color) => !/, 0\)$|^transparent$/.test(color);
      return styles.flatMap(({ backgroundColor, borderTopWidth, borderTopColor }) =>
        isVisible(backgroundColor) ? ['tint'] : borderTopWidth === '2px' && isVisible(borderTopColor) ? ['removed'] : [],
      );
    });

  before(async () => {
    let folder;
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
    // Other tests may have left changes in files that no longer exist.
    await runCommands('acpHost.keepAllChanges');
    file = join(folder, 'pending.txt');
    writeFileSync(file, earlier);
    const conversation = await newSession(window, 'Writer');
    await conversation.prompt(script({ say: 'Nothing yet.' }));
    await conversation.turnEnd();
    await conversation.prompt(
      script({ sleep: 1500 }, { shell: `printf '${after.replaceAll('\n', '\\n')}' > '${file}'` }, { say: 'Changed.' }),
    );
    await conversation.says('Changed.');
    await conversation.turnEnd();
  });

  it('tint their lines in the editor, and mark where lines were removed', async () => {
    await window.openFile('pending.txt');
    await until('the lenses', async () => (await lenses()) >= 2);
    await until('the tint', async () => (await tints()).sort().join() === 'removed,tint');
    await window.screenshot('pending-changes/tint');
  });

  it('are shown after a reload of the window without a chat', async () => {
    await Promise.all([runCommands('workbench.action.closeAllEditors'), window.editorsClosed()]);
    await runCommands('workbench.action.closeAuxiliaryBar', 'workbench.view.explorer');
    await window.openFile('pending.txt');
    await window.reload();
    assert.equal(await window.page.locator('iframe.webview.ready:visible').count(), 0, 'a chat is open');
    await until('the lenses', async () => (await lenses()) >= 2, { timeoutMs: 30_000 });
    await until('the tint', async () => (await tints()).sort().join() === 'removed,tint');
    const statusBar = window.page.locator('.statusbar-item[id$="acpHost.sessions"]:visible a');
    // Other tests of this window may have left changes of their own.
    assert.match((await statusBar.getAttribute('aria-label')) ?? '', /files? (?:has|have) changes to review/);
    await window.screenshot('pending-changes/reloaded');
    await runCommands('workbench.view.scm');
    await window.page.locator('.scm-view').getByText('pending.txt').first().waitFor();
    await window.screenshot('pending-changes/source-control');
  });

  it('have Keep and Undo in the title of their diff', async () => {
    await window.openFile('pending.txt');
    await runCommands('acpHost.openFileChanges');
    await window.page.locator('.part.editor .monaco-diff-editor:visible .line-insert').first().waitFor();
    for (const name of ['Keep Changes in File', 'Undo Changes in File']) {
      await window.page
        .locator('.part.editor .editor-actions')
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor();
    }
    await window.screenshot('pending-changes/diff');
  });

  it('are shown again after a reload in the review that was open, with its buttons', async () => {
    const tabs = window.page.locator('.part.editor .tabs-container').getByRole('tab', { name: /^Changes to Review/ });
    const button = window.page.locator('.part.editor .editor-actions').getByRole('button', { name: /^Keep All/ });
    await Promise.all([runCommands('workbench.action.closeAllEditors'), window.editorsClosed()]);
    await runCommands('acpHost.reviewAllChanges');
    await button.waitFor();
    await window.reload();
    await button.waitFor();
    await until('one review', async () => (await tabs.count()) === 1);
    await window.page.locator('.part.editor .multiDiffEditor .view-line', { hasText: 'LINE 2' }).first().waitFor();
    await window.screenshot('pending-changes/review');
  });

  it('are undone there', async () => {
    await window.openFile('pending.txt');
    await runCommands('acpHost.undoFileChanges');
    await until('the file', () => readFileSync(file, 'utf8') === earlier);
    await until('no tint', async () => (await tints()).length === 0);
    await runCommands('workbench.view.explorer');
  });

  it('leave no review behind after a reload when none is left', async () => {
    const tabs = window.page.locator('.part.editor .tabs-container').getByRole('tab', { name: /^Changes to Review/ });
    assert.equal(await tabs.count(), 1);
    await window.reload();
    await until('no review', async () => (await tabs.count()) === 0);
  });

  it('wait again when a restore brings an undone change back', async () => {
    const conversation = await newSession(window, 'Writer');
    const before = join(file, '..', 'restored.txt');
    writeFileSync(before, earlier);
    const write = (text) => ({ shell: `printf '${text.replaceAll('\n', '\\n')}' > '${before}'` });
    const first = after;
    const second = first.replace('line 10\n', 'LINE 10\n');
    for (const [text, said] of [
      [first, 'one.'],
      [second, 'two.'],
    ]) {
      await conversation.prompt(script({ say: `Begin ${said}` }, { sleep: 1500 }, write(text), { say: `Did ${said}` }));
      await conversation.says(`Did ${said}`);
      await conversation.turnEnd();
    }
    await window.openFile('restored.txt');
    await until('the lenses', async () => (await lenses()) >= 3);
    await window.page.locator('.part.editor .codelens-decoration a', { hasText: 'Undo' }).first().click();
    await until('the undo', () => readFileSync(before, 'utf8') === second.replace('LINE 2', 'line 2'));
    await startCommand('acpHost.restoreCheckpoint');
    await window.pickRow(/Begin two/);
    await window.page.locator('.quick-input-widget:visible', { hasText: 'Brings back a change that you undid' }).waitFor();
    await window.screenshot('pending-changes/restore-scope');
    await window.pickRow('Restore Files');
    await until('the restore', () => readFileSync(before, 'utf8') === first);
    await until('the lenses', async () => (await lenses()) === 2);
    await window.page
      .locator('.part.editor .tabs-container')
      .getByRole('tab', { name: /^@script/ })
      .last()
      .click();
    await conversation.says('Checkpoint restored.');
    await window.screenshot('pending-changes/restored');
    await conversation.log.getByRole('button', { name: 'Undo Restore' }).click();
    await until('the undo of the restore', () => readFileSync(before, 'utf8') === second.replace('LINE 2', 'line 2'));
    await window.openFile('restored.txt');
    await runCommands('acpHost.undoFileChanges');
    await until('the file', () => readFileSync(before, 'utf8') === earlier);
  });
});
