// The pages of agents and the inspector after a crash of the extension host: each says so after an action, and its link opens it in the new host.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { exactly } from '../harness/lib/see.mjs';
import { newestProcess, scripted } from './agents.mjs';
import { clearWindow, openWorkspace, startCommand } from './stage.mjs';

describe('a page of a crashed extension host', function () {
  this.timeout(180_000);

  for (const [name, title, command, act] of [
    ['Browse Agents', 'Agents', 'acpHost.browseAgents', (frame) => frame.getByRole('button', { name: 'Refresh', disabled: false }).click()],
    ['Inspector', 'Inspector', 'acpHost.openInspector', (frame) => frame.getByRole('button', { name: 'Export…' }).click()],
  ]) {
    it(`says so, and opens again: ${name}`, async () => {
      const { window } = await openWorkspace({ userSettings: { 'acpHost.agents': { Scripted: scripted() } } });
      await newSession(window, 'Scripted');
      await startCommand(command);
      const heading = () => window.frame().getByRole('heading', { name: exactly(title), level: 1 });
      await heading().waitFor();
      process.kill(newestProcess('--type=extensionHost'), 'SIGKILL');
      const left = window.frame();
      await act(left);
      const line = left.getByRole('alert').filter({ hasText: 'Extension host not responding' });
      await line.waitFor({ timeout: 5000 });
      await window.screenshot(`crashed-pages/${name}`);
      const stale = await window.frameName();
      await line.getByRole('link', { name: 'Reopen Page' }).click();
      await until('the page of the next host', async () => (await window.frameName().catch(() => stale)) !== stale, { timeoutMs: 60_000 });
      await heading().waitFor();
      const tabs = window.page.locator('.part.editor .tabs-container').getByRole('tab', { name: new RegExp(name) });
      await until('one tab', async () => (await tabs.count()) === 1);
      assert.equal(await window.frame().getByRole('alert').count(), 0);
      await window.screenshot(`crashed-pages/${name}-reopened`);
      await clearWindow();
    });
  }
});
