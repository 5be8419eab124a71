/** Chooses the editor group that something opens in, so that conversation and code stay side by side. */
import * as vscode from 'vscode';
import { viewTypes } from '../../application/shared/ids';

/** Returns the group for a file or a diff: the user's editor group, but not one with a conversation on top while there is another group. */
export function editorColumn(): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  if (!showsSession(activeTabGroup)) {
    return activeTabGroup.viewColumn;
  }
  return all.find((group) => !showsSession(group))?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** Focuses the group of {@link editorColumn}, for an editor that VS Code opens in the active group. */
export async function showEditors(): Promise<void> {
  const column = editorColumn();
  const { activeTabGroup } = vscode.window.tabGroups;
  if (column === vscode.ViewColumn.Beside) {
    await vscode.commands.executeCommand('workbench.action.newGroupRight');
  } else if (column !== activeTabGroup.viewColumn) {
    await focusGroup(column);
  }
}

/**
 * Moves the editor in front out of a conversation's group, to the empty group that {@link showEditors} has made for it. VS Code gives the focus back
 * to the conversation when the palette closes, perhaps after that group was made.
 */
export async function leaveConversation(): Promise<void> {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const empty = all.find(({ tabs }) => tabs.length === 0);
  if (empty && !showsSession(activeTabGroup) && activeTabGroup.tabs.some(isSession)) {
    await vscode.commands.executeCommand('moveActiveEditor', { to: 'position', by: 'group', value: empty.viewColumn });
  }
}

export async function focusGroup(column: vscode.ViewColumn): Promise<void> {
  await vscode.commands.executeCommand(FOCUS_GROUP[column - 1] ?? 'workbench.action.focusFirstEditorGroup');
}

const FOCUS_GROUP = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map(
  (name) => `workbench.action.focus${name}EditorGroup`,
);

/**
 * Returns the group for a conversation: the group of another conversation, or the group beside the document in front, or the active group. The
 * user does not read a page of VS Code, such as the welcome page, a walkthrough or the settings, beside a conversation. A conversation beside such
 * a page would get only half of the space.
 */
export function sessionColumn(): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const group = [activeTabGroup, ...all].find(showsSession);
  if (group) {
    return group.viewColumn;
  }
  return isDocument(activeTabGroup.activeTab) ? vscode.ViewColumn.Beside : activeTabGroup.viewColumn;
}

/** True for an editor of text, a notebook, a custom editor, a terminal or a webview. VS Code gives its own pages no input. */
function isDocument(tab: vscode.Tab | undefined): boolean {
  return tab?.input !== undefined;
}

function showsSession({ activeTab }: vscode.TabGroup): boolean {
  return activeTab !== undefined && isSession(activeTab);
}

function isSession({ input }: vscode.Tab): boolean {
  // VS Code prefixes the type of an extension's webview, so only the end is compared.
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.session);
}
