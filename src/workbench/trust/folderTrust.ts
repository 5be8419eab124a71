/** Trust in folders outside the workspace. The question resembles VS Code's own for workspaces, because extensions cannot make VS Code ask. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { FolderTrust } from '../../session/agent/folderTrust';
import { isTrustedFolder, startTrust } from '../../application/trust/startTrust';
import { type FolderTrustDependencies, TRUSTED } from './trustedFolders';
import { workspaceFolders } from '../window/workspaceFolders';

/**
 * Resolves to true when the user trusts the authors of the files in `folder`. The workspace's folders are trusted, and earlier answers count.
 * @param folder absolute
 */
export async function trustsFolder(deps: FolderTrustDependencies, folder: string): Promise<boolean> {
  return (await isTrustedFolder(folder, [...workspaceFolders(), ...answered(deps)])) || ask(deps, folder);
}

/** Checks the starts of agents in this window. @param storage the absolute path of the extension's own folder on this machine */
export function windowTrust(deps: FolderTrustDependencies, storage: string): FolderTrust {
  return startTrust({
    isWindowTrusted: () => vscode.workspace.isTrusted,
    // Sessions without a folder work in empty folders in the extension's storage.
    trusted: () => [...workspaceFolders(), ...answered(deps), path.join(storage, 'empty')],
    ask: (folder) => ask(deps, folder),
  });
}

function answered({ globalState }: FolderTrustDependencies): readonly string[] {
  return globalState.get<string[]>(TRUSTED, []);
}

async function ask(deps: FolderTrustDependencies, folder: string): Promise<boolean> {
  return (await import('./folderTrustQuestions')).askForTrust(deps, folder, answered(deps));
}
