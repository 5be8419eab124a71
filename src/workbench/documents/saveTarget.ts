/** Chooses the file to save to. An existing file is replaced only with the user's consent. */
import * as vscode from 'vscode';
import path from 'node:path';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type SaveDialogOptions, window } from '../shared/window';

export interface SaveTarget {
  readonly uri: vscode.Uri;
  /** True when the user has agreed to replace an existing file. */
  readonly overwrite: boolean;
}

type During = Pick<UserActivity, 'during'>;

/** Returns the uri that a command was called with, or the user's choice. Undefined when the user cancels. */
export async function targetOf(given: unknown, options: SaveDialogOptions, activity: During): Promise<SaveTarget | undefined> {
  if (!(given instanceof vscode.Uri)) {
    return chooseTarget(options, activity);
  }
  const isThere = await exists(given);
  return !isThere || (await mayReplace(given, activity)) ? { uri: given, overwrite: isThere } : undefined;
}

/** Shows the save dialog, which itself asks before it replaces a file. */
export async function chooseTarget(options: SaveDialogOptions, activity: During): Promise<SaveTarget | undefined> {
  const uri = await activity.during(() => window.showSaveDialog(options));
  return uri && { uri, overwrite: await exists(uri) };
}

export async function mayReplace(uri: vscode.Uri, activity: During): Promise<boolean> {
  const replace = t('Replace');
  const message = t('{file} already exists. Do you want to replace it?', { file: inertLine(path.posix.basename(uri.path), 80) });
  return (await activity.during(() => window.showWarningMessage(message, { modal: true }, replace))) === replace;
}

/** True also for a broken link. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  const stat: Thenable<unknown> =
    uri.scheme === 'file' ? (await import('node:fs/promises')).lstat(uri.fsPath) : vscode.workspace.fs.stat(uri);
  return stat.then(
    () => true,
    () => false,
  );
}
