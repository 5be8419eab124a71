/** The focus, when a review replaces another one. VS Code opens a review with the focus. */
import * as vscode from 'vscode';
import { focusGroup } from '../../window/columns';
import type { UserActivity } from '../../shared/userActivity';

/** True while the focus is in a chat view. It could not return there after a review was opened. */
export function isInChatView({ focus }: Pick<UserActivity, 'focus'>): boolean {
  return typeof focus === 'object' && !(vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview);
}

export async function focusColumn(column: vscode.ViewColumn): Promise<void> {
  if (vscode.window.tabGroups.activeTabGroup.viewColumn !== column) {
    await focusGroup(column);
  }
}
