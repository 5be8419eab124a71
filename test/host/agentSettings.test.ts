/** The settings of agents in the window: the warnings about ignored ones, and the command that adds an agent. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addAgent } from '../../src/workbench/agents/addAgent';
import { readAgentSettings } from '../../src/workbench/settings/agentSettings';
import { WindowStubs } from './windowStubs';

const SETTING = 'acpHost.agents';

describe('settings of agents', () => {
  const dialogs = new WindowStubs();
  afterEach(() => dialogs.restore());

  it('accept the defaults in our own manifest without a warning', () => {
    assert.deepEqual(readAgentSettings().ignored, []);
  });

  it('get a new agent without editing JSON, which starts a session and leaves the others alone', async () => {
    const global = () => vscode.workspace.getConfiguration().inspect<Record<string, unknown>>(SETTING)?.globalValue;
    const before = global();
    const other = { command: 'other-agent' };
    await vscode.workspace.getConfiguration().update(SETTING, { ...before, Other: other }, vscode.ConfigurationTarget.Global);
    dialogs.later(() => vscode.workspace.getConfiguration().update(SETTING, before, vscode.ConfigurationTarget.Global));
    dialogs.stub('showQuickPick', async (items: readonly vscode.QuickPickItem[]) => items.find(({ label }) => label === 'Other Agent…'));
    const shown: string[] = [];
    dialogs.stub('showInformationMessage', async (message: string, options?: { detail?: string } | string, ...buttons: string[]) => {
      shown.push(typeof options === 'object' ? `${message}\n${options.detail}` : message);
      return typeof options === 'object' ? buttons[0] : options;
    });
    const boxes = dialogs.type('Mine', 'my-agent --acp "a b"', 'SOME_KEY=secret');
    const started: string[] = [];
    await addAgent({
      activity: { during: <T>(run: () => T) => run() } as never,
      userAgents: global,
      newSession: async (agentId) => void started.push(agentId),
    });
    assert.equal(boxes.length, 3);
    assert.deepEqual(JSON.parse(JSON.stringify(global())), {
      ...before,
      Other: other,
      Mine: { command: 'my-agent', args: ['--acp', 'a b'], env: { SOME_KEY: 'secret' } },
    });
    assert.deepEqual(started, ['Mine']);
    assert.match(shown[0]!, /^Add Mine\?\nCommand: my-agent --acp ['"]a b['"]\n/);
    assert.ok(!shown.join().includes('secret'));
    assert.equal(shown[1], 'Added Mine to your agents.');
  });
});
