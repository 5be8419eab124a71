// A workspace of several folders. Pictures go to test-results/earlier/.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { noneLeft, script, scripted } from './agents.mjs';
import { changeSettings, clearWindow, opens, openWorkspace } from './stage.mjs';

const sessionCapabilities = { resume: {}, close: {}, additionalDirectories: {} };
const agents = { Roomy: scripted({ initialize: { agentCapabilities: { sessionCapabilities } }, keeps: true }, 'roomy') };
const planted = { 'acpHost.agents': { 'Planted agent': { command: 'planted' } } };

describe('in a workspace of several folders', () => {
  let window;
  let folder;

  opens(async () => {
    ({ window, folder } = await openWorkspace({
      files: { 'one/one.txt': '1', 'one/.vscode/settings.json': JSON.stringify(planted), 'two/two.txt': 'two' },
      prepare: (workspace) => {
        const file = join(workspace, 'both.code-workspace');
        writeFileSync(file, JSON.stringify({ folders: [{ path: 'one' }, { path: 'two' }] }));
        return file;
      },
    }));
  });
  beforeEach(clearWindow);

  const rowOf = (title) =>
    window.page
      .locator(quickRows)
      .filter({ has: window.page.locator('.label-name', { hasText: title }) })
      .first();

  it('one that brings agents of its own is refused aloud, and the session works in the folder that was picked', async () => {
    await window.command('ACP: New Session');
    const rows = await window.quickPickRows();
    assert.deepEqual(
      rows.filter((row) => /planted/i.test(row)),
      [],
    );
    await window.pickRow('Demo');
    await window.pickRow('two');
    const frame = await window.panel();
    await frame.getByText('two', { exact: true }).first().waitFor();
    await window.notification('the folder one');
  });

  it('a session may use others than its own, and gives them back', async () => {
    await changeSettings({ 'acpHost.agents': agents, 'acpHost.defaultAgent': 'Roomy' });
    const reads = async (conversation, answer) => {
      await conversation.prompt(script({ read: join(folder, 'two', 'two.txt') }));
      await conversation.says(answer);
      await conversation.turnEnd();
    };
    const pickNothingElse = async (place) => {
      const box = window.page
        .locator(quickRows)
        .filter({ has: window.page.locator('.label-name', { hasText: 'two' }) })
        .first();
      await box.waitFor();
      await box.click();
      await window.screenshot(`earlier/${place}`);
      await window.page.keyboard.press('Enter');
    };

    await window.command('ACP: New Session');
    await window.pickRow(/Add Other Workspace Folders/);
    await window.pickRow('one');
    await window.page
      .locator('.quick-input-widget:visible .quick-input-box input[placeholder*="Select other folders the agent can use"]')
      .waitFor();
    await pickNothingElse('folders');
    await window.panel();
    const conversation = new Conversation(window);
    await conversation.frame.locator('.header').getByText('1 more folder').waitFor();
    await reads(conversation, 'read: "two"');
    await window.screenshot('earlier/roomy');

    await window.command('ACP: Change Session Folders…');
    await pickNothingElse('change-folders');
    await conversation.frame.locator('.header').getByText('1 more folder').waitFor({ state: 'detached' });
    await reads(conversation, 'Outside the folders of this session');
    await window.command('ACP: End Session');
    await noneLeft('scripted-agent.mjs roomy');

    await window.command('View: Close Editor');
    await window.command('ACP: New Session');
    await rowOf('one').waitFor();
    assert.match(await rowOf('one').innerText(), /\+ two/, 'what was chosen is remembered');
    await window.pickRow('two');
    await window.panel();
    await reads(new Conversation(window), 'read: "two"');
    assert.equal(await conversation.frame.locator('.header').getByText('more folder').count(), 0);
    await window.command('ACP: End Session');
    await noneLeft('scripted-agent.mjs roomy');
  });
});
