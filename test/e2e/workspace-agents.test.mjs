// An agent in the settings of a workspace: offered only after the user has read and allowed its exact text.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { clearWindow, openWorkspace, startCommand } from './stage.mjs';

const REVIEW = 'Review 1 Agent of This Workspace…';

describe('an agent of the workspace', () => {
  it('starts after the user has allowed its text, and asks again when the text changes', async () => {
    let settings;
    const team = (tag) => JSON.stringify({ 'acpHost.agents': { Team: scripted({}, tag) } });
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Mine: scripted({}, 'mine') } },
      prepare: (workspace) => {
        settings = join(workspace, '.vscode', 'settings.json');
        mkdirSync(join(workspace, '.vscode'), { recursive: true });
        writeFileSync(settings, team('team-one'));
        return workspace;
      },
    });
    await startCommand('acpHost.newSession');
    const rows = await window.quickPickRows();
    assert.ok(!rows.some((row) => row.startsWith('Team')), rows.join());
    await window.pickRow(REVIEW);
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    const text = await dialog.innerText();
    assert.match(text, /Team in .*till/);
    assert.match(text, /team-one --setup/);
    assert.match(text, /AGENT_API_KEY/);
    await window.screenshot('agents/workspace-consent');
    await window.pressButton('Allow Agent');
    await window.pickRow('Team');
    await window.panel();
    const conversation = new Conversation(window);
    await conversation.prompt(script({ say: 'I am Team' }));
    await conversation.turnEnd();
    await conversation.says('I am Team');
    await clearWindow();
    writeFileSync(settings, team('team-two'));
    await until('the changed agent to wait', async () => {
      await startCommand('acpHost.newSession');
      const filter = window.page.locator('.quick-input-widget:visible input').first();
      await filter.waitFor();
      await filter.fill('Team');
      const found = await window.quickPickRows();
      await window.dismiss();
      return found.includes(REVIEW) && !found.some((row) => row.startsWith('Team'));
    });
  });
});
