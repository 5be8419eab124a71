// Two versions of an installed agent in two windows: an update in one window leaves the agent that runs in the other one.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow, until, VSCodeWindow } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { vsix } from '../harness/lib/paths.mjs';
import { exactly } from '../harness/lib/see.mjs';
import { copyWorkspace, tempDir } from '../harness/lib/temp.mjs';
import { installExtension, startServer } from '../harness/lib/vscode.mjs';
import { noneLeft, processesOf, script } from '../e2e/agents.mjs';
import { startRegistry } from '../e2e/loopbackRegistry.mjs';
import { theStage } from '../e2e/stage.mjs';

const name = 'Loopback Agent';

describe('two versions of an installed agent', function () {
  this.timeout(300_000);
  this.retries(0);
  const dir = tempDir('agent-versions');
  const folders = [copyWorkspace(), copyWorkspace()];
  let registry;
  let server;
  let windows;

  before(async () => {
    const { install, browser } = await theStage();
    registry = await startRegistry(name);
    await installExtension(install, dir, vsix);
    const settings = {
      'acpHost.registry.urls': [registry.url],
      'acpHost.chat.openIn': 'editor',
      'acpHost.keepAgentsRunning': 'never',
      'remote.autoForwardPorts': false,
    };
    server = await startServer(install, { dir, settings });
    const first = await openWindow(browser, server.url);
    const page = await first.page.context().newPage();
    page.setDefaultTimeout(30_000);
    windows = [first, new VSCodeWindow(page, server.url)];
    for (const [at, window] of windows.entries()) await window.openFolder(folders[at]);
  });

  afterEach(async function () {
    if (this.currentTest.state === 'failed')
      await Promise.all(windows.map((window, at) => window.leaveEvidence(`agent-versions-${at}-${this.currentTest.title}`)));
  });

  after(async () => {
    await windows?.[0].page.context().close();
    await server?.stop();
    await registry?.close();
  });

  const browse = async (window) => {
    await window.command('ACP: Browse Agents');
    await window
      .frame()
      .getByRole('heading', { name: exactly('Agents'), level: 1 })
      .waitFor();
    const act = (action) =>
      window
        .frame()
        .getByRole('button', { name: `${action}: ${name}`, exact: true })
        .click();
    return { act, page: window.frame() };
  };
  const start = async (window, act) => {
    const other = await window.frameName();
    await act('New Session');
    await window.tab(name).waitFor();
    await window.closeGroup('Browse Agents');
    await window.panel({ other });
    return new Conversation(window);
  };
  const answers = async (conversation, text) => {
    await conversation.prompt(script({ say: text }));
    await conversation.says(text);
  };
  const running = (version) => processesOf(`installed-agent-${version}`).length > 0;

  it('run side by side, and leave nothing when they are uninstalled', async () => {
    const [first, second] = windows;
    const list = await browse(first);
    await list.act('Install');
    await list.page.getByRole('button', { name: `Uninstall: ${name}`, exact: true }).waitFor();
    const old = await start(first, list.act);
    await answers(old, 'Version one in the first window.');

    registry.publish('1.1.0');
    const other = await browse(second);
    await other.page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await other.act('Update');
    await other.page.getByRole('button', { name: `Roll Back: ${name}`, exact: true }).waitFor();
    const updated = await start(second, other.act);
    await answers(updated, 'Version two in the second window.');
    assert.ok(running('1.0.0') && running('1.1.0'), 'both versions run');
    await answers(old, 'Version one is still there.');
    await first.screenshot('agents/first-version');
    await second.screenshot('agents/second-version');

    await second.command('ACP: End Session');
    await noneLeft('installed-agent-1.1.0', { timeoutMs: 20_000 });
    const again = await browse(second);
    await again.act('Roll Back');
    const row = again.page.getByRole('row').filter({ hasText: name });
    await row.getByText('1.0.0').first().waitFor();
    const third = await start(second, again.act);
    await answers(third, 'Version one again.');
    await answers(old, 'Undisturbed.');
    assert.ok(!running('1.1.0'));
    await second.screenshot('agents/rolled-back');

    for (const window of windows) await window.command('ACP: End Session');
    await noneLeft('installed-agent', { timeoutMs: 20_000 });
    const storage = join(dir, 'data', 'User', 'globalStorage', 'acp-host.acp-host');
    const files = () => readdirSync(storage, { recursive: true }).filter((file) => file.includes('loopback'));
    assert.notDeepEqual(files(), []);
    const last = await browse(second);
    await last.act('Uninstall');
    const dialog = second.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Uninstall', exact: true }).click();
    await last.page.getByRole('button', { name: `Install: ${name}`, exact: true }).waitFor();
    await until('the files of both versions to be gone', () => files().length === 0);
  });
});
