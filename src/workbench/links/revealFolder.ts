/** Shows a folder in the system's file manager, or in the explorer, or offers to open a window for it. */
import * as vscode from 'vscode';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_PATH = 300;

export async function revealFolder(folder: string): Promise<void> {
  const uri = vscode.Uri.file(folder);
  // A browser, and a window with remote files, have no file manager for the folder.
  if (vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
  } else if (vscode.workspace.getWorkspaceFolder(uri)) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
  } else {
    const open = t('Open in New Window');
    if ((await window.showInformationMessage(inertLine(folder, MAX_PATH), open)) === open) {
      await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
    }
  }
}
