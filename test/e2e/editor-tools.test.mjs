// The editor's tools, as an agent reaches them over HTTP and over the bridge. Pictures go to test-results/editor-tools/.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { root } from '../harness/lib/paths.mjs';
import { openWorkspace, runCommands, startCommand } from './stage.mjs';

const AGENT = join(root, 'test', 'agent', 'scripted', 'editorToolsAgent.mjs');

describe("the editor's tools", () => {
  for (const way of ['http', 'stdio']) {
    it(`answer an agent over ${way}, each call once, and ask before a change`, async () => {
      const { window } = await openWorkspace({
        userSettings: {
          'acpHost.agents': { Tools: { command: process.execPath, args: [AGENT, way] } },
          'acpHost.editorTools': { Tools: 'all' },
        },
        files: { 'a.txt': 'one\nthe needle\n' },
      });
      const conversation = await newSession(window, 'Tools');
      const { log } = conversation;
      await conversation.prompt('list');
      await log.getByText(`${way}: active_editor`).waitFor();
      await conversation.turnEnd();
      const listed = await log.innerText();
      assert.match(listed, new RegExp(`${way}: active_editor`));
      assert.match(listed, /\breferences\b.*\brename_symbol\b/s);

      await conversation.prompt('search_text {"query":"needle"}');
      await conversation.turnEnd();
      await log
        .getByText(/a\.txt:2/)
        .first()
        .waitFor();
      // A second card would come after a moment.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      assert.equal(await log.getByRole('article', { name: /search.text/i }).count(), 1);
      await window.screenshot(`editor-tools/${way}`);

      await conversation.prompt('format {"file":"a.txt"}');
      await log.getByRole('button', { name: 'Reject' }).click();
      await conversation.turnEnd();
      await log.getByText('The user did not allow the tool format to run.').waitFor();
    });
  }

  it('change files like other edits: kept, undone and restored', async () => {
    const ugly = '{"a":1,"b":[1,2]}';
    const { window, folder } = await openWorkspace({
      userSettings: {
        'acpHost.agents': { Tools: { command: process.execPath, args: [AGENT, 'http'] } },
        'acpHost.editorTools': { Tools: 'all' },
      },
      files: { 'kept.json': ugly, 'undone.json': ugly, 'restored.json': ugly },
    });
    await runCommands('acpHost.keepAllChanges');
    const text = (name) => readFileSync(join(folder, name), 'utf8');
    const conversation = await newSession(window, 'Tools');
    const tab = () =>
      window.page
        .locator('.part.editor .tabs-container')
        .getByRole('tab', { name: /^format/ })
        .last();
    const format = async (name) => {
      if ((await tab().count()) > 0) await tab().click();
      await conversation.prompt(`format {"file":"${name}"}`);
      await conversation.log.getByRole('button', { name: 'Allow Once', exact: true }).click();
      await conversation.turnEnd();
      await until(`${name} to change`, () => text(name) !== ugly);
    };
    const lenses = () => window.page.locator('.part.editor .codelens-decoration').filter({ hasText: 'Keep' }).count();

    await format('kept.json');
    await window.openFile('kept.json');
    await until('the lenses', async () => (await lenses()) > 0);
    await window.screenshot('editor-tools/edit');
    const kept = text('kept.json');
    await runCommands('acpHost.keepFileChanges');
    await until('no lenses', async () => (await lenses()) === 0);
    assert.equal(text('kept.json'), kept);

    await format('undone.json');
    await window.openFile('undone.json');
    await until('the lenses', async () => (await lenses()) > 0);
    await runCommands('acpHost.undoFileChanges');
    await until('the earlier text', () => text('undone.json') === ugly);

    await format('restored.json');
    await startCommand('acpHost.restoreCheckpoint');
    await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'restored.json' }).first().click();
    await window.pickRow('Restore Files');
    await until('the restored text', () => text('restored.json') === ugly);
    assert.equal(text('kept.json'), kept);
    await tab().click();
    await conversation.log.getByRole('button', { name: 'Undo Restore' }).click();
    await until('the text before the restore', () => text('restored.json') !== ugly);
  });
});
