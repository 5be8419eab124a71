/** Keeps a preview panel when the user pins its tab. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { viewTypes } from '../../application/shared/ids';

/** Calls `pinned` when the panel's tab is pinned. */
export function onPinned(panel: vscode.WebviewPanel, pinned: () => void): Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ changed }) => isPinned(changed, panel) && pinned());
}

/** Finds the tab by its label and type, because VS Code does not report which panel a tab belongs to. */
function isPinned(tabs: readonly vscode.Tab[], panel: vscode.WebviewPanel): boolean {
  return tabs.some(
    ({ isPinned: pinned, input, label, group }) =>
      pinned &&
      input instanceof vscode.TabInputWebview &&
      input.viewType.endsWith(viewTypes.session) &&
      label === panel.title &&
      group.viewColumn === panel.viewColumn,
  );
}
