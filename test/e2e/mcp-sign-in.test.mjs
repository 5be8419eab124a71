// A server over HTTP that needs a sign-in: the browser, the way back, the restart, and signing out. Pictures go to test-results/mcp-sign-in/.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { root } from '../harness/lib/paths.mjs';
import { filesWith } from '../harness/lib/temp.mjs';
import { browserAddress, signInInBrowser } from '../harness/lib/signInPage.mjs';
import { startProvider } from '../support/oauthProvider.mjs';
import { openWorkspace, runCommands, startCommand, theStage } from './stage.mjs';

const AGENT = join(root, 'test', 'agent', 'scripted', 'mcpEcho.mjs');

describe('signing in at an MCP server', () => {
  let provider;
  before(async () => {
    provider = await startProvider();
    provider.set({ metadata: { authorization_endpoint: browserAddress(provider) } });
  });
  after(() => provider?.close());

  it('opens the browser, passes the token, and writes it nowhere', async () => {
    const { window } = await openWorkspace({
      userSettings: {
        'acpHost.agents': { Echo: { command: process.execPath, args: [AGENT] } },
        'acpHost.mcpServers': { plums: { url: provider.url } },
        'remote.autoForwardPorts': false,
      },
    });
    const { page } = window;
    const conversation = await newSession(window, 'Echo');
    const { log } = conversation;
    await log.getByText('MCP servers that need you to sign in: plums').waitFor();
    await conversation.prompt('before');
    await conversation.turnEnd();
    await window.screenshot('mcp-sign-in/needed');

    await log.getByRole('button', { name: 'Sign In…' }).click();
    await signInInBrowser(window, provider, { look: () => window.screenshot('mcp-sign-in/asked') });
    await log.getByRole('button', { name: 'Restart with These Servers' }).click();
    await until('the server', async () => {
      await conversation.prompt('servers');
      await conversation.turnEnd();
      return /"name":"plums"/.test(await log.innerText());
    });
    await log.getByText('MCP server plums needs nothing more from you.').waitFor();
    await window.screenshot('mcp-sign-in/passed');

    const { dir } = await theStage();
    const secrets = provider.secrets();
    assert.ok(secrets.length >= 3);
    assert.deepEqual(filesWith(dir, secrets), []);

    await startCommand('acpHost.signOutOfMcpServers');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'plums' }).waitFor();
    await window.screenshot('mcp-sign-in/sign-out');
    await page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' }).click();
    await log.getByText('MCP servers that need you to sign in: plums').waitFor();
    await runCommands('acpHost.endSession');
  });
});
