/** Settings whose earlier names VS Code mixes with another setting, as it splits names at dots. */
import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { readSandboxMode, readSandboxSettings } from '../../src/workbench/sandbox/sandboxSettings';
import { readAgentSettings, readUserValue } from '../../src/workbench/settings/agentSettings';
import { readProblemsAfterEdits } from '../../src/workbench/settings/problemsAfterEdits';
import { userValue } from '../../src/workbench/settings/userValue';
import { eventually } from './filesFixture';

const inspect = (name: string) => vscode.workspace.getConfiguration().inspect(`acpHost.${name}`);
const write = (name: string, value: unknown, target = vscode.ConfigurationTarget.Global) =>
  vscode.workspace.getConfiguration().update(`acpHost.${name}`, value, target);

const NEW = {
  editorTools: 'all',
  editorToolCategories: { edits: false },
  problemsAfterEdits: 'off',
  extensionTools: ['one'],
  sandbox: { ada: 'commands' },
  sandboxNetwork: 'off',
  sandboxHosts: ['a.com'],
  sandboxWritable: ['/w'],
  sandboxUnreadable: ['/u'],
};
const NESTED = {
  'acpHost.editorTools.categories': { edits: false },
  'acpHost.editorTools.problemsAfterEdits': 'off',
  'acpHost.editorTools.extensionTools': ['one'],
  'acpHost.sandbox.network': 'off',
  'acpHost.sandbox.hosts': ['a.com'],
  'acpHost.sandbox.writable': ['/w'],
  'acpHost.sandbox.unreadable': ['/u'],
};

describe('names of settings', () => {
  let file: string;
  let original: string;

  /** Writes the file in one step: a window that reads it half written reloads, because settings that need it have changed. */
  async function replace(text: string): Promise<void> {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }

  /** Writes the user's settings file as the user would. The window reads it again when it writes a setting itself. */
  async function settingsFile(values: Readonly<Record<string, unknown>>): Promise<void> {
    await replace(JSON.stringify({ ...JSON.parse(original), ...values }));
    await write('chat.fontSize', 15);
    await eventually('the settings are read', () => inspect('chat.fontSize')?.globalValue === 15);
  }

  before(async () => {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson');
    file = vscode.window.activeTextEditor!.document.uri.fsPath;
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    original = await readFile(file, 'utf8');
  });

  afterEach(async () => {
    await write('sandbox', undefined, vscode.ConfigurationTarget.Workspace);
    await replace(original);
    // VS Code reads the file before it writes.
    await write('chat.fontSize', 15);
    await write('chat.fontSize', undefined);
  });

  it('let VS Code return the value of each setting when all are set', async () => {
    for (const [name, value] of Object.entries(NEW)) {
      await write(name, value);
    }
    for (const [name, value] of Object.entries(NEW)) {
      assert.deepEqual(inspect(name)?.globalValue, value, name);
    }
    assert.deepEqual(inspect('sandbox')?.defaultValue, { '*': 'off' });
    assert.deepEqual(inspect('editorToolCategories')?.defaultValue, {});
    assert.equal(inspect('problemsAfterEdits')?.defaultValue, 'tools');
  });

  it('may be the earlier ones, which are no agents of another setting', async () => {
    await settingsFile(NESTED);
    assert.deepEqual(inspect('editorTools')?.globalValue, {
      categories: { edits: false },
      problemsAfterEdits: 'off',
      extensionTools: ['one'],
    });
    assert.equal(readUserValue('acpHost.editorTools', 'readOnly').value, undefined);
    assert.deepEqual(readUserValue('acpHost.editorToolCategories', {}).value, { edits: false });
    assert.equal(readProblemsAfterEdits(), 'off');
    assert.deepEqual(userValue('acpHost.extensionTools'), ['one']);
    const { modes, ...rest } = readSandboxSettings();
    assert.equal(modes, undefined);
    assert.deepEqual(rest, { network: 'off', hosts: ['a.com'], writable: ['/w'], unreadable: ['/u'] });
    assert.equal(readSandboxMode('hosts', 'hosts'), 'off');
    assert.deepEqual(readAgentSettings().ignored, []);
  });

  it('have the new value where both names have one', async () => {
    await settingsFile({
      'acpHost.sandbox': { ada: 'commands' },
      ...NESTED,
      'acpHost.sandboxHosts': ['b.com'],
      'acpHost.extensionTools': [],
    });
    const { modes, hosts, network } = readSandboxSettings();
    assert.deepEqual([modes, hosts, network], [{ ada: 'commands' }, ['b.com'], 'off']);
    assert.deepEqual(userValue('acpHost.extensionTools'), []);
  });

  it("ignore a workspace's value under an earlier name, and report it", async () => {
    await write('sandbox', { hosts: ['planted.com'] }, vscode.ConfigurationTarget.Workspace);
    await eventually('the value is read', () => inspect('sandbox.hosts')?.workspaceValue !== undefined);
    assert.equal(readSandboxSettings().hosts, undefined);
    const ignored = readAgentSettings().ignored.map(({ setting, source }) => `${setting} ${source}`);
    assert.deepEqual(ignored, ['acpHost.sandbox.hosts workspace']);
  });
});
