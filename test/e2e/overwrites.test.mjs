// An agent that computes the whole text of a file, asks, and then writes that text to the disk itself, as OpenCode does. A line that the user saved
// meanwhile is warned about, reported, and put back. Pictures go to test-results/overwrites/.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace } from './stage.mjs';

const lines = (changed = {}) => Array.from({ length: 12 }, (_, index) => `${changed[index] ?? `line ${index}`}\n`).join('');
const agents = { Writer: scripted({}, 'overwrites') };

describe('an agent that writes its earlier text over a saved line', function () {
  this.timeout(120_000);
  let window;
  let conversation;
  let folder;

  before(async () => {
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'acpHost.permissions.present': 'both' } }));
    conversation = await newSession(window, 'Writer');
  });

  const stored = (name) => readFileSync(join(folder, name), 'utf8');
  const widget = () => window.page.locator('.quick-input-widget:visible');

  /** The agent asks for a change of line 2, and the user saves `mine` at the end of line 0 while the request waits. */
  async function overwrite(name) {
    const file = join(folder, name);
    writeFileSync(file, lines());
    const old = lines({ 2: 'LINE 2' });
    const call = { toolCallId: name, title: `Edit ${name}`, kind: 'edit' };
    const content = [{ type: 'diff', path: file, oldText: lines(), newText: old }];
    await conversation.prompt(
      script(
        { tool: { ...call, status: 'pending', locations: [{ path: file }] } },
        { permission: { toolCall: { ...call, content } } },
        { shell: `printf '${old.replaceAll('\n', '\\n')}' > '${file}'` },
        { toolUpdate: { toolCallId: name, status: 'completed' } },
        { sleep: 2000 },
        { say: `Edited ${name}.` },
      ),
    );
    await conversation.log.getByRole('button', { name: /^Allow/ }).waitFor();
    await window.openFile(name);
    await window.page.locator('.part.editor .view-lines').first().click();
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.press('End');
    await window.page.keyboard.insertText(' mine');
    await window.page.keyboard.press('Control+s');
    await until('the saved line', () => stored(name) === lines({ 0: 'line 0 mine' }));
    await window.command('ACP: Answer Permission Request');
    await widget()
      .locator('.quick-input-title', { hasText: `${name} has changed since` })
      .waitFor();
    await window.screenshot(`overwrites/${name}-pick`);
  }

  const showChat = () =>
    window.page
      .locator('.part.editor .tabs-container')
      .getByRole('tab', { name: /^@script|Writer/ })
      .first()
      .click();

  it('is warned about while the request waits, reported, and put back beside the agent’s line', async () => {
    await overwrite('disk.txt');
    await window.page.keyboard.press('Escape');
    await showChat();
    await conversation.log.getByText('disk.txt has changed since Writer prepared this change').waitFor();
    await window.screenshot('overwrites/card');
    await conversation.log
      .getByRole('button', { name: /^Allow/ })
      .last()
      .click();
    await conversation.log.getByText('Writer overwrote lines of disk.txt').waitFor({ timeout: 20_000 });
    assert.equal(stored('disk.txt'), lines({ 2: 'LINE 2' }));
    await conversation.says('Edited disk.txt.');
    await window.screenshot('overwrites/notice');
    await conversation.log.getByRole('button', { name: 'Put Lines Back' }).click();
    await until('both lines', () => stored('disk.txt') === lines({ 0: 'line 0 mine', 2: 'LINE 2' }));
    await conversation.turnEnd();
    await window.openFile('disk.txt');
    const lenses = window.page.locator('.part.editor .codelens-decoration').filter({ hasText: 'Keep' });
    await until('one change of the agent', async () => (await lenses.count()) === 1);
    await window.screenshot('overwrites/put-back');
  });
});
