/** Stores the folders that the user trusts. */
import { realpath } from 'node:fs/promises';
import type * as vscode from 'vscode';
import type { UserActivity } from '../shared/userActivity';

export interface FolderTrustDependencies {
  readonly activity: UserActivity;
  /** `ExtensionContext.globalState`. */
  readonly globalState: vscode.Memento;
}

/** The key of the real paths of folders that are trusted with everything in them. */
export const TRUSTED = 'trustedFolders';

/** Trusts `folder` from now on. @param folder absolute; stored by its real path */
export async function rememberTrust(globalState: vscode.Memento, folder: string): Promise<void> {
  const real = await realpath(folder);
  // Another question may have been answered in the meantime.
  await globalState.update(TRUSTED, [...new Set([...globalState.get<string[]>(TRUSTED, []), real])]);
}
