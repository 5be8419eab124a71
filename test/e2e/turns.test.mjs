// The end of a turn: its changed files, links and resources open, and its notices are visible.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { scripted, script } from './agents.mjs';
import { openWorkspace, opens, runCommands } from './stage.mjs';

describe('the end of a turn', () => {
  let window;
  let folder;
  let conversation;

  const open = async () => {
    ({ window, folder } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Worker: scripted({}, 'worker') } },
      files: { 'src/sums.js': 'one\ntwo\n' },
    }));
    conversation = await newSession(window, 'Worker');
  };
  opens(open);

  const shown = (text) =>
    until(`an editor with ${text}`, async () => (await window.editor().isVisible()) && (await window.editorText()).includes(text));
  const back = async () => {
    await runCommands('workbench.action.closeActiveEditor');
    await conversation.composer.waitFor();
  };

  it('lists the changed files, and opens their diffs', async () => {
    const file = join(folder, 'src', 'sums.js');
    await conversation.prompt(
      script(
        { tool: { toolCallId: 'e', title: 'Edit it', kind: 'edit', status: 'in_progress' } },
        {
          toolUpdate: {
            toolCallId: 'e',
            status: 'completed',
            content: [{ type: 'diff', path: file, oldText: 'one\ntwo\n', newText: 'one\nTWO\nthree\n' }],
          },
        },
        { shell: `printf 'one\\nTWO\\nthree\\n' > '${file}'` },
        { write: { path: join(folder, 'made.txt'), content: 'made for the agent\n' } },
        { usage: { used: 100, size: 1000, cost: { amount: 0.5, currency: 'EUR' } } },
        { notice: { severity: 'warning', title: 'The index is old' } },
      ),
    );
    await conversation.frame.getByRole('region', { name: 'Notifications' }).getByText('The index is old').waitFor();
    const line = conversation.frame.getByRole('log').getByRole('button', { name: '2 files changed' });
    await line.click();
    const rows = conversation.frame.getByRole('list', { name: 'Changed files' }).getByRole('listitem');
    assert.deepEqual(
      (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      ['src/sums.js +2 −1 Open File', 'made.txt New file +1 −0 Open File'],
    );
    await conversation.frame.getByRole('button', { name: /of 1\.0K/ }).click();
    await window.screenshot('turns');
    await rows.nth(0).getByRole('button', { name: 'src/sums.js', exact: true }).click();
    await until('a difference', async () => (await window.page.locator('.diff-editor, .monaco-diff-editor').count()) > 0);
    assert.equal(await conversation.composer.isVisible(), true, 'it opens beside the conversation');
    await rows.nth(1).getByRole('button', { name: 'Open File made.txt', exact: true }).click();
    await shown('made for the agent');
    await back();
  });

  it('opens links at their lines, asks before it leaves the folders, and opens sent resources', async () => {
    await conversation.prompt(
      script(
        { chunks: ['See `src/calc.js:2` and [hosts](/etc/hosts).'] },
        {
          update: {
            sessionUpdate: 'agent_message_chunk',
            content: {
              type: 'resource',
              resource: { uri: 'demo://notes/told.md', mimeType: 'text/markdown', text: '# Told by the agent\n' },
            },
          },
        },
      ),
    );
    await conversation.frame.getByRole('link', { name: 'src/calc.js:2' }).click();
    await shown('return');
    await until('line 2', async () => /Ln 2, Col 1/.test(await window.page.locator('.part.statusbar').innerText()));
    await back();
    await conversation.frame.getByRole('link', { name: 'hosts' }).click();
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('/etc/hosts').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await conversation.frame.getByRole('button', { name: 'told.md' }).click();
    await shown('# Told by the agent');
    await until('its language', async () => /Markdown/.test(await window.page.locator('.part.statusbar').innerText()));
  });
});
