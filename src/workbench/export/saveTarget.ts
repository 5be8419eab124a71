/** Where something of ours is saved: what is there already is replaced only after the user has said so. */
import * as vscode from 'vscode';
import path from 'node:path';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type SaveDialogOptions, window } from '../shared/window';

export interface SaveTarget {
  readonly uri: vscode.Uri;
  /** The user has agreed that the file that is there is replaced. */
  readonly overwrite: boolean;
}

type During = Pick<UserActivity, 'during'>;

/** The uri that a command was called with, or the user's choice. Undefined when the user does not want to. */
export async function targetOf(given: unknown, options: SaveDialogOptions, activity: During): Promise<SaveTarget | undefined> {
  if (!(given instanceof vscode.Uri)) {
    return chooseTarget(options, activity);
  }
  const isThere = await exists(given);
  return !isThere || (await mayReplace(given, activity)) ? { uri: given, overwrite: isThere } : undefined;
}

/** The dialog itself asks about a file that is there when it closes. */
export async function chooseTarget(options: SaveDialogOptions, activity: During): Promise<SaveTarget | undefined> {
  const uri = await activity.during(() => window.showSaveDialog(options));
  return uri && { uri, overwrite: await exists(uri) };
}

export async function mayReplace(uri: vscode.Uri, activity: During): Promise<boolean> {
  const replace = t('Replace');
  const message = t('{file} already exists. Do you want to replace it?', { file: visible(path.posix.basename(uri.path), 80) });
  return (await activity.during(() => window.showWarningMessage(message, { modal: true }, replace))) === replace;
}

/** A link that leads nowhere is there too. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  const stat: Thenable<unknown> =
    uri.scheme === 'file' ? (await import('node:fs/promises')).lstat(uri.fsPath) : vscode.workspace.fs.stat(uri);
  return stat.then(
    () => true,
    () => false,
  );
}
