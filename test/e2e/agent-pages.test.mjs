import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { exactly } from '../harness/lib/see.mjs';
import { script } from './agents.mjs';
import { startRegistry } from './loopbackRegistry.mjs';
import { openWorkspace, runCommands } from './stage.mjs';

describe('the pages of agents', () => {
  /** Waits for the page of agents with this heading. */
  const pageWith = async (window, heading) => {
    await window
      .frame()
      .getByRole('heading', { name: exactly(heading), level: 1 })
      .waitFor();
    return window.frame();
  };

  it('find an agent, show it, test it, and list it while it runs', async () => {
    const { window } = await openWorkspace({
      userSettings: {
        'acpHost.agents': {
          'Broken Agent': { command: process.execPath, args: ['-e', 'console.error("no license for " + 7); process.exit(3)'] },
        },
      },
    });
    await window.command('ACP: Browse Agents');
    const browse = await pageWith(window, 'Agents');
    await browse.getByRole('searchbox', { name: 'Search agents' }).fill('demo');
    await until('one agent to be left', async () => (await browse.getByRole('row').count()) === 1);
    await window.screenshot('agents/browse');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');

    const page = await pageWith(window, 'Demo Agent');
    await page.getByRole('button', { name: 'Test Agent: Demo Agent', exact: true }).first().click();
    await page.getByText('Demo Agent works.').waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Test', exact: true }).getAttribute('aria-selected'), 'true');
    await window.screenshot('agents/tested');
    await page.getByRole('tab', { name: 'Features', exact: true }).click();
    await page.getByText('Load sessions').waitFor();

    await runCommands('workbench.action.closeAllEditors');
    await newSession(window, 'Demo');
    await window.command('ACP: Show Running Agents');
    const running = await pageWith(window, 'Running Agents');
    await running.getByRole('row').filter({ hasText: 'Demo Agent' }).getByText(/\d MB/).waitFor();
    await window.screenshot('agents/running');
    await running.getByRole('button', { name: 'Stop: Demo Agent', exact: true }).click();
    await running.getByText('No agent is running.').waitFor();
    await running.getByRole('heading', { name: 'Running Agents' }).waitFor();
  });

  it('install an agent from a registry, update it, start it, and uninstall it', async () => {
    // An attempt leaves its agent installed for the next one.
    const name = `Loopback Agent ${randomBytes(3).toString('hex')}`;
    const registry = await startRegistry(name);
    try {
      const { window } = await openWorkspace({ userSettings: { 'acpHost.registry.urls': [registry.url] } });
      await window.command('ACP: Browse Agents');
      const browse = await pageWith(window, 'Agents');
      const confirm = async () => {
        const dialog = window.page.locator('.monaco-dialog-box');
        await dialog.getByText(`Uninstall ${name}?`).waitFor();
        await dialog.getByRole('button', { name: 'Uninstall', exact: true }).click();
      };
      const button = (action) => browse.getByRole('button', { name: `${action}: ${name}`, exact: true });
      await button('Install').click();
      await button('Uninstall').waitFor();
      await window.screenshot('agents/installed');

      registry.publish('1.1.0');
      await browse.getByRole('button', { name: 'Refresh', exact: true }).click();
      await button('Update').click();
      await button('Roll Back').waitFor();
      await browse.getByRole('row').filter({ hasText: name }).getByText('1.1.0').waitFor();

      const other = await window.frameName();
      await button('New Session').click();
      // The session opens beside the list. The journey sees one page at a time.
      await window.tab(name).waitFor();
      await window.closeGroup('Browse Agents');
      await window.panel({ other });
      const conversation = new Conversation(window);
      await conversation.prompt(script({ chunks: ['from the ', 'registry'] }));
      await conversation.says('from the registry');

      await window.command('ACP: Browse Agents');
      await pageWith(window, 'Agents');
      await button('Uninstall').click();
      await browse.getByText('It is running').first().waitFor();
      await window.screenshot('agents/in-use');
      await window.command('ACP: Show Running Agents');
      const running = await pageWith(window, 'Running Agents');
      await running.getByRole('button', { name: `Stop: ${name}`, exact: true }).click();
      await running.getByText('No agent is running.').waitFor();
      await window.command('ACP: Browse Agents');
      await pageWith(window, 'Agents');
      await button('Uninstall').click();
      await confirm();
      await button('Install').waitFor();
    } finally {
      await registry.close();
    }
  });

  it('offer in the conversation to go back from an update that does not start', async () => {
    const name = `Loopback Agent ${randomBytes(3).toString('hex')}`;
    const registry = await startRegistry(name);
    try {
      const { window } = await openWorkspace({ userSettings: { 'acpHost.registry.urls': [registry.url] } });
      await window.command('ACP: Browse Agents');
      const browse = await pageWith(window, 'Agents');
      const button = (action) => browse.getByRole('button', { name: `${action}: ${name}`, exact: true });
      await button('Install').click();
      await button('Uninstall').waitFor();
      registry.publishBroken('2.0.0');
      await browse.getByRole('button', { name: 'Refresh', exact: true }).click();
      await button('Update').click();
      await button('Roll Back').waitFor();
      const other = await window.frameName();
      await button('New Session').click();
      await window.tab(name).waitFor();
      await window.closeGroup('Browse Agents');
      await window.panel({ other });
      const card = window.frame().getByRole('group', { name: "Couldn't start the agent" });
      await card.getByText('Version 1.0.0 is still installed').waitFor();
      await window.screenshot('agents/update-fails');
      await card.getByRole('button', { name: 'Roll Back', exact: true }).click();
      const conversation = new Conversation(window);
      await conversation.prompt(script({ say: 'from the version before' }));
      await conversation.says('from the version before');
    } finally {
      await registry.close();
    }
  });

  it('show what they showed after a reload of the window', async () => {
    const { window } = await openWorkspace({ userSettings: {} });
    await window.command('ACP: Browse Agents');
    const browse = await pageWith(window, 'Agents');
    await browse.getByRole('searchbox', { name: 'Search agents' }).fill('demo');
    await until('one agent to be left', async () => (await browse.getByRole('row').count()) === 1);
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await (await pageWith(window, 'Demo Agent')).getByRole('tab', { name: 'Features', exact: true }).click();
    // VS Code saves the state of a page with the next change of the editors, not earlier.
    await wait(500);
    await window.reload();
    const agent = await pageWith(window, 'Demo Agent');
    assert.equal(await agent.getByRole('tab', { name: 'Features', exact: true }).getAttribute('aria-selected'), 'true');
    await window.showTab('Browse Agents');
    const restored = await pageWith(window, 'Agents');
    assert.equal(await restored.getByRole('searchbox', { name: 'Search agents' }).inputValue(), 'demo');
    await restored.getByRole('row').filter({ hasText: 'Demo Agent' }).waitFor();
    await runCommands('workbench.action.closeAllEditors');
  });

  it('say what to do about an agent that does not start', async () => {
    const { window } = await openWorkspace({
      userSettings: {
        'acpHost.agents': {
          'Broken Agent': { command: process.execPath, args: ['-e', 'console.error("no license for " + 7); process.exit(3)'] },
        },
      },
    });
    await window.command('ACP: Test Agent…');
    await window.pickRow('Broken Agent');
    const page = await pageWith(window, 'Broken Agent');
    await page.getByText("Broken Agent doesn't work yet.").waitFor();
    await page.getByText('no license for 7').first().waitFor();
    await page.getByText("Check the output below, then retry or edit the agent's settings.").waitFor();
    await window.screenshot('agents/failed');
  });
});
