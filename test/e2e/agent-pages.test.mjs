import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { exactly } from '../harness/lib/see.mjs';
import { openWorkspace } from './stage.mjs';

describe('the pages of agents', () => {
  /** Waits for the page of agents with this heading. */
  const pageWith = async (window, heading) => {
    await window.frame().getByRole('heading', { name: exactly(heading), level: 1 }).waitFor();
    return window.frame();
  };

  it('find an agent, show it, test it, and list it while it runs', async () => {
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { 'Broken Agent': { command: process.execPath, args: ['-e', 'console.error("no license for " + 7); process.exit(3)'] } } },
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

    const conversation = await newSession(window, 'Demo');
    await window.command('ACP: Show Running Agents');
    const running = await pageWith(window, 'Running Agents');
    await running.getByRole('row').filter({ hasText: 'Demo Agent' }).getByText(/\d MB/).waitFor();
    await window.screenshot('agents/running');
    await running.getByRole('button', { name: 'Stop: Demo Agent', exact: true }).click();
    await running.getByText('No agent is running.').waitFor();
    await running.getByRole('heading', { name: 'Running Agents' }).waitFor();
    void conversation;
  });

  it('say what to do about an agent that does not start', async () => {
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { 'Broken Agent': { command: process.execPath, args: ['-e', 'console.error("no license for " + 7); process.exit(3)'] } } },
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
