/** Worktrees in the window: commands and their quick picks, with a real repository. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi } from '../../src/api';
import { WindowStubs } from './windowStubs';

describe('worktrees in the window', function () {
  this.timeout(40_000);

  let api: AcpHostApi;
  const root = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: root(), encoding: 'utf8' });
  const settings = () => vscode.workspace.getConfiguration('acpHost');
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Accepts the active quick input's choice until the command has finished. */
  async function accepting(command: Thenable<unknown>): Promise<void> {
    let over = false;
    void Promise.resolve(command).finally(() => (over = true));
    for (let tries = 0; !over && tries < 60; tries++) {
      await wait(250);
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    }
    assert.ok(over, 'the command goes on asking');
  }

  before(async () => {
    api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    await settings().update('defaultAgent', 'Demo Agent', vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    await settings().update('defaultAgent', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(`${root()}.worktrees`, { recursive: true, force: true });
    rmSync(path.join(root(), '.git'), { recursive: true, force: true });
  });

  it('are created for a session, which works there; the open folder stays unchanged', async () => {
    const known = new Set(api.sessions.map(({ key }) => key));
    await accepting(vscode.commands.executeCommand('acpHost.newSessionInWorktree'));
    const session = api.sessions.find(({ key }) => !known.has(key))!;
    assert.equal(session.agentName, 'Demo Agent');
    for (let tries = 0; session.status === 'starting' && tries < 100; tries++) {
      await wait(100);
    }
    assert.equal(session.status, 'ready');
    const folder = path.join(`${root()}.worktrees`, 'agent-demo-agent');
    assert.ok(existsSync(path.join(folder, '.git')));
    assert.match(git('worktree', 'list'), /agent\/demo-agent/);
    assert.equal(git('status', '--porcelain'), '');

    await session.end();
  });

  it('get the uncommitted changes that the user takes along, and compare those that both sides changed', async () => {
    const file = path.join(root(), 'shared.txt');
    writeFileSync(file, 'mine\n');
    const known = new Set(api.sessions.map(({ key }) => key));
    await accepting(vscode.commands.executeCommand('acpHost.newSessionInWorktree'));
    const session = api.sessions.find(({ key }) => !known.has(key))!;
    const copied = path.join(`${root()}.worktrees`, 'agent-demo-agent-2', 'shared.txt');
    assert.equal(readFileSync(copied, 'utf8'), 'mine\n');
    assert.equal(git('status', '--porcelain'), '?? shared.txt\n', 'the open folder stays unchanged');
    await session.end();

    git('worktree', 'remove', '--force', path.join(`${root()}.worktrees`, 'agent-demo-agent'));
    writeFileSync(copied, 'agent\n');
    writeFileSync(file, 'mine, edited since\n');
    const dialogs = new WindowStubs();
    try {
      const warnings: string[] = [];
      dialogs.stub('showQuickPick', async (items: readonly vscode.QuickPickItem[]) =>
        items.find(({ label }) => label === 'Apply to Main Working Tree'),
      );
      dialogs.stub('showWarningMessage', async (message: string, ...buttons: string[]) => {
        warnings.push(`${message} [${buttons.join()}]`);
        return buttons[0];
      });
      await accepting(vscode.commands.executeCommand('acpHost.manageWorktrees'));
      assert.deepEqual(warnings, ['Nothing was changed: both sides changed the same lines in shared.txt. [Compare]']);
      const isCompared = (): boolean =>
        vscode.window.tabGroups.all.some(({ tabs }) =>
          tabs.some(({ label }) => label.startsWith('Main working tree compared with agent/')),
        );
      for (let tries = 0; !isCompared() && tries < 50; tries++) {
        await wait(100);
      }
      assert.ok(isCompared());
      assert.equal(readFileSync(file, 'utf8'), 'mine, edited since\n');
    } finally {
      await dialogs.restore();
      rmSync(file);
    }
  }).retries(0);
});
