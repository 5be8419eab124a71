// A workspace that the user does not trust at first. It has a server of its own, because the others trust every workspace. The saved session
// comes from the shared window: a second server that trusts the workspace would take as long as all these tests. Pictures go to
// test-results/restricted/.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { vsix } from '../harness/lib/paths.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { installExtension, startServer } from '../harness/lib/vscode.mjs';
import { noneLeft, processesOf, scripted } from './agents.mjs';
import { clearWindow, openWorkspace, theStage, unusedHere } from './stage.mjs';

const TAG = 'restricted-talker';
const resumes = { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } };
const settings = { 'acpHost.agents': { Talker: scripted({ initialize: resumes, keeps: true }, TAG) }, 'acpHost.defaultAgent': 'Talker' };
const trusting = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };

describe('a workspace in Restricted Mode', function () {
  this.timeout(240_000);
  let server;
  let window;

  before(async () => {
    const { install, browser, dir: trusted } = await theStage();
    const { window: shared, folder } = await openWorkspace({ userSettings: settings });
    const conversation = await newSession(shared);
    await conversation.prompt('Said in a trusted window');
    // The agent sends the title in its turn, and the list shows it once the session's summary is on the disk.
    await conversation.frame.getByText('A scripted journey').first().waitFor();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // The copy is in the state in which a window leaves it that ends now, whose files have no living owner.
    const dir = tempDir('restricted');
    const store = join('data', 'User', 'globalStorage', 'acp-host.acp-host', 'store');
    cpSync(join(trusted, store), join(dir, store), { recursive: true, filter: (file) => !file.endsWith('.owner') });
    await clearWindow();
    await noneLeft(TAG, { timeoutMs: 20_000 });
    await installExtension(install, dir, vsix);
    server = await startServer(install, { dir, settings: { ...settings, ...trusting }, trust: true, without: unusedHere });
    window = await openWindow(browser, server.url);
    await window.openFolder(folder);
  });

  afterEach(async function () {
    if (this.currentTest.state !== 'passed')
      console.log(`      picture: ${await window.leaveEvidence(`restricted-${this.currentTest.title}`)}`);
  });

  after(async () => {
    await window?.close();
    await server?.stop();
  });

  const view = () => window.page.locator('.sidebar');
  const row = () => view().locator('.monaco-list-row', { hasText: 'A scripted journey' }).first();

  it('lists saved sessions, explains why nothing starts, and shows a read-only session', async () => {
    await window.page
      .locator('.activitybar .action-item')
      .filter({ has: window.page.locator('[aria-label^="ACP Host"]') })
      .first()
      .click();
    await view().getByText('Restricted Mode: sessions can be read').waitFor();
    await row().waitFor();
    await window.screenshot('restricted/view');
    await row().dblclick();
    const frame = window.frame();
    await frame.getByText('This conversation is read-only').waitFor();
    await frame.getByRole('log', { name: 'Conversation' }).getByText('Said in a trusted window').first().waitFor();
    await window.screenshot('restricted/session');
    assert.deepEqual(processesOf(TAG), []);
  });

  it('offers to trust the workspace when a session is to start', async () => {
    const isOffered = async () => {
      // A window that is still loading does not know the key yet.
      await window.page.keyboard.press('Control+Alt+n');
      return (await window.notifications()).some((text) => text.includes("Agents don't start in Restricted Mode"));
    };
    await until('the offer to trust the workspace', isOffered);
    assert.deepEqual(processesOf(TAG), []);
  });

  it('starts agents once the user trusts the workspace, without a reload', async () => {
    await window.frame().getByRole('button', { name: 'Trust Folder…' }).click();
    const trust = window.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).first();
    await trust.click();
    await until(
      'the message of the view to go',
      async () => (await view().getByText('Restricted Mode: sessions can be read').count()) === 0,
    );
    assert.deepEqual(processesOf(TAG), [], 'trust alone starts nothing');
    // Newer versions of VS Code show their page in a dialog.
    const dialog = window.page.locator('.monaco-modal-editor-block');
    if ((await dialog.count()) > 0) await dialog.locator('.codicon-close:visible').first().click();
    await window.frame().getByText('This conversation is read-only').waitFor({ state: 'detached' });
    await window.screenshot('restricted/trusted');
    const conversation = new Conversation(window);
    await conversation.prompt('Said once it was trusted');
    await until('the agent to run', () => processesOf(TAG).length > 0);
    assert.ok((await conversation.log.innerText()).includes('Said in a trusted window'));
  });
});
