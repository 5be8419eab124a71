import * as vscode from 'vscode';
import type { Roots } from '../../core/model/roots';
import { inertLine, withIcon } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { openFiles } from '../editor/openFiles';

/**
 * Asks which file a block of code is for: an open one, another one, or a new one, which opens at once. Resolves to undefined when the user cancels
 * or has opened a new file.
 */
export async function pickCodeFile(
  roots: Roots,
  code: string,
  activity: UserActivity,
  front: vscode.TextDocument | undefined,
): Promise<vscode.Uri | undefined> {
  const open = openFiles(front).map((uri) => ({
    label: withIcon('file', inertLine(vscode.workspace.asRelativePath(uri), 200)),
    choose: () => Promise.resolve<vscode.Uri | undefined>(uri),
  }));
  const others = [
    { label: withIcon('folder-opened', t('Another File…')), choose: () => browse(roots) },
    { label: withIcon('new-file', t('New File')), choose: () => newFile(code) },
  ];
  const placeHolder = t("Select the file to change. You'll preview the change first.");
  return activity.during(async () => (await window.showQuickPick([...open, ...others], { placeHolder }))?.choose());
}

async function browse(roots: Roots): Promise<vscode.Uri | undefined> {
  const chosen = await window.showOpenDialog({
    defaultUri: vscode.Uri.file(roots.cwd),
    canSelectMany: false,
    openLabel: t('Preview and Apply'),
  });
  return chosen?.[0];
}

async function newFile(content: string): Promise<undefined> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
}
