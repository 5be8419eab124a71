/** The editor groups in which chats and reviews open. */
import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { viewTypes } from '../../src/application/shared/ids';
import { leaveConversation, sessionColumn } from '../../src/workbench/window/columns';
import { eventually } from './filesFixture';

describe('the editor group of a new chat', () => {
  const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;

  beforeEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('is the active one when it is empty', () => {
    assert.equal(sessionColumn(), vscode.window.tabGroups.activeTabGroup.viewColumn);
  });

  const pages = ['workbench.action.openWalkthrough', 'workbench.action.openGlobalKeybindings', 'workbench.action.openSettings2'];
  for (const command of pages) {
    it(`is the active one where VS Code shows a page of its own: ${command}`, async () => {
      await vscode.commands.executeCommand(command, ...(command.endsWith('Walkthrough') ? ['acp-host.acp-host#getStarted', false] : []));
      await eventually('the page', () => activeTab() !== undefined);
      assert.equal(sessionColumn(), vscode.window.tabGroups.activeTabGroup.viewColumn);
    });
  }

  it('is the one beside a file', async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'text' }));
    await eventually('the file', () => activeTab() !== undefined);
    assert.equal(sessionColumn(), vscode.ViewColumn.Beside);
  });
});

describe('an editor that was opened over a chat', () => {
  const groups = () => vscode.window.tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label));

  it('moves to the empty group that was made for it', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const chat = vscode.window.createWebviewPanel(viewTypes.session, 'Chat', vscode.ViewColumn.One);
    await vscode.commands.executeCommand('workbench.action.newGroupRight');
    await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');
    const document = await vscode.workspace.openTextDocument({ content: 'text' });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await eventually('both in one group', () => groups()[0]?.length === 2);
    await leaveConversation();
    await eventually('one in each group', () => groups().every((tabs) => tabs.length === 1));
    chat.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
