/** Restricted Mode: the extension lists and shows saved sessions, and starts nothing. Part of the first load, so it imports other modules lazily. */
import * as vscode from 'vscode';
import { t } from '../shared/l10n';
import { showFailure } from '../shared/showFailure';

/** True in Restricted Mode. Read at each use, because the user may grant trust. */
export function isRestricted(): boolean {
  return !vscode.workspace.isTrusted;
}

/** Calls `granted` when the user trusts the workspace. VS Code reloads the extension host when trust is revoked. */
export function whenTrusted(granted: () => void): vscode.Disposable {
  return vscode.workspace.onDidGrantWorkspaceTrust(granted);
}

/** Opens VS Code's own page about trust in the workspace. */
export async function manageWorkspaceTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}

/** Explains why nothing starts, and links to the page where the user can change it. */
export async function offerTrust(): Promise<void> {
  await showFailure('warning', { code: 'session.restricted_mode' });
}

/** Explains Restricted Mode in the views until trust is granted. */
export function showRestriction(trees: readonly Pick<vscode.TreeView<unknown>, 'message'>[]): vscode.Disposable {
  const show = (message: string | undefined): void => trees.forEach((tree) => (tree.message = message));
  if (!isRestricted()) {
    return { dispose: () => undefined };
  }
  show(t("Restricted Mode: sessions can be read, and agents don't start."));
  return vscode.workspace.onDidGrantWorkspaceTrust(() => show(undefined));
}

/** Runs `act` for the command `name`. In Restricted Mode, most commands offer to trust the workspace instead. */
export async function unlessRestricted<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
  if (isRestricted() && !(await import('../../application/trust/restrictedCommands')).RESTRICTED_COMMANDS.has(name)) {
    await offerTrust();
    return undefined;
  }
  return act();
}
