/** The user's actions on an agent's changes reach the agent with the next prompt. Files are restored to a message and back. */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';
import { numberedLines, until } from './reviewFixture';

describe('the report to the agent about its changes', function () {
  // Each test continues from the state of the one before it.
  this.retries(0);
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  const file = (name: string) => path.join(folder().fsPath, `told-${name}.txt`);
  const uri = (name: string) => vscode.Uri.file(file(name));
  const lines = (...changed: readonly string[]) => numberedLines(20, changed);
  const stored = (name: string) => readFileSync(file(name), 'utf8');
  let session: AcpSession;
  let agent: vscode.Disposable;

  const lenses = async (name: string): Promise<number> => {
    await vscode.workspace.openTextDocument(uri(name));
    const all = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri(name))) ?? [];
    return all.filter(({ command }) => command?.command === 'acpHost.undoChange').length;
  };
  const write = async (texts: Record<string, string>) => {
    await session.prompt(`write ${JSON.stringify(Object.fromEntries(Object.entries(texts).map(([name, text]) => [file(name), text])))}`);
  };
  /** The text that the agent repeats as its prompt. */
  async function echo(): Promise<string> {
    let text = '';
    const listener = session.onDidReceiveEvent((event) => {
      text += event.type === 'messageChunk' && event.role === 'agent' ? event.text : '';
    });
    await session.prompt('What is new?');
    listener.dispose();
    return text;
  }
  async function undo(name: string, line: number): Promise<void> {
    const before = await lenses(name);
    const editor = await vscode.window.showTextDocument(uri(name), { preview: false });
    editor.selection = new vscode.Selection(line, 0, line, 0);
    await vscode.commands.executeCommand('acpHost.undoChange');
    await until(
      'undone',
      () => lenses(name),
      (now) => now === before - 1,
    );
  }
  /** Accepts the first row of each quick pick that opens. */
  async function choose(command: string, holds: () => boolean): Promise<void> {
    let isDone = false;
    const done = vscode.commands.executeCommand(command).then(() => (isDone = true));
    for (let tries = 0; !holds(); tries++) {
      assert.ok(tries < 90, command);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    }
    // An action is recorded after the files are written, and then shown in a notification that waits for the user.
    while (!isDone) {
      await vscode.commands.executeCommand('notifications.clearAll');
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
  }

  before(async () => {
    const api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    const { extensionPath } = vscode.extensions.getExtension('acp-host.acp-host-sample')!;
    const launch = { command: process.execPath, args: [path.join(extensionPath, 'agent.mjs')], env: { ELECTRON_RUN_AS_NODE: '1' } };
    agent = api.registerAgentProvider({ id: 'test.told', label: 'Told', launch });
    writeFileSync(file('a'), lines());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    session = (await api.newSession({ agentName: 'Told', folder: folder() }))!;
    await until(
      'ready',
      () => session.status,
      (status) => status === 'ready',
    );
    await write({ a: lines('3 changed', '15 changed'), new: 'made\n' });
    await until(
      'reviewed',
      () => lenses('a'),
      (now) => now === 2,
    );
  });

  after(async () => {
    await session.end();
    agent.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    ['a', 'new'].forEach((name) => rmSync(file(name), { force: true }));
  });

  it('contains an undone change, once', async () => {
    await undo('a', 3);
    await vscode.commands.executeCommand('acpHost.undoFileChanges', uri('new'));
    assert.equal(existsSync(file('new')), false);
    const told = await echo();
    assert.match(told, /told-a\.txt\n\nThe user undid 1 of your changes\./);
    assert.match(told, /\n 2 same\n-3 changed\n\+3 same\n 4 same\n/);
    assert.ok(!told.includes('15 changed'), told);
    assert.match(told, /told-new\.txt\n\nThe user undid the creation of this file: it was deleted\.[\s\S]*\n-made\n/);
    const again = await echo();
    assert.ok(again.endsWith('What is new?'), again);
  });

  it('contains that a change was applied again', async () => {
    await choose('acpHost.applyUndoneChange', () => stored('a') === lines('3 changed', '15 changed'));
    await until(
      'pending again',
      () => lenses('a'),
      (now) => now === 2,
    );
    const told = await echo();
    assert.match(told, /The user applied again 1 of your changes\.[\s\S]*\n-3 same\n\+3 changed\n/);
  });

  it('omits a restore that was reverted, and contains one that was not', async () => {
    await write({ a: lines('3 changed', '15 changed', '18 later') });
    await until(
      'reviewed',
      () => lenses('a'),
      (now) => now === 3,
    );
    await choose('acpHost.restoreCheckpoint', () => stored('a') === lines('3 changed', '15 changed'));
    await choose('acpHost.undoRestore', () => stored('a').includes('18 later'));
    const nothing = await echo();
    assert.ok(nothing.endsWith('What is new?'), nothing);
    // The newest messages have no changes after them.
    await choose('acpHost.undoRestore', () => stored('a') === lines('3 changed', '15 changed'));
    const told = await echo();
    assert.match(told, /told-a\.txt\n\nThe user put this file back[\s\S]*\n-18 later\n\+18 same\n/);
  });

  it('can be read for the whole session', async () => {
    await vscode.commands.executeCommand('acpHost.reviewSessionChanges');
    const label = await until(
      'an editor',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '',
      (text) => text.startsWith('Changes of This Session'),
    );
    assert.equal(label, 'Changes of This Session (+2 −2) (1 file)');
  });
});
