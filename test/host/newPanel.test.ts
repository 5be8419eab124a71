import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { openEarlyPanel } from '../../src/workbench/chat/newPanel';
import { settings } from '../../src/workbench/shared/ids';
import { eventually } from './filesFixture';

describe('the panel that is there before its session', () => {
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

  it('is made for the demo and for an agent of the user, with its name', async () => {
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

  it('is not made where something will be asked, or chats are elsewhere', async () => {
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

  it("is one session's, or closes", async () => {
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

  it('is gone when the user closes it', async () => {
    await set(settings.defaultAgent, 'Demo Agent');
    const early = (await open())!;
    await eventually('its tab', () => tabs().length === 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await eventually('no tab', () => tabs().length === 0);
    await eventually('none', () => early.take() === undefined);
  });

  it("closes where the user's agent cannot be started so", async () => {
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
    // What is asked instead is left.
    let answered = false;
    void asked.then(() => (answered = true));
    await eventually('the pick to close', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return answered;
    });
  });
});
