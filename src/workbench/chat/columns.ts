/** Which editor group something opens in, so that conversation and code stay side by side. */
import * as vscode from 'vscode';
import { viewTypes } from '../shared/ids';

/** For a file or a diff: the group the user has editors in, but not on top of a conversation while there is another place. */
export function editorColumn(): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  if (!showsSession(activeTabGroup)) {
    return activeTabGroup.viewColumn;
  }
  return all.find((group) => !showsSession(group))?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** For a conversation: where one is already, else beside the file in front, else where the user is. */
export function sessionColumn(): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const group = [activeTabGroup, ...all].find(showsSession);
  if (group) {
    return group.viewColumn;
  }
  return activeTabGroup.activeTab ? vscode.ViewColumn.Beside : activeTabGroup.viewColumn;
}

function showsSession({ activeTab }: vscode.TabGroup): boolean {
  // VS Code prefixes the type of an extension's webview, so the end is compared.
  return activeTab?.input instanceof vscode.TabInputWebview && activeTab.input.viewType.endsWith(viewTypes.session);
}
