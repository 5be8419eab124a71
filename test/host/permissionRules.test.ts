/** The settings with permission rules, in the real VS Code: a workspace can only deny. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { hasRuleSettings, ruleSettings } from '../../src/workbench/permission/rules/ruleSettings';

const RULES = 'acpHost.permissions.rules';
const DENY = 'acpHost.permissions.deny';

describe('the settings with permission rules', () => {
  const cwd = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const file = (): string => path.join(cwd(), '.vscode', 'settings.json');

  async function until(holds: () => boolean): Promise<void> {
    for (const end = Date.now() + 10_000; !holds() && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(holds());
  }

  afterEach(async () => {
    rmSync(path.dirname(file()), { recursive: true, force: true });
    await ruleSettings.writeRules([]);
    await until(() => !hasRuleSettings(cwd()));
  });

  it('take denials of a workspace, and no rules', async () => {
    assert.equal(hasRuleSettings(cwd()), false);
    mkdirSync(path.dirname(file()), { recursive: true });
    const planted = { [RULES]: [{ effect: 'allow', tool: 'execute' }], [DENY]: [{ command: 'npm publish *' }] };
    writeFileSync(file(), JSON.stringify(planted));
    await until(() => ruleSettings.denies(cwd()).length > 0);
    assert.deepEqual(ruleSettings.denies(cwd()), [{ value: planted[DENY], from: 'workspace' }]);
    assert.equal(ruleSettings.rules().value, undefined);
  });

  it('cannot be written for a workspace', async () => {
    const { Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
    for (const target of [Workspace, WorkspaceFolder]) {
      const config = vscode.workspace.getConfiguration(undefined, vscode.workspace.workspaceFolders![0]!.uri);
      await assert.rejects(Promise.resolve(config.update(RULES, [{ effect: 'allow', tool: 'execute' }], target)));
    }
    assert.equal(ruleSettings.rules().value, undefined);
  });

  it('are written for the user, and report each change', async () => {
    let changes = 0;
    const subscription = ruleSettings.onDidChange(() => changes++);
    const rule = { effect: 'deny', command: 'git push *' };
    await ruleSettings.writeRules([rule]);
    await until(() => changes > 0);
    assert.deepEqual(ruleSettings.rules().value, [rule]);
    assert.equal(hasRuleSettings(cwd()), true);
    await ruleSettings.writeRules([]);
    await until(() => ruleSettings.rules().value === undefined);
    subscription.dispose();
  });
});
