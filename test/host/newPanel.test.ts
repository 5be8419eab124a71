import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { openEarlyPanel } from '../../src/workbench/chat/newPanel';
import { settings } from '../../src/application/shared/ids';
import { eventually } from './filesFixture';

describe('a panel opened before its session', () => {
  const { extensionUri } = vscode.extensions.getExtension('acp-host.acp-host')!;
  const set = (setting: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
  const open = () => openEarlyPanel(extensionUri);

  beforeEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  afterEach(async () => {
    await set(settings.defaultAgent, undefined);
    await set(settings.agents, undefined);
    await set(settings.chatLocation, undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is opened for the demo and for a user’s agent, with its name', async () => {
    await set(settings.defaultAgent, 'Demo Agent');
    const early = await open();
    await eventually('its tab', () => tabs().includes('Demo Agent'));
    early!.leave();
    await set(settings.agents, { '$(star)One': { command: 'one' } });
    await set(settings.defaultAgent, '$(star)One');
    const other = await open();
    await eventually('the other tab alone', () => tabs().length === 1 && tabs()[0]!.includes('(star)One'));
    other!.leave();
  });

  it('is not opened when a question comes first, or chats are elsewhere', async () => {
    assert.equal(await open(), undefined, 'no default agent');
    await set(settings.defaultAgent, 'Nobody');
    assert.equal(await open(), undefined, 'an agent that is not known');
    await set(settings.defaultAgent, 'constructor');
    assert.equal(await open(), undefined, 'a name of no agent');
    await set(settings.defaultAgent, 'Demo Agent');
    await set(settings.chatLocation, 'sideBar');
    assert.equal(await open(), undefined, 'the side bar');
    assert.deepEqual(tabs(), []);
  });

  it('belongs to one session, or closes', async () => {
    await set(settings.defaultAgent, 'Demo Agent');
    const early = (await open())!;
    const panel = early.take()!;
    assert.equal(early.take(), undefined);
    early.leave();
    await eventually('its tab', () => tabs().length === 1);
    panel.dispose();
    const left = (await open())!;
    left.leave();
    assert.equal(left.take(), undefined);
    await eventually('no tab', () => tabs().length === 0);
  });

  it('disappears when the user closes it', async () => {
    await set(settings.defaultAgent, 'Demo Agent');
    const early = (await open())!;
    await eventually('its tab', () => tabs().length === 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await eventually('no tab', () => tabs().length === 0);
    await eventually('none', () => early.take() === undefined);
  });

  it('closes when the user’s agent cannot be started without a question', async () => {
    await set(settings.agents, { Broken: { command: '' } });
    await set(settings.defaultAgent, 'Broken');
    const seen: string[] = [];
    const watch = vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      seen.push(...opened.map(({ label }) => `opened ${label}`), ...closed.map(({ label }) => `closed ${label}`));
    });
    const asked = vscode.commands.executeCommand('acpHost.newSession');
    await eventually('its tab to come and go', () => seen.includes('opened Broken') && seen.includes('closed Broken'));
    watch.dispose();
    assert.deepEqual(tabs(), []);
    // The quick pick that opens instead is cancelled.
    let answered = false;
    void asked.then(() => (answered = true));
    await eventually('the pick to close', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return answered;
    });
  });
});
