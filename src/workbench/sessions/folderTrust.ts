/** Trust in folders that are in no workspace, asked for as VS Code asks for workspaces, which extensions cannot ask it about. */
import type * as vscode from 'vscode';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { liesIn } from '../../agent/searchPath';
import { joined, visible } from '../shared/escape';
import { workspaceFolders } from './workspaceFolders';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface FolderTrustPorts {
  readonly activity: UserActivity;
  /** `ExtensionContext.globalState`. */
  readonly globalState: vscode.Memento;
}

/** Under this key: real paths of folders that are trusted with all in them. */
const TRUSTED = 'trustedFolders';
const MAX_FOLDER = 200;

/**
 * True when the user trusts the authors of the files in `folder`: those of the workspace are trusted, and what was said before counts.
 * @param folder absolute
 */
export async function trustsFolder({ activity, globalState }: FolderTrustPorts, folder: string): Promise<boolean> {
  const trusted = globalState.get<string[]>(TRUSTED, []);
  if (await liesIn(folder, [...workspaceFolders(), ...trusted])) {
    return true;
  }
  const real = await realpath(folder).catch(() => path.resolve(folder));
  const parent = path.dirname(real);
  const trust = t('Trust Folder');
  const trustParent = t('Trust Parent Folder');
  const risk = t(
    'Agents may run files in this folder automatically. If you don’t trust the authors of these files, don’t start a session here.',
  );
  const detail = joined([visible(real, MAX_FOLDER), risk], '\n\n');
  const buttons = path.dirname(parent) === parent ? [trust] : [trust, trustParent];
  const answer = await activity.during(() =>
    window.showWarningMessage(t('Do you trust the authors of the files in this folder?'), { modal: true, detail }, ...buttons),
  );
  if (answer === undefined) {
    return false;
  }
  await globalState.update(TRUSTED, [...new Set([...trusted, answer === trustParent ? parent : real])]);
  return true;
}

/** Lets the user take trust back. */
export async function manageTrustedFolders({ activity, globalState }: FolderTrustPorts): Promise<void> {
  const trusted = globalState.get<string[]>(TRUSTED, []);
  if (trusted.length === 0) {
    void window.showInformationMessage(t('No trusted folders outside a workspace.'));
    return;
  }
  const rows = trusted.map((folder) => ({ label: visible(folder, MAX_FOLDER), picked: true, folder }));
  const options = { canPickMany: true, placeHolder: t('Trusted folders. Clear one to be asked again.') } as const;
  const kept = await activity.during(() => window.showQuickPick(rows, options));
  if (kept) {
    await globalState.update(
      TRUSTED,
      kept.map(({ folder }) => folder),
    );
  }
}
